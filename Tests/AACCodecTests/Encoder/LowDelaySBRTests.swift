// SPDX-License-Identifier: Apache-2.0

import AACCodec
import AudioPrimitives
import MPEG4Audio
import TestSupport
import Testing
import TransformCoding
import TransformEncoding

/// Low delay SBR in the encoder, and the delays of all modes of AAC-LD and AAC-ELD.
@Suite struct LowDelaySBRTests {
    struct Mode: Sendable, CustomTestStringConvertible {
        var profile = AACProfile.enhancedLowDelay
        var sbr = LowDelaySBR.off
        var sampleRate = 48_000
        var channelCount = 1
        var frameLength = 512
        var bitRate = 64_000

        var testDescription: String { "\(profile) \(sbr) \(frameLength), \(sampleRate) Hz, \(channelCount) channels" }

        /// The documented delay including the framing of an access unit, in output sample frames.
        var promise: Int {
            switch (profile, sbr) {
            case (.lowDelay, _): 2 * frameLength
            case (_, .singleRate): 3 * frameLength / 2 + 32
            case (_, .dualRate): 3 * frameLength + 64
            default: 3 * frameLength / 2
            }
        }

        func configuration() -> AACEncoderConfiguration {
            var configuration = AACEncoderConfiguration(
                sampleRate: sampleRate, channelCount: channelCount, rateControl: .constant(bitRate: bitRate))
            configuration.profile = profile
            configuration.settings.lowDelaySBR = profile == .lowDelay ? .automatic : sbr
            configuration.settings.frameLength = frameLength
            return configuration
        }
    }

    /// All modes, and the SBR modes at every sample rate.
    static let delays: [Mode] = [512, 480].flatMap { length in
        [
            Mode(profile: .lowDelay, frameLength: length), Mode(frameLength: length),
            Mode(sbr: .singleRate, frameLength: length), Mode(sbr: .dualRate, frameLength: length),
            Mode(sbr: .singleRate, sampleRate: 16_000, frameLength: length, bitRate: 24_000),
            Mode(sbr: .dualRate, sampleRate: 32_000, channelCount: 2, frameLength: length, bitRate: 48_000),
        ]
    }

    /// Bursts of noise with mostly low frequencies.
    private static func bursts(_ count: Int, channelCount: Int, seed: UInt64) -> [Float] {
        var random = SeededRandom(seed: seed)
        var (samples, low): ([Float], Float) = ([], 0)
        for frame in 0..<count {
            low += 0.2 * (Float.random(in: -1...1, using: &random) - low)
            let sample = frame / 2_500 % 3 == 1 ? 0.7 * low : 0
            for _ in 0..<channelCount { samples.append(sample) }
        }
        return samples
    }

    /// Encodes interleaved samples and decodes them.
    ///
    /// Returns the first channel and the access units.
    private static func code(_ samples: [Float], _ configuration: AACEncoderConfiguration) throws -> (
        output: [Float], accessUnits: [[UInt8]]
    ) {
        let encoder = try AACEncoder(configuration)
        let decoder = try AACDecoder(encoder.audioSpecificConfig)
        var buffer = PCMBuffer(
            sampleRate: configuration.sampleRate, channelCount: configuration.channelCount, frameCapacity: encoder.framesPerPacket)
        var (output, accessUnits): ([Float], [[UInt8]]) = ([], [])
        func decode(_ accessUnit: AccessUnit) {
            let result = decoder.decode(accessUnit.payload.span, into: &buffer)
            #expect(result.damage == nil && buffer.frameCount == encoder.framesPerPacket)
            #expect(buffer.sampleRate == configuration.sampleRate && buffer.channelCount == configuration.channelCount)
            output += (0..<buffer.frameCount).map { buffer.samples[$0] }
            accessUnits.append(accessUnit.payload)
        }
        try encoder.encode(samples.span.bytes, format: PCMFormat(.float32, channelCount: configuration.channelCount), decode)
        _ = encoder.finish(decode)
        return (output, accessUnits)
    }

