// SPDX-License-Identifier: Apache-2.0

/// A text that DAB receivers display, for example a title (ETSI EN 300 401, 7.4.5.2).
public struct DynamicLabel: Hashable, Sendable {
    /// The character sets of labels (ETSI TS 101 756, Table 19).
    package enum CharacterSet: Int, Hashable, Sendable {
        /// The complete EBU Latin based repertoire.
        case ebuLatin = 0
        /// UCS-2, big-endian.
        case ucs2 = 6
        /// UTF-8.
        case utf8 = 15
    }

    package static let maximumByteCount = 128

    /// The encoded text.
    package let bytes: [UInt8]
    /// The number of the character set, 0 to 15.
    package let characterSetNumber: Int

    /// Creates a label from received data.
    package init(bytes: [UInt8], characterSetNumber: Int) {
        self.bytes = bytes
        self.characterSetNumber = characterSetNumber
    }

    /// Creates a label, encoded in EBU Latin if all characters are the same as in ASCII, otherwise in UTF-8.
    ///
    /// - Parameter text: The text, truncated to whole characters within 128 bytes.
    public init(_ text: String) {
        let all = Array(text.utf8)
        var count = min(all.count, Self.maximumByteCount)
        while count < all.count, all[count] & 0xC0 == 0x80 { count -= 1 }
        bytes = Array(all.prefix(count))
        let isPlain = bytes.allSatisfy { EBULatin.isASCII($0) }
        characterSetNumber = (isPlain ? CharacterSet.ebuLatin : .utf8).rawValue
    }

    package var characterSet: CharacterSet? { CharacterSet(rawValue: characterSetNumber) }

    /// The decoded text, in which an unknown character set is read as ASCII.
    public var text: String {
        switch characterSet {
        case .utf8: return String(decoding: bytes, as: UTF8.self)
        case .ucs2:
            let units = stride(from: 0, to: bytes.count - 1, by: 2).map { UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]) }
            return String(decoding: units, as: UTF16.self)
        case .ebuLatin: return String(decoding: bytes.map { EBULatin.codeUnit($0) }, as: UTF16.self)
        case nil: return String(decoding: bytes.map { $0 < 0x80 ? $0 : 0x3F }, as: UTF8.self)
        }
    }
}
