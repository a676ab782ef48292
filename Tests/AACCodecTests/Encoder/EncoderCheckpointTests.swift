// SPDX-License-Identifier: Apache-2.0

import AACCodec
import AudioPrimitives
import TestSupport
import Testing
import TransformEncoding

@Suite struct EncoderCheckpointTests {
    struct Setting: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let configuration: AACEncoderConfiguration

        /// Creates a setting for two channels at 48 kHz.
        init(_ name: String, _ rate: AACEncoderConfiguration.RateControl, _ change: (inout AACEncoderConfiguration) -> Void = { _ in }) {
            testDescription = name
            var configuration = AACEncoderConfiguration(sampleRate: 48_000, channelCount: 2, rateControl: rate, effort: .fast)
            change(&configuration)
            self.configuration = configuration
        }
    }

    /// Rate controls, profiles and efforts.
    static let settings = [
        Setting("average", .average(bitRate: 96_000)), Setting("constant", .constant(bitRate: 96_000)),
        Setting("variable", .variable(quality: 50)),
        Setting("constant, low delay", .constant(bitRate: 96_000)) { $0.settings.lowDelay = true },
        Setting("average, balanced", .average(bitRate: 64_000)) { $0.settings.effort = .balanced },
        Setting("constant, best", .constant(bitRate: 96_000)) { $0.settings.effort = .best },
        Setting("average, best", .average(bitRate: 96_000)) { $0.settings.effort = .best },
        Setting("HE-AAC", .average(bitRate: 48_000)) { $0.profile = .highEfficiency },
        Setting("HE-AAC, constant", .constant(bitRate: 48_000)) { $0.profile = .highEfficiency },
        Setting("HE-AAC v2", .average(bitRate: 32_000)) { $0.profile = .highEfficiencyV2 },
        Setting("AAC-LD", .constant(bitRate: 96_000)) { $0.profile = .lowDelay },
        Setting("AAC-ELD", .average(bitRate: 64_000)) { $0.profile = .enhancedLowDelay },
        Setting("AAC-ELD, SBR at dual rate", .constant(bitRate: 48_000)) {
            $0.profile = .enhancedLowDelay
            $0.settings.lowDelaySBR = .dualRate
        },
    ]

    @Test(
        "Resuming from a checkpoint produces the same access units, for any rate control",
        arguments: settings.selectedCases)
    func goesOn(setting: Setting) throws {
        let first = try AACEncoder(setting.configuration)
        let segment = first.segments.length * first.framesPerPacket
        var samples = StreamSegmentsTests.sound(segment * 5 / 2, from: 0, seed: 11)
        // Equal channels, which have more bands, then silence, where retained state decides.
        for frame in segment / 4..<segment / 2 { samples[2 * frame + 1] = samples[2 * frame] }
        for frame in samples.count / 2 - 3 * first.framesPerPacket..<samples.count / 2 {
            (samples[2 * frame], samples[2 * frame + 1]) = (0, 0)
        }
        let format = PCMFormat(.int16, channelCount: 2)
        var accessUnits: [[UInt8]] = []
        var checkpoints: [EncoderCheckpoint] = []
        try first.encode(samples.span.bytes, format: format) { accessUnitIndex in
            accessUnits.append(accessUnitIndex.payload)
            if let checkpoint = first.checkpoint, checkpoint != checkpoints.last { checkpoints.append(checkpoint) }
        }
        let end = first.finish { accessUnits.append($0.payload) }
        for checkpoint in checkpoints.dropFirst() {
            let second = try AACEncoder(setting.configuration)
            let start = try #require(second.start(at: checkpoint))
            var rest: [[UInt8]] = []
            try second.encode(Array(samples.dropFirst(2 * start)).span.bytes, format: format) { rest.append($0.payload) }
            #expect(second.finish { rest.append($0.payload) } == end)
            #expect(rest == Array(accessUnits.dropFirst(checkpoint.accessUnitIndex)), "from unit \(checkpoint.accessUnitIndex) on")
        }
        #expect(checkpoints.map(\.accessUnitIndex) == [0, 256, 512])
    }

    @Test("A checkpoint of another configuration is rejected, and the stream restarts")
    func refusals() throws {
        let configuration = AACEncoderConfiguration(
            sampleRate: 48_000, channelCount: 2, rateControl: .constant(bitRate: 96_000), effort: .fast)
        let samples = StreamSegmentsTests.sound(8_000, from: 0, seed: 5)
        let format = PCMFormat(.int16, channelCount: 2)
        let expected = try AACEncoder(configuration).encode(samples.span.bytes, format: format)
        func checkpoint(
            accessUnitIndex: Int = 256, log2NoiseScale: Float = -4, bitSurplus: Double = 100, accountedFrames: Int = 256,
            log2BitsPerEntropy: Float = 0.2
        ) -> EncoderCheckpoint {
            EncoderCheckpoint(
                accessUnitIndex: accessUnitIndex, log2NoiseScale: log2NoiseScale, bitSurplus: bitSurplus, accountedFrames: accountedFrames,
                log2BitsPerEntropy: log2BitsPerEntropy)
        }
        #expect(try AACEncoder(configuration).start(at: checkpoint()) != nil)
        let wrong = [
            checkpoint(accessUnitIndex: 0), checkpoint(accessUnitIndex: -256), checkpoint(accessUnitIndex: 255),
            checkpoint(accessUnitIndex: .max), checkpoint(accessUnitIndex: .max - 255),
            checkpoint(accessUnitIndex: .min), checkpoint(log2NoiseScale: .nan), checkpoint(log2NoiseScale: 21),
            checkpoint(bitSurplus: .nan),
            checkpoint(bitSurplus: .infinity), checkpoint(bitSurplus: 1e6), checkpoint(bitSurplus: -1e6), checkpoint(accountedFrames: -1),
            checkpoint(log2BitsPerEntropy: .infinity), checkpoint(log2BitsPerEntropy: 1e9),
        ]
        for checkpoint in wrong {
            let encoder = try AACEncoder(configuration)
            #expect(encoder.start(at: checkpoint) == nil, "\(checkpoint)")
            #expect(try encoder.encode(samples.span.bytes, format: format) == expected)
        }
    }
}