    @Test(
        "Bursts have the documented delay, and an access unit is complete with its last sample",
        arguments: delays.selectedCases)
    func delay(mode: Mode) throws {
        let configuration = mode.configuration()
        let encoder = try AACEncoder(configuration)
        let samples = Self.bursts(20_000, channelCount: mode.channelCount, seed: 1)
        var (accessUnitCount, taken) = (0, 0)
        for count in [encoder.framesPerPacket - 1, 1, encoder.framesPerPacket, 3_000] {
            let part = Array(samples[mode.channelCount * taken..<mode.channelCount * (taken + count)])
            try encoder.encode(part.span.bytes, format: PCMFormat(.float32, channelCount: mode.channelCount)) { _ in accessUnitCount += 1 }
            taken += count
            #expect(accessUnitCount == taken / encoder.framesPerPacket)
        }
        #expect(encoder.delay + encoder.framesPerPacket == mode.promise && configuration.delay == encoder.delay)
        let input = stride(from: 0, to: samples.count, by: mode.channelCount).map { samples[$0] }
        let output = try Self.code(samples, configuration).output
        let lags = max(0, encoder.delay - 40)...encoder.delay + 40
        let products: [Float] = lags.map { lag in zip(input, output.dropFirst(lag)).reduce(0) { $0 + $1.0 * $1.1 } }
        let best = try #require(products.indices.max { products[$0] < products[$1] })
        // The decimator's delay rises with frequency, by less than two samples where the noise has its energy.
        let tolerance = mode.sbr == .dualRate ? 1 : 0
        #expect(abs(lags.lowerBound + best - encoder.delay) <= tolerance, "\(lags.lowerBound + best), not \(encoder.delay)")
        let energy: Float = input.reduce(0) { $0 + $1 * $1 }
        #expect(products[best] > 0.8 * energy && encoder.sbrDelay == (mode.sbr == .off ? 0 : mode.sbr == .singleRate ? 32 : 64))
    }

    /// The SBR modes.
    static let replicated = [
        Mode(sbr: .singleRate, sampleRate: 16_000, bitRate: 24_000), Mode(sbr: .dualRate, bitRate: 32_000),
        Mode(sbr: .dualRate, channelCount: 2, frameLength: 480, bitRate: 48_000),
        Mode(sbr: .singleRate, sampleRate: 32_000, channelCount: 2, frameLength: 480, bitRate: 48_000),
    ]

    @Test("High band matches the input in energy and time", arguments: replicated)
    func highBand(mode: Mode) throws {
        let configuration = mode.configuration()
        let tuning = try #require(try EncoderSetup(configuration).sbr)
        let edge = Float(tuning.crossover) / Float(mode.sampleRate)
        var random = SeededRandom(seed: 2)
        // Noise above the crossover in bursts of 1200 sample frames, by modulating noise below a quarter of that range.
        let center = (edge + 0.42) / 2
        var (samples, low): ([Float], Float) = ([], 0)
        for frame in 0..<30_000 {
            low += 0.15 * (Float.random(in: -1...1, using: &random) - low)
            let isLoud = frame % 5_000 >= 2_000 && frame % 5_000 < 3_200
            let carrier = Float(CircularFunctions.cosinePi(2 * Double(center) * Double(frame)))
            for _ in 0..<mode.channelCount { samples.append(isLoud ? 0.5 * low * carrier : 0) }
        }
        let output = try Self.code(samples, configuration).output
        let delay = configuration.delay
        for burst in 1..<6 {
            /// Returns the energy and its temporal centre.
            func measure(_ signal: (Int) -> Float) -> (energy: Float, center: Float) {
                var (sum, moment): (Float, Float) = (0, 0)
                for frame in burst * 5_000..<(burst + 1) * 5_000 {
                    let energy = signal(frame) * signal(frame)
                    sum += energy
                    moment += energy * Float(frame - burst * 5_000)
                }
                return (sum, moment / max(sum, 1e-9))
            }
            let before = measure { samples[mode.channelCount * $0] }
            let after = measure { frame in frame + delay < output.count ? output[frame + delay] : 0 }
            #expect((0.5...2).contains(after.energy / before.energy), "burst \(burst): \(after.energy) of \(before.energy)")
            #expect(abs(after.center - before.center) < 100, "burst \(burst): \(after.center), not \(before.center)")
        }
    }

