// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// Writes a 16-bit stereo WAVE file of the music-like signal block by block, to keep this program small.
func writeMusic(to path: String, seconds: Int) -> Bool {
    guard let file = fopen(path, "wb") else { return false }
    defer { fclose(file) }
    let frames = seconds * MusicLikeSignal.sampleRate
    var header: [UInt8] = Array("RIFF".utf8) + littleEndian(UInt32(36 + 4 * frames)) + Array("WAVEfmt ".utf8)
    header += littleEndian(UInt32(16)) + littleEndian(UInt16(1)) + littleEndian(UInt16(2))
    header += littleEndian(UInt32(MusicLikeSignal.sampleRate)) + littleEndian(UInt32(4 * MusicLikeSignal.sampleRate))
    header += littleEndian(UInt16(4)) + littleEndian(UInt16(16)) + Array("data".utf8) + littleEndian(UInt32(4 * frames))
    guard fwrite(header, 1, header.count, file) == header.count else { return false }

    var signal = MusicLikeSignal()
    var samples = [Float](repeating: 0, count: 2 * 4800)
    var integers = [Int16](repeating: 0, count: samples.count)
    for _ in 0..<frames / 4800 {
        signal.fill(&samples)
        for index in samples.indices {
            integers[index] = Int16(max(-32768, min(32767, (samples[index] * 32768).rounded()))).littleEndian
        }
        guard fwrite(integers, 2, integers.count, file) == integers.count else { return false }
    }
    return true
}

private func littleEndian(_ value: some FixedWidthInteger) -> [UInt8] {
    (0..<value.bitWidth / 8).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
}
