// SPDX-License-Identifier: Apache-2.0

/// The parts of a server URL: `scheme://user:password@host:port/path?query` (RFC 3986).
package struct ServerURL: Hashable, Sendable {
    /// The scheme, in lower case.
    package var scheme: String
    /// The user name, percent-decoded, if any.
    package var user: String?
    /// The password, percent-decoded, if any.
    package var password: String?
    /// The server's name or IP address, without the brackets of IPv6.
    ///
    /// May be empty.
    package var host: String
    package var port: Int?
    /// The path with its leading slash, not decoded; empty if absent.
    package var path: String
    /// The query after the question mark, not decoded, if any.
    package var query: String?

    /// Parses a URL.
    ///
    /// - Returns: `nil` if it has no scheme, or if its port is not a number from 1 to 65 535.
    package init?(_ text: String) {
        guard let separator = text.firstRange(of: "://") else { return nil }
        scheme = text[..<separator.lowerBound].lowercased()
        guard !scheme.isEmpty else { return nil }
        let rest = text[separator.upperBound...]
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        let credentials = authority.lastIndex(of: "@").map { authority[..<$0] }
        let parts = credentials?.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(Self.decoded) ?? []
        user = parts.first
        password = parts.count > 1 ? parts[1] : nil
        guard let (host, port) = Self.hostAndPort(credentials.map { authority.dropFirst($0.count + 1) } ?? authority) else { return nil }
        (self.host, self.port) = (host, port)
        let location = rest.dropFirst(authority.count)
        path = String(location.prefix { $0 != "?" })
        query = path.count < location.count ? String(location.dropFirst(path.count + 1)) : nil
    }

    /// The query parameters in order, percent-decoded.
    package var parameters: [(name: String, value: String)] {
        (query ?? "").split(separator: "&").map { parameter in
            let parts = parameter.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(Self.decoded)
            return (parts[0], parts.count > 1 ? parts[1] : "")
        }
    }

    /// Host and port, in URL syntax.
    package var authority: String { (host.contains(":") ? "[\(host)]" : host) + (port.map { ":\($0)" } ?? "") }

    /// Decodes percent-encoded bytes.
    ///
    /// Leaves invalid escapes unchanged.
    package static func decoded(_ text: some StringProtocol) -> String {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            let digits = rest.prefix(2)
            if byte == UInt8(ascii: "%"), digits.count == 2, digits.allSatisfy(isHexDigit),
                let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
            {
                bytes.append(value)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Percent-encodes all bytes except letters, digits and `-._~` (RFC 3986, 2.1).
    package static func encoded(_ text: String) -> String {
        text.utf8.map { byte in
            let character = Character(UnicodeScalar(byte))
            if character.isASCII, character.isLetter || character.isNumber || "-._~".contains(character) { return String(character) }
            let digits = String(byte, radix: 16, uppercase: true)
            return "%" + (digits.count < 2 ? "0" : "") + digits
        }.joined()
    }

    /// Whether a byte is a hexadecimal digit.
    ///
    /// `UInt8(_:radix:)` would also accept signs.
    private static func isHexDigit(_ byte: UInt8) -> Bool { Character(UnicodeScalar(byte)).isHexDigit }

    /// Parses host and port; `nil` if they are malformed.
    private static func hostAndPort(_ authority: Substring) -> (String, Int?)? {
        let isBracketed = authority.hasPrefix("[")
        let end = isBracketed ? authority.firstIndex(of: "]") : authority.lastIndex(of: ":") ?? authority.endIndex
        guard let end else { return nil }
        let host = isBracketed ? authority[authority.index(after: authority.startIndex)..<end] : authority[..<end]
        let suffix = isBracketed ? authority[authority.index(after: end)...] : authority[end...]
        // Without brackets, the last group of an IPv6 address would be taken for a port.
        guard isBracketed || !host.contains(":") else { return nil }
        if suffix.isEmpty { return (String(host), nil) }
        let digits = suffix.dropFirst()
        guard suffix.hasPrefix(":"), digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        guard let port = Int(digits), (1...65_535).contains(port) else { return nil }
        return (String(host), port)
    }
}
