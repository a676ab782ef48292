// SPDX-License-Identifier: Apache-2.0

/// The encodings of text in tags.
package enum TagText {
    /// Returns bytes as text: UTF-8, or Latin 1 if they are not.
    package static func decode(_ bytes: some Collection<UInt8>) -> String {
        String(validating: bytes, as: UTF8.self) ?? latin1(bytes)
    }

    /// Returns bytes as text of Latin 1 (ISO 8859-1).
    package static func latin1(_ bytes: some Sequence<UInt8>) -> String {
        var text = String.UnicodeScalarView()
        for byte in bytes { text.append(UnicodeScalar(byte)) }
        return String(text)
    }

    /// Returns the bytes of a text in Latin 1; nil if it has other characters.
    static func latin1Bytes(_ text: String) -> [UInt8]? {
        var bytes: [UInt8] = []
        for scalar in text.unicodeScalars {
            guard let byte = UInt8(exactly: scalar.value) else { return nil }
            bytes.append(byte)
        }
        return bytes
    }

    /// Returns bytes as text of UTF-16; a byte order mark decides the order, which is otherwise that given.
    package static func utf16(_ bytes: ArraySlice<UInt8>, isBigEndian: Bool) -> String {
        var (bytes, isBigEndian) = (bytes, isBigEndian)
        if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
            isBigEndian = bytes.first == 0xFE
            bytes = bytes.dropFirst(2)
        }
        var units: [UInt16] = []
        units.reserveCapacity(bytes.count / 2)
        var index = bytes.startIndex
        while index + 1 < bytes.endIndex {
            let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
            units.append(isBigEndian ? first << 8 | second : second << 8 | first)
            index += 2
        }
        return String(decoding: units, as: UTF16.self)
    }

    /// Returns a text without spaces, line ends and zeros before and after it.
    static func trimmed(_ text: some StringProtocol) -> String {
        let bytes = text.utf8.drop { $0 <= 0x20 }.reversed().drop { $0 <= 0x20 }.reversed()
        return String(decoding: bytes, as: UTF8.self)
    }
}
