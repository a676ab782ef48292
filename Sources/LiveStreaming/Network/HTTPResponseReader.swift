// SPDX-License-Identifier: Apache-2.0

/// Splits received bytes into HTTP responses (RFC 9112).
package struct HTTPResponseReader: Sendable {
    /// The bytes are not HTTP, or the header is too long.
    package struct Malformed: Error, Hashable {
        package init() {}
    }

    /// The maximum number of retained bytes.
    ///
    /// Typical responses have a few hundred.
    package static let byteLimit = 16_384

    private static let beginning = Array("HTTP/".utf8)
    private static let end = Array("\r\n\r\n".utf8)

    /// The bytes after the responses returned so far: the start of the next response, or a body.
    package private(set) var rest: [UInt8] = []

    package init() {}

    /// Appends bytes and discards those beyond the limit.
    package mutating func append(_ bytes: [UInt8]) { rest += bytes.prefix(Self.byteLimit - rest.count) }

    /// Removes and returns the next response without its body, or `nil` if it is incomplete.
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
