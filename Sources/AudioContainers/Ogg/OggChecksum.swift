// SPDX-License-Identifier: Apache-2.0

/// The checksum of Ogg pages: a CRC of 32 bits, most significant bit first, from 0 and not inverted (RFC 3533 6).
package enum OggChecksum {
    /// The remainders of all bytes.
    private static let table: [UInt32] = (0..<256).map { byte in
        (0..<8).reduce(UInt32(byte) << 24) { value, _ in value & 0x8000_0000 == 0 ? value << 1 : value << 1 ^ 0x04C1_1DB7 }
    }

    /// Returns the checksum of bytes, continued from that of earlier ones.
    package static func value(_ bytes: some Sequence<UInt8>, continuing start: UInt32 = 0) -> UInt32 {
        let table = table
        return bytes.reduce(start) { value, byte in value << 8 ^ table[Int(value >> 24 ^ UInt32(byte))] }
    }
}
