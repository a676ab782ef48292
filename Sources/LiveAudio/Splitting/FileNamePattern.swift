// SPDX-License-Identifier: Apache-2.0

internal import SystemFiles

/// A path with conversions of `strftime` for the local start time of a file, such as `%Y/%m-%d_%H%M%S.m4a`.
package struct FileNamePattern: Hashable, Sendable {
    /// The conversions for names.
    ///
    /// The others contain slashes or line breaks, or depend on the system.
    private static let conversions: Set<Character> = Set("aAbBCdeFgGHIjmMpRsSTuUVwWyYzZ")

    /// Literal text, or a conversion of two characters.
    private enum Part: Hashable {
        case text(String)
        case conversion(String)
    }

    private let parts: [Part]

    /// Parses a pattern, in which `%%` is a percent sign.
    ///
    /// Returns `nil` if a conversion is unknown.
    package init?(_ text: String) {
        var parts: [Part] = []
        var rest = text[...]
        while let percent = rest.firstIndex(of: "%") {
            parts.append(.text(String(rest[..<percent])))
            rest = rest[percent...].dropFirst()
            guard let character = rest.popFirst() else { return nil }
            guard character == "%" || Self.conversions.contains(character) else { return nil }
            parts.append(character == "%" ? .text("%") : .conversion("%\(character)"))
        }
        self.parts = parts + [.text(String(rest))]
    }

    /// Whether names depend on the time.
    package var isDated: Bool {
        parts.contains { if case .conversion = $0 { true } else { false } }
    }

    /// Returns the path of a file that starts at a time, in seconds since 1970.
    package func path(at time: Double) -> String {
        parts.map { part in
            switch part {
            case .text(let text): text
            case .conversion(let format): WallClock.text(format, at: time)
            }
        }.joined()
    }

    /// Returns a path with a number before its extension, such as `talk-2.m4a`; unchanged for number 1.
    static func numbered(_ path: String, _ number: Int) -> String {
        number > 1 ? PathName.inserting("-\(number)", beforeExtensionOf: path) : path
    }
}
