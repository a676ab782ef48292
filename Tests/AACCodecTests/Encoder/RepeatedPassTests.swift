// SPDX-License-Identifier: Apache-2.0

import AACCodec
import AudioPrimitives
import TestSupport
import Testing

@Suite struct RepeatedPassTests {
    private static func encoder(_ profile: AACProfile, log2NoiseScale: Float) throws -> AACEncoder {
        var configuration = AACEncoderConfiguration(
            sampleRate: 48_000, channelCount: 2, rateControl: .average(bitRate: 40_000), effort: .fast)
        configuration.profile = profile
        let encoder = try AACEncoder(configuration)
        encoder.setFixedNoiseScale(log2: log2NoiseScale)
        return encoder
    }

    /// Encodes whole frames of a signal from the start of the stream.
    private static func pass(_ encoder: AACEncoder, _ frameCount: Int, log2NoiseScale: Float) throws -> [[UInt8]] {
        encoder.setFixedNoiseScale(log2: log2NoiseScale)
        #expect(encoder.start(atUnit: 0) <= 0)
        let samples = StreamSegmentsTests.sound(frameCount * 2048, from: 0, seed: 5)
        var units = try encoder.encode(samples.span.bytes, format: PCMFormat(.int16, channelCount: 2)).map(\.payload)
        units += encoder.finish().accessUnits.map(\.payload)
        return units
    }

    @Test("A repeated pass yields the access units of a separate one", arguments: [AACProfile.highEfficiency, .highEfficiencyV2])
    func equal(profile: AACProfile) throws {
        let encoder = try Self.encoder(profile, log2NoiseScale: 0)
        encoder.keepPasses()
        for log2NoiseScale in [Float(1), -1, -1, 2] {
            let kept = try Self.pass(encoder, 4, log2NoiseScale: log2NoiseScale)
            let separate = try Self.pass(Self.encoder(profile, log2NoiseScale: 0), 4, log2NoiseScale: log2NoiseScale)
            #expect(kept == separate, "noise scale 2^\(log2NoiseScale)")
        }
    }

    @Test("A pass over another input is encoded", arguments: [AACProfile.highEfficiency, .highEfficiencyV2])
    func otherLength(profile: AACProfile) throws {
        let encoder = try Self.encoder(profile, log2NoiseScale: 0)
        encoder.keepPasses()
        for frameCount in [3, 2, 5, 4] {
            let expected = try Self.pass(Self.encoder(profile, log2NoiseScale: 0), frameCount, log2NoiseScale: 1).count
            #expect(try Self.pass(encoder, frameCount, log2NoiseScale: 1).count == expected, "\(frameCount) frames")
        }
    }
}
