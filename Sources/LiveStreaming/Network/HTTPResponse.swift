// SPDX-License-Identifier: Apache-2.0

/// An HTTP response, without its body.
package struct HTTPResponse: Hashable, Sendable {
    /// The status code, from 100 to 599 (RFC 9110, 15).
    package let code: Int
    /// The reason phrase; may be empty.
    package let reason: String
    /// The body length in bytes; `nil` if the server does not send one.
    package let contentLength: Int?

    /// Whether the server accepts the request: interim (100) or success (200 to 299).
    package var isAccepting: Bool { code < 300 }

    /// Whether another response to the same request follows (RFC 9110, 15.2).
    var isInterim: Bool { code < 200 }

    /// Parses the status line and header fields (RFC 9112, 4).
    ///
    /// - Parameter head: The lines, without the final empty line.
    /// - Returns: `nil` if the first line is not a status line.
    package init?(_ head: String) {
        let lines = head.split(separator: "\r\n")
        let parts = lines.first?.split(separator: " ", maxSplits: 2) ?? []
        guard parts.count >= 2, parts[0].hasPrefix("HTTP/"), parts[1].utf8.count == 3 else { return nil }
        guard let code = Int(parts[1]), (100...599).contains(code) else { return nil }
        self.code = code
        reason = parts.count > 2 ? String(parts[2]) : ""
        let length = lines.dropFirst().first { $0.lowercased().hasPrefix("content-length:") }
        contentLength = length.flatMap { Int($0.drop { $0 != ":" }.dropFirst().filter { $0 != " " }) }.flatMap { $0 < 0 ? nil : $0 }
    }

    /// Returns the server's explanation of a rejection: the body's text, or the reason phrase.
    ///
    /// - Parameter body: Plain text or HTML.
    package func words(of body: String) -> String {
        // An HTML page repeats the code in its title and before the explanation.
        var rest = body.firstRange(of: "<body").map { body[$0.lowerBound...] } ?? body[...]
        var text = ""
        while let tag = rest.firstIndex(of: "<") {
            text += rest[..<tag] + " "
            rest = rest[tag...].firstIndex(of: ">").map { rest[rest.index(after: $0)...] } ?? ""
        }
        let words = (text + rest).split(whereSeparator: \.isWhitespace).joined(separator: " ")
        let prefix = "\(code) - "
        let reason = words.hasPrefix(prefix) ? String(words.dropFirst(prefix.count)) : words
        return reason.isEmpty ? self.reason : reason
    }
}
