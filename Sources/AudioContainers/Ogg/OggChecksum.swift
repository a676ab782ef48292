// SPDX-License-Identifier: Apache-2.0

/// The checksum of Ogg pages: a 32-bit CRC, MSB first, with initial value 0 and no final inversion (RFC 3533, 6).
package enum OggChecksum {
    /// The remainders of all byte values, followed by 0, 1, 2 and 3 zero bytes, so that four bytes need one step.
    private static let table: [UInt32] = {
        var table = (0..<256).map { byte in
            (0..<8).reduce(UInt32(byte) << 24) { value, _ in value & 0x8000_0000 == 0 ? value << 1 : value << 1 ^ 0x04C1_1DB7 }
        }
        for index in 256..<1024 {
            let value = table[index - 256]
            table.append(value << 8 ^ table[Int(value >> 24)])
        }
        return table
    }()

    /// Returns the checksum of `bytes`, continued from `start`.
    package static func value(_ bytes: Span<UInt8>, continuing start: UInt32 = 0) -> UInt32 {
        let table = table
        let remainders = table.span
        var value = start
        var index = 0
        while bytes.count - index >= 4 {
            value ^= UInt32(bytes[index]) << 24 | UInt32(bytes[index + 1]) << 16
            value ^= UInt32(bytes[index + 2]) << 8 | UInt32(bytes[index + 3])
            let high = remainders[Int(768 + (value >> 24))] ^ remainders[Int(512 + (value >> 16 & 255))]
            value = high ^ remainders[Int(256 + (value >> 8 & 255))] ^ remainders[Int(value & 255)]
            index += 4
        }
        while index < bytes.count {
            value = value << 8 ^ remainders[Int(value >> 24 ^ UInt32(bytes[index]))]
            index += 1
        }
        return value
    }
}
