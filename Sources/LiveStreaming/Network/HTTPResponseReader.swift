// SPDX-License-Identifier: Apache-2.0

/// Divides the bytes of an HTTP server into answers (RFC 9112).
struct HTTPResponseReader: Sendable {
    /// The error of bytes that are not HTTP, or have no end.
    struct Malformed: Error, Hashable {}

    /// The most bytes kept: the answers of servers have some hundred.
    static let byteLimit = 16_384

    private static let beginning = Array("HTTP/".utf8)
    private static let end = Array("\r\n\r\n".utf8)

    /// The bytes after the answers taken so far: the start of the next one, or a body.
    private(set) var rest: [UInt8] = []

    /// Adds bytes; those beyond the limit are discarded.
    mutating func append(_ bytes: [UInt8]) { rest += bytes.prefix(Self.byteLimit - rest.count) }

    /// Takes the next answer, without its body; nil if it is incomplete.
    mutating func next() throws(Malformed) -> HTTPResponse? {
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
