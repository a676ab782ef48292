// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A WAVE file with 32-bit floating-point or 16-bit samples.
struct WAVEFile {
    let sampleRate: Int
    let channels: [[Float]]

    /// Writes floating-point or 16-bit samples.
    func write(to path: String, is16Bit: Bool = false) throws {
        let size = is16Bit ? 2 : 4
        let frames = channels[0].count
        let byteCount = frames * channels.count * size
        var bytes = Array("RIFF".utf8) + littleEndian(UInt32(60 + byteCount)) + Array("WAVEfmt ".utf8) + littleEndian(UInt32(40))
        bytes += littleEndian(UInt16(0xFFFE)) + littleEndian(UInt16(channels.count)) + littleEndian(UInt32(sampleRate))
        bytes += littleEndian(UInt32(sampleRate * channels.count * size)) + littleEndian(UInt16(channels.count * size))
        bytes += littleEndian(UInt16(8 * size)) + littleEndian(UInt16(22)) + littleEndian(UInt16(8 * size))
        bytes += littleEndian(UInt32([1: 4, 2: 3, 6: 0x3F][channels.count] ?? 0))
        bytes += littleEndian(UInt16(is16Bit ? 1 : 3)) + [0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71]
        bytes += Array("data".utf8) + littleEndian(UInt32(byteCount))
        bytes.reserveCapacity(bytes.count + byteCount)
        for frame in 0..<frames {
            for channel in channels {
                if is16Bit {
                    let value = Int16(max(-32_768, min(32_767, (channel[frame] * 32_768).rounded())))
                    withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
                } else {
                    withUnsafeBytes(of: channel[frame].bitPattern.littleEndian) { bytes.append(contentsOf: $0) }
                }
            }
        }
        guard FileManager.default.createFile(atPath: path, contents: Data(bytes)) else { throw QualityError.cannotWrite(path: path) }
    }

    private func littleEndian(_ value: some FixedWidthInteger) -> [UInt8] {
        (0..<value.bitWidth / 8).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
}
