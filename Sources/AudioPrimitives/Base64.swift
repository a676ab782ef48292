// SPDX-License-Identifier: Apache-2.0

/// Base64 encoding and decoding (RFC 4648 4).
package enum Base64 {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    /// The value of each byte in the alphabet.
    private static let values = (UInt8.min...UInt8.max).map { alphabet.firstIndex(of: $0) }
    private static let padding = UInt8(ascii: "=")

    /// Encodes bytes as text, padded to a multiple of four characters.
    package static func encode(_ bytes: [UInt8]) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
            for index in 0..<4 { text.append(index <= group.count ? alphabet[bits >> (18 - 6 * index) & 63] : padding) }
        }
        return text
    }

    package static func string(_ bytes: [UInt8]) -> String { String(decoding: encode(bytes), as: UTF8.self) }

    /// Decodes text, or returns `nil` if it has characters outside the alphabet or after padding.
    package static func decode(_ text: some Sequence<UInt8>) -> [UInt8]? {
        var bytes: [UInt8] = []
        var bits = 0
        var bitCount = 0
        var isPadded = false
        for character in text {
            if character == padding {
                isPadded = true
                continue
            }
            guard !isPadded, let value = values[Int(character)] else { return nil }
            bits = bits << 6 | value
            bitCount += 6
            if bitCount >= 8 {
                bitCount -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> bitCount))
                bits &= (1 << bitCount) - 1
            }
        }
        return bytes
    }
}
