// SPDX-License-Identifier: Apache-2.0

import AACCodec
import AudioPrimitives
import TestSupport
import Testing
import TransformCoding

/// Half of the smallest thread stack is reserved for callers.
@Suite(.enabled(if: StackDepth.isOptimized))
struct StackDepthTests {
    struct Format: CustomTestStringConvertible {
        var profile: AACProfile
        var channelCount: Int
        var testDescription: String { "\(profile), \(channelCount) channels" }
    }

    static let formats = [
        Format(profile: .lowComplexity, channelCount: 1), Format(profile: .lowComplexity, channelCount: 2),
        Format(profile: .lowComplexity, channelCount: 8), Format(profile: .highEfficiency, channelCount: 1),
        Format(profile: .highEfficiency, channelCount: 8), Format(profile: .highEfficiencyV2, channelCount: 2),
    ]

    @Test(
        "Encoder and decoder run on half of the smallest thread stack",
        arguments: formats, [AACEncoderConfiguration.Effort.fast, .best])
    func codec(format: Format, effort: AACEncoderConfiguration.Effort) throws {
        var damage: [CodecError] = []
        let depth = try StackDepth.measure {
            var configuration = AACEncoderConfiguration(sampleRate: 48_000, channelCount: format.channelCount)
            configuration.profile = format.profile
            configuration.settings.effort = effort
            let encoder = try AACEncoder(configuration)
            let decoder = try AACDecoder(encoder.audioSpecificConfig)
            var output = PCMBuffer(sampleRate: 48_000, channelCount: format.channelCount, frameCapacity: decoder.framesPerPacket)
            func decode(_ accessUnit: AccessUnit) {
                if let error = decoder.decode(accessUnit.payload.span, into: &output).damage { damage.append(error) }
            }
            try encoder.encode(Self.attacks(channelCount: format.channelCount), decode)
            _ = encoder.finish(decode)
            // Lost and damaged access units are concealed.
            _ = decoder.conceal(into: &output)
            _ = decoder.decode([0xFF, 0xFF, 0xFF].span, into: &output)
            encoder.reset()
            decoder.reset()
        }
        #expect(damage.isEmpty)
        #expect(depth <= StackDepth.minimumThreadStack / 2)
    }

    /// Returns a third of a second of noise with attacks, which causes long and short windows.
    static func attacks(channelCount: Int) -> PCMBuffer {
        var random = SeededRandom(seed: 15)
        var buffer = PCMBuffer(sampleRate: 48_000, channelCount: channelCount, frameCapacity: 16_000)
        buffer.frameCount = 16_000
        for index in 0..<buffer.samples.count {
            buffer.samples[index] = Float.random(in: -1...1, using: &random) * (index % 5000 < 200 ? 0.8 : 0.02)
        }
        return buffer
    }
}