    @Test("All bit rates in the range are reached, at all sample rates", arguments: [LowDelaySBR.singleRate, .dualRate])
    func rates(sbr: LowDelaySBR) throws {
        for sampleRate in [16_000, 22_050, 24_000, 32_000, 44_100, 48_000] {
            for channelCount in 1...2 {
                var mode = Mode(sbr: sbr, sampleRate: sampleRate, channelCount: channelCount)
                let range = mode.configuration().bitRates
                for bitRate in [range.lowerBound, 32_000 * channelCount] {
                    mode.bitRate = bitRate
                    var samples = StreamSegmentsTests.sound(12_000, from: 0, seed: 3).map { Float($0) / 32_768 }
                    if channelCount == 1 { samples = stride(from: 0, to: samples.count, by: 2).map { samples[$0] } }
                    let (_, accessUnits) = try Self.code(samples, mode.configuration())
                    let nominal = Double(bitRate) * Double(try AACEncoder(mode.configuration()).framesPerPacket) / Double(sampleRate)
                    let bits = Double(8 * accessUnits.reduce(0) { $0 + $1.count })
                    #expect(bits <= nominal * Double(accessUnits.count + 4) + 64, "\(mode.testDescription), \(bitRate) bit/s")
                }
            }
        }
    }

    @Test("The configuration contains the SBR header, and the encoder reports the automatic mode")
    func decoderConfiguration() throws {
        let encoder = try AACEncoder(Mode(sbr: .dualRate, channelCount: 2).configuration())
        let config = try AudioSpecificConfig(parsing: encoder.audioSpecificConfig.serialized())
        let sbr = try #require(config.enhancedLowDelay?.sbr)
        #expect(sbr.isDualRate && sbr.headers.count == 1 && config.sampleRate == 24_000 && config.outputSampleRate == 48_000)
        for (sampleRate, bitRate, expected) in [
            (48_000, 32_000, LowDelaySBR.dualRate), (48_000, 96_000, .dualRate), (48_000, 128_000, .off), (24_000, 48_000, .dualRate),
            (16_000, 32_000, .singleRate), (16_000, 48_000, .off), (12_000, 16_000, .off),
        ] {
            let mode = Mode(sbr: .automatic, sampleRate: sampleRate, channelCount: 2, bitRate: bitRate)
            let encoder = try AACEncoder(mode.configuration())
            #expect(encoder.configuration.settings.lowDelaySBR == expected, "\(mode.testDescription), \(bitRate) bit/s")
            #expect((encoder.audioSpecificConfig.enhancedLowDelay?.sbr != nil) == (expected != .off))
            #expect(mode.configuration().framesPerPacket == encoder.framesPerPacket && mode.configuration().delay == encoder.delay)
        }
    }

    @Test("SBR throws in other profiles, below 16 kHz and with a bandwidth")
    func limits() throws {
        #expect(throws: CodecError.lowDelaySBR(.enhancedLowDelay, sampleRate: 12_000)) {
            try AACEncoder(Mode(sbr: .dualRate, sampleRate: 12_000).configuration())
        }
        var configuration = Mode(sbr: .singleRate).configuration()
        configuration.settings.bandwidth = 9_000
        #expect(throws: CodecError.fixedBandwidth(.enhancedLowDelay)) { try AACEncoder(configuration) }
        configuration.settings.bandwidth = nil
        configuration.profile = .lowDelay
        #expect(throws: CodecError.lowDelaySBR(.lowDelay, sampleRate: 48_000)) { try AACEncoder(configuration) }
    }

    @Test("An encoder that starts at a segment matches one that started earlier", arguments: replicated.dropFirst())
    func segments(mode: Mode) throws {
        var configuration = mode.configuration()
        configuration.rateControl = .variable(quality: 40)
        let format = PCMFormat(.int16, channelCount: mode.channelCount)
        let before = try AACEncoder(configuration)
        let (border, length) = (before.segments.length, before.framesPerPacket)
        let first = before.start(atUnit: border - StreamSegmentsTests.margin)
        var samples = StreamSegmentsTests.sound((border + StreamSegmentsTests.margin) * length - first, from: first, seed: 6)
        if mode.channelCount == 1 { samples = stride(from: 0, to: samples.count, by: 2).map { samples[$0] } }
        var (whole, part): ([[UInt8]], [[UInt8]]) = ([], [])
        try before.encode(samples.span.bytes, format: format) { whole.append($0.payload) }
        let at = try AACEncoder(configuration)
        let rest = Array(samples.dropFirst(mode.channelCount * (at.start(atUnit: border) - first)))
        try at.encode(rest.span.bytes, format: format) { part.append($0.payload) }
        #expect(!part.isEmpty && part == Array(whole.dropFirst(StreamSegmentsTests.margin)))
    }
}
