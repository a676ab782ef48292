// SPDX-License-Identifier: Apache-2.0

/// An answer of an HTTP server, without its body.
package struct HTTPResponse: Hashable, Sendable {
    /// The status code, from 100 to 599 (RFC 9110, 15).
    package let code: Int
    /// The server's words for the code; may be empty.
    package let reason: String
    /// The number of bytes of the body; nil if the server does not tell it.
    package let contentLength: Int?

    /// Whether the server goes on with the request: it takes the body (100), or all is well (200 to 299).
    package var isAccepting: Bool { code < 300 }

    /// Whether another answer to the same request follows (RFC 9110, 15.2).
    var isInterim: Bool { code < 200 }

    /// Reads the lines before the body (RFC 9112, 4).
    ///
    /// - Parameter head: The lines, without the empty one at their end.
    /// - Returns: Nil if the first one is not that of an answer.
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

    /// Returns the server's reason for a refusal: the text of the body, or else the words for the code.
    ///
    /// - Parameter body: The body, plain text or HTML.
    package func words(of body: String) -> String {
        // A page repeats the code in its title, and before the reason.
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
