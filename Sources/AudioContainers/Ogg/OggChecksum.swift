// SPDX-License-Identifier: Apache-2.0

/// The checksum of Ogg pages: a 32-bit CRC, MSB first, with initial value 0 and no final inversion (RFC 3533, 6).
package enum OggChecksum {
    /// The remainders of all byte values.
    private static let table: [UInt32] = (0..<256).map { byte in
        (0..<8).reduce(UInt32(byte) << 24) { value, _ in value & 0x8000_0000 == 0 ? value << 1 : value << 1 ^ 0x04C1_1DB7 }
    }

    /// Returns the checksum of `bytes`, continued from `start`.
    package static func value(_ bytes: some Sequence<UInt8>, continuing start: UInt32 = 0) -> UInt32 {
        let table = table
        return bytes.reduce(start) { value, byte in value << 8 ^ table[Int(value >> 24 ^ UInt32(byte))] }
    }
}
