// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives
internal import SystemFiles

/// Corrections of files that libsndfile 1.2 leaves wrong when it closes them.
enum SndfileCorrection {
    /// Corrects a file that has been closed by the library.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - format: Its format.
    ///   - frameCount: The sample frames that were written.
    static func apply(to file: OpenFile, _ format: PCMOutputFormat, frameCount: Int) throws(SystemFileError) {
        if format.file == .flac, frameCount == 0 { try file.overwrite(emptyFLAC(format), at: 0) }
        let byteCount = frameCount * format.bytesPerFrame
        if format.file == .aiff, byteCount % 2 == 1 { try correctAIFF(file, frameCount: frameCount, byteCount: byteCount) }
    }

    /// Returns a FLAC file without frames, for which the library writes nothing at all (RFC 9639, 8.2).
    private static func emptyFLAC(_ format: PCMOutputFormat) -> [UInt8] {
        let blockSize = 4096
        var bytes = Array("fLaC".utf8) + [0x80, 0, 0, 34]
        for _ in 0..<2 { bytes += [UInt8(blockSize >> 8), UInt8(blockSize & 0xFF)] }
        // No least and greatest size of a frame.
        bytes += [UInt8](repeating: 0, count: 6)
        let bits = UInt64(format.sampleRate) << 44 | UInt64(format.channelCount - 1) << 41 | UInt64(format.encoding.byteCount * 8 - 1) << 36
        bytes += (0..<8).map { UInt8(truncatingIfNeeded: bits >> (56 - 8 * $0)) }
        // The MD5 sum of no samples.
        return bytes + [
            0xD4, 0x1D, 0x8C, 0xD9, 0x8F, 0x00, 0xB2, 0x04, 0xE9, 0x80, 0x09, 0x98, 0xEC, 0xF8, 0x42, 0x7E,
        ]
    }

    /// Corrects the lengths of an AIFF file with an odd number of bytes, to which the library adds its padding byte.
    private static func correctAIFF(_ file: OpenFile, frameCount: Int, byteCount: Int) throws(SystemFileError) {
        let fileByteCount = try file.status().byteCount ?? 0
        var offset = 12
        while offset + 8 <= fileByteCount {
            let head = try file.bytes(in: offset..<offset + 8)
            guard head.count == 8 else { return }
            let length = head[4...].reduce(0) { $0 << 8 | Int($1) }
            switch String(decoding: head[0..<4], as: UTF8.self) {
            case "COMM": try file.overwrite(number(frameCount), at: offset + 10)
            // An offset and a block size come before the samples.
            case "SSND": try file.overwrite(number(byteCount + 8), at: offset + 4)
            default: break
            }
            offset += 8 + length + length & 1
        }
    }

    /// Returns the four bytes of a number, the highest first.
    private static func number(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) } }
}
