// SPDX-License-Identifier: Apache-2.0

import Foundation
import ILBCCodec
import TestSupport
import Testing

/// Comparisons with FFmpeg, which uses 16-bit arithmetic.
///
/// Its rounded cosines move narrow resonances by 1 to 3 Hz, so that no sample is equal. A wrong tap order in one filter costs 8 dB.
@Suite struct FFmpegTests {
    let ffmpeg: FFmpegDecoder

    init() throws { ffmpeg = try FFmpegDecoder() }

    @Test("Agrees with FFmpeg on our 40 s streams", arguments: selectedCases(ILBCMode.allCases, [UInt64(1), 2]))
    func speechLike(mode: ILBCMode, seed: UInt64) throws {
        let frames = try mode.encode(SpeechLikeSignal.mixed(320_000, seed: seed))
        let agreement = try ffmpeg.agreement(on: frames, mode: mode)
        #expect(agreement.sampleCounts.0 == agreement.sampleCounts.1)
        // Measured: 39 to 41 dB.
        #expect(agreement.all > 37, "seed \(seed): \(agreement.all) dB")
    }

    @Test("Agrees with FFmpeg on PJSIP streams", arguments: ILBCMode.allCases)
    func otherEncoder(mode: ILBCMode) throws {
        let frames = try PJSIPVectors.frames(mode: mode)
        #expect(frames.count == 2400 / mode.milliseconds)
        #expect(try ffmpeg.agreement(on: frames, mode: mode).all > 37)
    }

    @Test(
        "Agrees with FFmpeg for random states, positions, codebook indices and gains", arguments: ILBCMode.allCases,
        [UInt64(3), 4])
    func allIndices(mode: ILBCMode, seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let frames = (0..<600).map { _ in
            var frame = RandomFrames.valid(mode: mode, random: &random)
            // The mean of speech has no narrow resonance.
            frame.stateScale = Int.random(in: 20...40, using: &random)
            for set in 0..<mode.lsfSetCount { LSFQuantizer.quantize(LSFTables.mean, set: set, into: &frame) }
            return frame.packed()
        }
        let agreement = try ffmpeg.agreement(on: frames, mode: mode)
        #expect(agreement.all > 31, "seed \(seed): \(agreement.all) dB")
        let least = agreement.frames.min() ?? 0
        #expect(least > 18, "seed \(seed): \(least) dB in frame \(agreement.frames.firstIndex(of: least) ?? 0)")
    }

    @Test("Agrees with FFmpeg on random frames, also with unordered frequencies", arguments: ILBCMode.allCases, [UInt64(5), 6])
    func randomFrames(mode: ILBCMode, seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let frames = (0..<600).map { _ in
            var frame = RandomFrames.valid(mode: mode, random: &random)
            // Above the rounding to integers, below saturation.
            frame.stateScale = Int.random(in: 20...40, using: &random)
            return frame.packed()
        }
        let agreement = try ffmpeg.agreement(on: frames, mode: mode)
        #expect(agreement.all > 19, "seed \(seed): \(agreement.all) dB")
        // The median separates a wrong rule from a narrow resonance.
        #expect(agreement.frames.sorted()[agreement.frames.count / 2] > 30, "seed \(seed)")
    }
}
