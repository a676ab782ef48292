// SPDX-License-Identifier: Apache-2.0

package enum TagText {
    /// Decodes UTF-8 text, or Latin-1 if the bytes are not valid UTF-8.
    package static func decode(_ bytes: some Collection<UInt8>) -> String {
        String(validating: bytes, as: UTF8.self) ?? latin1(bytes)
    }

    /// Decodes Latin-1 text (ISO 8859-1).
    package static func latin1(_ bytes: some Sequence<UInt8>) -> String {
        String(String.UnicodeScalarView(bytes.map { UnicodeScalar($0) }))
    }

    /// Encodes a text in Latin-1, or returns `nil` if it has other characters.
    static func latin1Bytes(_ text: String) -> [UInt8]? {
        let bytes = text.unicodeScalars.map { UInt8(exactly: $0.value) }
        return bytes.contains(nil) ? nil : bytes.compactMap { $0 }
    }

    /// Decodes UTF-16 text, in the byte order of its byte order mark or else the given one.
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

    /// Removes leading and trailing spaces, line breaks and zeros.
    static func trimmed(_ text: some StringProtocol) -> String {
        let bytes = text.utf8.drop { $0 <= 0x20 }.reversed().drop { $0 <= 0x20 }.reversed()
        return String(decoding: bytes, as: UTF8.self)
    }
}
