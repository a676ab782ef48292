// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// The recognition of the header of a FLAC frame, by its checksum too (RFC 9639, 9.1).
enum FLACFrameHeader {
    /// The most bytes of a header.
    static let largestByteCount = 16

    /// Returns whether bytes begin with a header of a frame with so many channels.
    static func isHeader(_ bytes: ArraySlice<UInt8>, channelCount: Int) -> Bool {
        let first = bytes.startIndex
        guard bytes.count >= 6, bytes[first] == 0xFF, bytes[first + 1] & 0xFE == 0xF8 else { return false }
        let (blockSize, rate) = (bytes[first + 2] >> 4, bytes[first + 2] & 15)
        let (channels, bits) = (Int(bytes[first + 3] >> 4), bytes[first + 3] >> 1 & 7)
        guard blockSize != 0, rate != 15, bits != 3, bytes[first + 3] & 1 == 0, channels <= 10,
            (channels < 8 ? channels + 1 : 2) == channelCount
        else { return false }
        // The number of the frame, coded as in UTF-8, and the block size and the rate that have no code.
        let number = numberLength(bytes[first + 4])
        let length = 4 + number + (blockSize == 6 ? 1 : blockSize == 7 ? 2 : 0) + (rate == 12 ? 1 : rate == 13 || rate == 14 ? 2 : 0)
        guard number > 0, bytes.count > length else { return false }
        return checksum(bytes[first..<first + length]) == bytes[first + length]
    }

    /// Returns the bytes of a number by its first; 0 for one that no number begins with.
    private static func numberLength(_ byte: UInt8) -> Int {
        switch (~byte).leadingZeroBitCount {
        case 0: 1
        case 2...7: (~byte).leadingZeroBitCount
        default: 0
        }
    }

    /// Returns the checksum of 8 bits with the polynomial x⁸ + x² + x + 1.
    private static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt8 {
        bytes.reduce(0) { sum, byte in
            (0..<8).reduce(sum ^ byte) { value, _ in value & 0x80 != 0 ? value << 1 ^ 7 : value << 1 }
        }
    }
}
