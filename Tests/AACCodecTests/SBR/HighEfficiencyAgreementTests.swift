// SPDX-License-Identifier: Apache-2.0

import AACCodec
import Foundation
import TestSupport
import Testing
import TransformCoding

/// Decodes random HE-AAC streams with this library and with FFmpeg: two decoders that share only the standard.
@Suite struct HighEfficiencyAgreementTests {
    /// The signal-to-difference ratio in decibels, without the first frames, where decoders start differently.
    static func agreement(_ stream: RandomHighEfficiencyStream) throws -> Double {
        let ffmpeg = try ProgramRun.require("ffmpeg")
        let folder = try TemporaryFolder()
        let path = try folder.write(stream.adts, to: "stream.aac")
        let run = try ProgramRun(ffmpeg, ["-v", "error", "-i", path, "-f", "f32le", "-c:a", "pcm_f32le", "-ac", "2", "-"])
        let expected = [Float](littleEndian: run.output)
        let decoded = try stream.decoded()
        #expect(expected.count == 2 * decoded[0].count)
        var energy = 0.0
        var error = 0.0
        for frame in 8192..<min(decoded[0].count, expected.count / 2) {
            for channel in 0..<2 {
                let value = Double(expected[2 * frame + channel])
                let difference = Double(decoded[channel][frame]) - value
                energy += value * value
                error += difference * difference
            }
        }
        return 10 * log10(energy / max(error, 1e-30))
    }

    @Test(arguments: [(1, 24_000), (2, 16_000), (2, 22_050), (1, 12_000), (2, 24_000), (1, 16_000)].selectedCases)
    func `random payloads decode as in FFmpeg`(channelCount: Int, coreRate: Int) throws {
        for seed in UInt64(0)..<3 {
            let stream = RandomHighEfficiencyStream(
                seed: 100 * seed + UInt64(coreRate), channelCount: channelCount, coreRate: coreRate, options: .init())
            let agreement = try Self.agreement(stream)
            #expect(agreement > 115, "seed \(seed), rate \(coreRate)")
        }
    }

    @Test(arguments: [(1, 22_050), (2, 24_000)])
    func `consecutive random headers decode as in FFmpeg`(channelCount: Int, coreRate: Int) throws {
        let stream = RandomHighEfficiencyStream(
            seed: 5, channelCount: channelCount, coreRate: coreRate, options: .init(frameCount: 60, headerPeriod: 5))
        let agreement = try Self.agreement(stream)
        #expect(agreement > 100, "rate \(coreRate)")
    }

    @Test(arguments: [[0], [1], [3], [4], [1, 4, 0], [2], [5], [1, 2, 5, 4]].selectedCases)
    func `random stereo parameters decode as in FFmpeg`(modes: [Int]) throws {
        let stream = RandomHighEfficiencyStream(
            seed: 9, channelCount: 1, coreRate: 22_050, options: .init(stereoModes: modes))
        let agreement = try Self.agreement(stream)
        #expect(agreement > 100, "modes \(modes)")
    }
}
