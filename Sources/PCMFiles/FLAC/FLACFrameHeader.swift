// SPDX-License-Identifier: Apache-2.0

/// A FLAC frame header with a valid checksum (RFC 9639, 9.1).
package struct FLACFrameHeader: Equatable {
    package static let maximumByteCount = 16

    /// Whether frames differ in length and ``number`` counts sample frames.
    ///
    /// Otherwise it counts frames.
    let isVariable: Bool
    /// The number of sample frames.
    let blockSize: Int
    /// The sample rate, in hertz, or `nil` for the stream's.
    let sampleRate: Int?
    let channelCount: Int
    /// The bits per sample, or `nil` for the stream's.
    let bitsPerSample: Int?
    /// The number of the frame or of its first sample frame.
    package let number: Int

    /// Parses a header at the start of `bytes`, or returns `nil` if it is not one.
    package init?(_ bytes: ArraySlice<UInt8>) {
        let first = bytes.startIndex
        guard bytes.count >= 6, bytes[first] == 0xFF, bytes[first + 1] & 0xFE == 0xF8 else { return nil }
        let (sizeCode, rateCode) = (Int(bytes[first + 2] >> 4), Int(bytes[first + 2] & 15))
        let (channels, bitsCode) = (Int(bytes[first + 3] >> 4), Int(bytes[first + 3] >> 1 & 7))
        guard sizeCode != 0, rateCode != 15, bitsCode != 3, bytes[first + 3] & 1 == 0, channels <= 10 else { return nil }
        // The frame number, coded as in UTF-8, then block size and sample rate if they have no code.
        let numberByteCount = Self.numberLength(bytes[first + 4])
        let sizeByteCount = sizeCode == 6 ? 1 : sizeCode == 7 ? 2 : 0
        let rateByteCount = rateCode == 12 ? 1 : rateCode == 13 || rateCode == 14 ? 2 : 0
        let sizeStart = first + 4 + numberByteCount
        let end = sizeStart + sizeByteCount + rateByteCount
        guard numberByteCount > 0, bytes.endIndex > end, Self.checksum(bytes[first..<end]) == bytes[end] else { return nil }
        /// Returns a big-endian number.
        func value(_ range: Range<Int>) -> Int { bytes[range].reduce(0) { $0 << 8 | Int($1) } }
        isVariable = bytes[first + 1] & 1 == 1
        channelCount = channels < 8 ? channels + 1 : 2
        bitsPerSample = [nil, 8, 12, nil, 16, 20, 24, 32][bitsCode]
        let lead = numberByteCount == 1 ? Int(bytes[first + 4]) : Int(bytes[first + 4]) & (0x7F >> numberByteCount)
        number = bytes[first + 5..<sizeStart].reduce(lead) { $0 << 6 | Int($1 & 0x3F) }
        blockSize =
            switch sizeCode {
            case 1: 192
            case 2...5: 576 << (sizeCode - 2)
            case 6, 7: value(sizeStart..<sizeStart + sizeByteCount) + 1
            default: 256 << (sizeCode - 8)
            }
        let stated = value(sizeStart + sizeByteCount..<end)
        sampleRate =
            switch rateCode {
            case 0: nil
            case 12: stated * 1000
            case 13: stated
            case 14: stated * 10
            default: Self.sampleRates[rateCode - 1]
            }
    }

    /// Whether this frame can directly follow another one in the same stream.
    func follows(_ other: FLACFrameHeader) -> Bool {
        isVariable == other.isVariable && sampleRate == other.sampleRate && channelCount == other.channelCount
            && bitsPerSample == other.bitsPerSample && number == other.number + (isVariable ? other.blockSize : 1)
    }

    /// The sample rates with codes, starting at code 1.
    private static let sampleRates = [88_200, 176_400, 192_000, 8000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 96_000]

    /// Returns the number of bytes of a coded number by its first byte, or 0 if that is invalid.
    private static func numberLength(_ byte: UInt8) -> Int {
        switch (~byte).leadingZeroBitCount {
        case 0: 1
        case 2...7: (~byte).leadingZeroBitCount
        default: 0
        }
    }

    /// Returns the CRC-8 with polynomial x⁸ + x² + x + 1.
    private static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt8 {
        bytes.reduce(0) { sum, byte in
            (0..<8).reduce(sum ^ byte) { value, _ in value & 0x80 != 0 ? value << 1 ^ 7 : value << 1 }
        }
    }
}
