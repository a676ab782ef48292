// SPDX-License-Identifier: Apache-2.0

import AACCodec
import AudioFiles
import AudioPrimitives
import Foundation
import TestSupport
import Testing

/// Streams of FFmpeg's encoder, decoded by Linnet and by FFmpeg.
@Suite struct DecoderAgreementTests {
    /// Three seconds of chords with transients, as raw stereo 32-bit floats at 32 kHz.
    private func rawSound() -> [UInt8] {
        var random = SeededRandom(seed: 3)
        var bytes: [UInt8] = []
        for frame in 0..<96_000 {
            let time = Double(frame) / 32_000
            let attack = exp(-8 * time.truncatingRemainder(dividingBy: 0.4))
            let noise = Double.random(in: -1...1, using: &random) * attack * 0.3
            for channel in 0..<2 {
                let chord = sin(2 * .pi * 220 * time) + sin(2 * .pi * (554 + Double(channel)) * time) + sin(2 * .pi * 3333 * time) * 0.3
                let value = Float(0.2 * chord + noise)
                withUnsafeBytes(of: value.bitPattern.littleEndian) { bytes += $0 }
            }
        }
        return bytes
    }

    @Test(arguments: [
        ["-profile:a", "aac_low", "-aac_pns", "0"], ["-profile:a", "aac_main", "-aac_pns", "0"],
        ["-profile:a", "aac_ltp", "-aac_pns", "0"], ["-aac_pns", "0", "-b:a", "32k"], ["-aac_pns", "0", "-ac", "1"],
    ])
    func samplesAgreeWithFFmpeg(options: [String]) throws {
        let ffmpeg = try ProgramRun.require("ffmpeg")
        let folder = try TemporaryFolder()
        let raw = try folder.write(rawSound(), to: "sound.raw")
        let path = folder.path("sound.aac")
        let input = ["-v", "error", "-f", "f32le", "-ar", "32000", "-ac", "2", "-i", raw, "-strict", "-2", "-c:a", "aac"]
        let encoding = try ProgramRun(ffmpeg, input + options + [path])
        #expect(encoding.exitCode == 0, "\(encoding.errorText)")
        let expected = [Float](
            littleEndian: try ProgramRun(ffmpeg, ["-v", "error", "-i", path, "-f", "f32le", "-c:a", "pcm_f32le", "-"]).output)
        let decoder = try FileDecoder(path: path)
        var decoded: [Float] = []
        var buffer = PCMBuffer(sampleRate: 1, channelCount: 1, frameCapacity: 0)
        while try decoder.read(into: &buffer) {
            for frame in 0..<buffer.frameCount {
                for channel in 0..<buffer.channelCount { decoded.append(buffer.samples[channel * buffer.frameCapacity + frame]) }
            }
        }
        #expect(decoder.statistics.isIntact)
        #expect(decoded.count == expected.count)
        // ISO/IEC 14496-4: RMS error below 2^-15 / √12, maximum error below 2^-14. Two conforming decoders agree much better.
        let largest = zip(decoded, expected).reduce(Float(0)) { max($0, abs($1.0 - $1.1)) }
        #expect(largest < 0x1p-18)
    }
}
