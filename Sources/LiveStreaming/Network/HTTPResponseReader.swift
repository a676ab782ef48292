// SPDX-License-Identifier: Apache-2.0

/// Divides the bytes of an HTTP server into answers (RFC 9112).
package struct HTTPResponseReader: Sendable {
    /// The error of bytes that are not HTTP, or have no end.
    package struct Malformed: Error, Hashable {
        /// Creates the error.
        package init() {}
    }

    /// The most bytes kept: the answers of servers have some hundred.
    package static let byteLimit = 16_384

    private static let beginning = Array("HTTP/".utf8)
    private static let end = Array("\r\n\r\n".utf8)

    /// The bytes after the answers taken so far: the start of the next one, or a body.
    package private(set) var rest: [UInt8] = []

    /// Creates the initial value.
    package init() {}

    /// Adds bytes; those beyond the limit are discarded.
    package mutating func append(_ bytes: [UInt8]) { rest += bytes.prefix(Self.byteLimit - rest.count) }

    /// Takes the next answer, without its body; nil if it is incomplete.
    package mutating func next() throws(Malformed) -> HTTPResponse? {
        guard rest.prefix(Self.beginning.count).elementsEqual(Self.beginning.prefix(rest.count)) else { throw Malformed() }
        guard let range = rest.firstRange(of: Self.end) else {
            if rest.count == Self.byteLimit { throw Malformed() }
            return nil
        }
        guard let response = HTTPResponse(String(decoding: rest[..<range.lowerBound], as: UTF8.self)) else { throw Malformed() }
        rest.removeSubrange(..<range.upperBound)
        return response
    }
}
