// SPDX-License-Identifier: Apache-2.0

/// The texts of a frame, in the encoding signalled by its first byte.
struct ID3v2Text {
    enum Encoding: UInt8 {
        case latin1 = 0
        case utf16 = 1
        case utf16BigEndian = 2
        case utf8 = 3

        /// Whether a character has two bytes.
        var isWide: Bool { self == .utf16 || self == .utf16BigEndian }
    }

    let encoding: Encoding
    /// The unread bytes.
    private(set) var rest: ArraySlice<UInt8>
    /// The byte order of UTF-16, which later texts of the frame can omit.
    private var isBigEndian: Bool

    /// Starts at the first byte of a frame, or returns `nil` if the encoding is invalid.
    init?(_ contents: ArraySlice<UInt8>) {
        guard let encoding = contents.first.flatMap(Encoding.init) else { return nil }
        self.encoding = encoding
        rest = contents.dropFirst()
        isBigEndian = encoding == .utf16BigEndian
    }

    mutating func readByte() -> UInt8? { rest.popFirst() }

    /// Reads Latin-1 text up to and including a zero.
    mutating func readLatin1() -> String {
        let bytes = rest.prefix { $0 != 0 }
        rest = rest.dropFirst(bytes.count + 1)
        return TagText.latin1(bytes)
    }

    /// Skips bytes, for example a language code.
    mutating func skip(_ count: Int) { rest = rest.dropFirst(count) }

    /// Reads text up to a zero or the end of the frame.
    mutating func readText() -> String {
        guard encoding.isWide else {
            let bytes = rest.prefix { $0 != 0 }
            rest = rest.dropFirst(bytes.count + 1)
            return encoding == .utf8 ? TagText.decode(bytes) : TagText.latin1(bytes)
        }
        var end = rest.startIndex
        while end + 1 < rest.endIndex, rest[end] != 0 || rest[end + 1] != 0 { end += 2 }
        let bytes = end + 1 < rest.endIndex ? rest[..<end] : rest
        rest = rest.dropFirst(bytes.count + 2)
        if bytes.starts(with: [0xFF, 0xFE]) { isBigEndian = false }
        if bytes.starts(with: [0xFE, 0xFF]) { isBigEndian = true }
        return TagText.utf16(bytes, isBigEndian: isBigEndian)
    }

    /// Reads all remaining texts.
    ///
    /// - Parameter keepsEmpty: Whether to keep empty ones, as in pairs.
    mutating func readTexts(keepsEmpty: Bool = false) -> [String] {
        var texts: [String] = []
        while !rest.isEmpty {
            let text = readText()
            if keepsEmpty || !text.isEmpty { texts.append(text) }
        }
        return texts
    }
}
