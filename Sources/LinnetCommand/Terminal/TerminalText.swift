// SPDX-License-Identifier: Apache-2.0

/// Text on a terminal, measured in columns.
enum TerminalText {
    /// The colours of the ANSI escape sequences (ECMA-48, SGR).
    enum Color: Int {
        case red = 31
        case green = 32
        case yellow = 33
    }

    /// Returns text in a colour, or unchanged without one.
    static func painted(_ text: String, _ color: Color?) -> String {
        guard let color, !text.isEmpty else { return text }
        return "\u{1B}[\(color.rawValue)m\(text)\u{1B}[39m"
    }

    /// Returns the number of columns of a text without control characters.
    static func columnCount(_ text: some StringProtocol) -> Int { text.reduce(0) { $0 + columnCount($1) } }

    /// Returns the start of a text that fits into `width` columns.
    static func prefix(_ text: String, columns width: Int) -> String {
        var rest = width
        return String(
            text.prefix {
                rest -= columnCount($0)
                return rest >= 0
            })
    }

    /// The East Asian wide characters and emoji, which take two columns (Unicode Standard Annex #11), as ranges of blocks.
    private static let wideBlocks: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6,
        0x1F300...0x1FAFF, 0x20000...0x3FFFD,
    ]

    private static func columnCount(_ character: Character) -> Int {
        character.unicodeScalars.contains { scalar in wideBlocks.contains { $0.contains(scalar.value) } } ? 2 : 1
    }
}
