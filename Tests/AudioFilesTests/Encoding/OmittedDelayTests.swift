// SPDX-License-Identifier: Apache-2.0

import AACCodec
import AudioContainers
import AudioFiles
import AudioPrimitives
import Foundation
import TestSupport
import Testing

/// Streams that start with the first input sample.
@Suite struct OmittedDelayTests {
    /// Returns the signal-to-noise ratio of a decoded signal that is delayed by `lag` frames, in decibels.
    private func ratio(_ signal: [Float], _ decoded: [Float], from start: Int, lag: Int = 0) -> Double {
        signalToNoise(signal[start..<signal.count - 64], decoded[(start + lag)...])
    }

    @Test(
        arguments: [
            (AACProfile.lowComplexity, false, "a.aac", 20.0), (.lowComplexity, true, "a.aac", 20), (.lowComplexity, false, "a.loas", 20),
            (.lowComplexity, false, "a.ts", 20), (.highEfficiency, false, "a.aac", 6), (.highEfficiencyV2, false, "a.aac", 3),
        ] as [(AACProfile, Bool, String, Double)])
    func `The first decoded frame is the first of the input`(profile: AACProfile, lowDelay: Bool, name: String, least: Double) throws {
        let folder = try TemporaryFolder()
        // Both channels are identical, because parametric stereo does not preserve each waveform.
        let mono = ChordFile(sampleRate: 32_000, channelCount: 1, frameCount: 40_000)
        var stereo: [UInt8] = []
        for index in stride(from: 0, to: mono.bytes.count, by: 2) {
            let sample = mono.bytes[index..<index + 2]
            stereo += sample
            stereo += sample
        }
        let input = try folder.write(stereo, to: "in.pcm")
        var configuration = ChordFile(sampleRate: 32_000, frameCount: 0).configuration
        configuration.settings.profile = profile
        configuration.settings.lowDelay = lowDelay
        configuration.settings.rateControl = .average(bitRate: profile == .lowComplexity ? 128_000 : 48_000)
        configuration.omitsDelay = true
        let summary = try FileEncoder(input: input, output: folder.path(name), configuration: configuration).run()
        #expect(summary.gapless.primingFrames == 0)
        let decoded = try #require(try decodedChannels(folder.path(name)).first)
        let length = profile == .lowComplexity ? 1024 : 2048
        #expect(decoded.count == (40_000 + length - 1) / length * length)
        let signal = (0..<40_000).map { frame in
            let (low, high) = (Int(mono.bytes[2 * frame]), Int(Int8(bitPattern: mono.bytes[2 * frame + 1])))
            return Float(high * 256 + low) / 32_768
        }
        let aligned = ratio(signal, decoded, from: 2 * length)
        #expect(aligned > least, "\(aligned) dB")
        for lag in [-3, -2, -1, 1, 2, 3] { #expect(ratio(signal, decoded, from: 2 * length, lag: lag) < aligned) }
    }

    @Test func `Output does not depend on the number of threads`() throws {
        let folder = try TemporaryFolder()
        let chord = ChordFile(frameCount: 300_000)
        let input = try folder.write(chord.bytes, to: "in.pcm")
        var outputs: [[UInt8]] = []
        for threadCount in [1, 2] {
            var configuration = chord.configuration
            (configuration.omitsDelay, configuration.threadCount) = (true, threadCount)
            _ = try FileEncoder(input: input, output: folder.path("a.aac"), configuration: configuration).run()
            outputs.append(try bytes(ofFile: folder.path("a.aac")))
        }
        #expect(outputs[0] == outputs[1])
    }
}
