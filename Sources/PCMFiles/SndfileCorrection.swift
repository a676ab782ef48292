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
        let byteCount = frameCount * format.bytesPerFrame
        if format.file == .aiff, byteCount % 2 == 1 { try correctAIFF(file, frameCount: frameCount, byteCount: byteCount) }
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
