// SPDX-License-Identifier: Apache-2.0

/// The encodings of text in tags.
package enum TagText {
    /// Returns bytes as text: UTF-8, or Latin 1 if they are not.
    package static func decode(_ bytes: some Collection<UInt8>) -> String {
        String(validating: bytes, as: UTF8.self) ?? latin1(bytes)
    }

    /// Returns bytes as text of Latin 1 (ISO 8859-1).
    package static func latin1(_ bytes: some Sequence<UInt8>) -> String {
        String(String.UnicodeScalarView(bytes.map { UnicodeScalar($0) }))
    }

    /// Returns the bytes of a text in Latin 1; nil if it has other characters.
    static func latin1Bytes(_ text: String) -> [UInt8]? {
        let bytes = text.unicodeScalars.map { UInt8(exactly: $0.value) }
        return bytes.contains(nil) ? nil : bytes.compactMap { $0 }
    }

    /// Returns bytes as text of UTF-16; a byte order mark decides the order, which is otherwise that given.
    package static func utf16(_ bytes: ArraySlice<UInt8>, isBigEndian: Bool) -> String {
        var (bytes, isBigEndian) = (bytes, isBigEndian)
        if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
            isBigEndian = bytes.first == 0xFE
            bytes = bytes.dropFirst(2)
        }
        let units = stride(from: bytes.startIndex, to: bytes.endIndex - 1, by: 2).map { index in
            let unit = UInt16(bytes[index]) << 8 | UInt16(bytes[index + 1])
            return isBigEndian ? unit : unit.byteSwapped
        }
        return String(decoding: units, as: UTF16.self)
    }

    /// Returns a text without spaces, line ends and zeros before and after it.
    static func trimmed(_ text: some StringProtocol) -> String {
        let bytes = text.utf8.drop { $0 <= 0x20 }.reversed().drop { $0 <= 0x20 }.reversed()
        return String(decoding: bytes, as: UTF8.self)
    }
}
