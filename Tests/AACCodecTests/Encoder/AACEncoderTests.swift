// SPDX-License-Identifier: Apache-2.0

import AACCodec
import AudioPrimitives
import Foundation
import MPEG4Audio
import TestSupport
import Testing
import TransformCoding

@Suite struct AACEncoderTests {
    private static func accessUnits(
        _ bytes: [UInt8], format: PCMFormat, configuration: AACEncoderConfiguration
    ) throws -> [[UInt8]] {
        let encoder = try AACEncoder(configuration)
        var accessUnits: [[UInt8]] = []
        try encoder.encode(bytes.span.bytes, format: format) { accessUnits.append($0.payload) }
        _ = encoder.finish { accessUnits.append($0.payload) }
        return accessUnits
    }

    /// Serializes 16-bit samples in a format, without changing their values.
    private static func bytes(_ frames: [[Int16]], format: PCMFormat) -> [UInt8] {
        func sample(_ value: Int16) -> [UInt8] {
            let little: [UInt8]
            switch format.sampleFormat {
            case .int16: little = serialized(UInt64(UInt16(bitPattern: value)), count: 2)
            case .int24: little = serialized(UInt64(UInt32(bitPattern: Int32(value) << 8)), count: 3)
            case .int32: little = serialized(UInt64(UInt32(bitPattern: Int32(value) << 16)), count: 4)
            case .float32: little = serialized(UInt64((Float(value) / 32768).bitPattern), count: 4)
            case .float64: little = serialized((Double(value) / 32768).bitPattern, count: 8)
            }
            return format.isBigEndian ? little.reversed() : little
        }
        if format.isInterleaved { return frames.flatMap { $0.flatMap(sample) } }
        return (0..<format.channelCount).flatMap { channel in frames.flatMap { sample($0[channel]) } }
    }

    private static func serialized(_ value: UInt64, count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> UInt64(8 * $0)) }
    }

    /// Returns `max_sfb` of the long windows of channel pairs.
    private static func longBandCounts(_ accessUnits: ArraySlice<[UInt8]>) -> [Int] {
        // Identifier, tag and common_window fill one byte; max_sfb follows a reserved bit, the sequence and the shape.
        accessUnits.filter { $0[1] >> 5 & 3 != 2 }.map { Int($0[1] & 15) << 2 | Int($0[2] >> 6) }
    }

    @Test("Output does not depend on the sample format")
    func inputFormats() throws {
        var random = SeededRandom(seed: 11)
        let frames = (0..<5000).map { _ in (0..<2).map { _ in Int16.random(in: -9000...9000, using: &random) } }
        let configuration = AACEncoderConfiguration(sampleRate: 44_100, channelCount: 2)
        let reference = try Self.accessUnits(
            Self.bytes(frames, format: PCMFormat(.int16, channelCount: 2)), format: PCMFormat(.int16, channelCount: 2),
            configuration: configuration)
        for sampleFormat in SampleFormat.allCases {
            for isInterleaved in [true, false] {
                for isBigEndian in [true, false] {
                    let format = PCMFormat(
                        sampleFormat, channelCount: 2, isInterleaved: isInterleaved, isBigEndian: isBigEndian)
                    let accessUnits = try Self.accessUnits(Self.bytes(frames, format: format), format: format, configuration: configuration)
                    #expect(accessUnits == reference, "\(format)")
                }
            }
        }
    }

    @Test("Equal or opposite channels get the bandwidth of twice the bit rate")
    func equalChannels() throws {
        /// Returns the maximum number of bands in long windows of noise. The right channel is the left one times `factor`, plus a
        /// difference.
        func bandCount(factor: Int16 = 1, difference: Int16 = 0, bitRate: Int) throws -> Int {
            var random = SeededRandom(seed: 5)
            let frames = (0..<12_000).map { _ in
                let sample = Int16.random(in: -9000...9000, using: &random)
                return [sample, factor * sample + Int16.random(in: -difference...difference, using: &random)]
            }
            let format = PCMFormat(.int16, channelCount: 2)
            let configuration = AACEncoderConfiguration(sampleRate: 48_000, channelCount: 2, rateControl: .average(bitRate: bitRate))
            let accessUnits = try Self.accessUnits(Self.bytes(frames, format: format), format: format, configuration: configuration)
            return Self.longBandCounts(accessUnits.dropFirst(3).dropLast(3)).max() ?? 0
        }
        let narrow = try bandCount(difference: 90, bitRate: 64_000)
        let wide = try bandCount(difference: 90, bitRate: 128_000)
        #expect(narrow < wide)
        #expect(try bandCount(bitRate: 64_000) == wide)
        #expect(try bandCount(factor: -1, bitRate: 64_000) == wide)
    }

    @Test("Bands above the last one with values are not sent, and silence has no bands")
    func unusedBands() throws {
        let configuration = AACEncoderConfiguration(sampleRate: 48_000, channelCount: 2, rateControl: .variable(quality: 50))
        func bandCounts(frequency: Double) throws -> [Int] {
            let bytes = (0..<12_000).flatMap { frame in
                let sample = Float(0.25 * sin(2 * .pi * frequency * Double(frame) / 48_000))
                return [sample, -sample / 2].flatMap { Self.serialized(UInt64($0.bitPattern), count: 4) }
            }
            let accessUnits = try Self.accessUnits(bytes, format: PCMFormat(.float32, channelCount: 2), configuration: configuration)
            return Self.longBandCounts(accessUnits.dropFirst(6).dropLast(3))
        }
        let bands = ScaleFactorBands(samplingFrequencyIndex: 3, frameLength: 1024)
        let counts = try bandCounts(frequency: 1000)
        // 1 kHz is line 43.
        #expect(counts.count > 3 && counts.allSatisfy { Int(bands.longOffsets[$0]) > 43 && Int(bands.longOffsets[$0]) < 86 })
        #expect(try bandCounts(frequency: 0).allSatisfy { $0 == 0 })
    }

    @Test("Errors for unsupported settings list the supported ones")
    func refusals() {
        typealias Configuration = AACEncoderConfiguration
        func expect(_ error: CodecError, _ configuration: Configuration) {
            #expect(throws: error) { _ = try AACEncoder(configuration) }
        }
        expect(
            .unsupportedSampleRate(44_000, allowed: Configuration.sampleRates), Configuration(sampleRate: 44_000, channelCount: 2))
        for count in [0, 7, 9] {
            expect(
                .unsupportedChannelCount(count, allowed: [1, 2, 3, 4, 5, 6, 8]),
                Configuration(sampleRate: 48_000, channelCount: count, rateControl: .variable(quality: 50)))
        }
        expect(
            .unsupportedBitRate(600_000, allowed: 15_000...576_000),
            Configuration(sampleRate: 48_000, channelCount: 2, rateControl: .constant(bitRate: 600_000)))
        expect(
            .unsupportedQuality(101), Configuration(sampleRate: 48_000, channelCount: 2, rateControl: .variable(quality: 101)))
        expect(
            .unsupportedBandwidth(30_000, allowed: 1_000...24_000),
            Configuration(sampleRate: 48_000, channelCount: 2, bandwidth: 30_000))
        var configuration = Configuration(sampleRate: 48_000, channelCount: 2)
        configuration.inputLayout = ChannelLayout([.center])
        expect(.channelCountMismatch(expected: 2, found: 1), configuration)
        let layout = ChannelLayout([.left, .right, .center, .lowFrequency, .backCenter])
        configuration = Configuration(sampleRate: 48_000, channelCount: 5)
        configuration.inputLayout = layout
        expect(.unsupportedChannelLayout(layout, allowed: ChannelLayout([.left, .right, .center, .sideLeft, .sideRight])), configuration)
    }

    @Test("Speakers in any order select the configurations of 6.1 and 7.1 with back or top channels")
    func layoutsOfSevenAndEight() throws {
        for number in [7, 11, 12, 14] {
            let expected = try #require(ChannelConfiguration(rawValue: number))
            for layout in [expected.layout, expected.layout.inWAVOrder] {
                var configuration = AACEncoderConfiguration(sampleRate: 48_000, channelCount: layout.channelCount)
                configuration.inputLayout = layout
                let encoder = try AACEncoder(configuration)
                #expect(encoder.audioSpecificConfig.channelConfiguration == expected)
                let decoder = try AACDecoder(encoder.audioSpecificConfig)
                #expect(decoder.channelCount == layout.channelCount)
            }
        }
    }

    @Test(
        "Automatic profile produces the same access units as the chosen profile",
        arguments: [(AACProfile.lowComplexity, 96_000), (.highEfficiency, 64_000), (.highEfficiencyV2, 24_000)])
    func automaticProfile(chosen: AACProfile, bitRate: Int) throws {
        // Amplitude-panned noise common to both channels, which the stereo tools are designed for.
        var random = SeededRandom(seed: 23)
        let frames = (0..<8_000).map { _ in
            let sample = Int16.random(in: -9000...9000, using: &random)
            return [sample, sample / 3]
        }
        let format = PCMFormat(.int16, channelCount: 2)
        var configuration = AACEncoderConfiguration(sampleRate: 48_000, channelCount: 2, rateControl: .average(bitRate: bitRate))
        configuration.profile = .automatic
        #expect(try AACEncoder(configuration).profile == chosen)
        let accessUnits = try Self.accessUnits(Self.bytes(frames, format: format), format: format, configuration: configuration)
        configuration.profile = chosen
        #expect(try Self.accessUnits(Self.bytes(frames, format: format), format: format, configuration: configuration) == accessUnits)
    }

    @Test("An extreme bit rate or quality throws", arguments: [AACProfile.automatic, .enhancedLowDelay, .extendedHighEfficiency])
    func extremes(profile: AACProfile) {
        for rateControl: AACEncoderConfiguration.RateControl in [
            .average(bitRate: .max), .constant(bitRate: .min), .variable(quality: 4_294_967_295), .variable(quality: .infinity),
            .variable(quality: .nan),
        ] {
            var configuration = AACEncoderConfiguration(sampleRate: 48_000, channelCount: 2, rateControl: rateControl)
            configuration.profile = profile
            #expect(throws: CodecError.self) { _ = try AACEncoder(configuration) }
            #expect(configuration.bitRates.lowerBound > 0 && configuration.delay >= 0 && configuration.framesPerPacket > 0)
        }
    }

    @Test("Non-finite samples throw with their position, or become silence", arguments: [Float.nan, .infinity, -.infinity])
    func invalidSamples(value: Float) throws {
        var buffer = PCMBuffer(sampleRate: 48_000, channelCount: 2, frameCapacity: 3000)
        for index in buffer.samples.indices { buffer.samples[index] = 0.1 }
        buffer.samples[3000 + 1700] = value
        var configuration = AACEncoderConfiguration(sampleRate: 48_000, channelCount: 2)
        let strict = try AACEncoder(configuration)
        #expect(throws: CodecError.invalidSample(channel: 1, frame: 1700)) { try strict.encode(buffer) { _ in } }

        configuration.settings.invalidSamples = .silence
        let lenient = try AACEncoder(configuration)
        var accessUnits: [[UInt8]] = []
        try lenient.encode(buffer) { accessUnits.append($0.payload) }
        _ = lenient.finish { accessUnits.append($0.payload) }
        buffer.samples[3000 + 1700] = 0
        let silent = try AACEncoder(configuration)
        var expected: [[UInt8]] = []
        try silent.encode(buffer) { expected.append($0.payload) }
        _ = silent.finish { expected.append($0.payload) }
        #expect(accessUnits == expected)
    }

    @Test(
        "Samples far above full scale are encoded", arguments: [1e4, 1e12, 1e30] as [Float],
        [AACProfile.lowComplexity, .highEfficiency, .highEfficiencyV2, .enhancedLowDelay])
    func excessiveSamples(amplitude: Float, profile: AACProfile) throws {
        var configuration = AACEncoderConfiguration(sampleRate: 48_000, channelCount: 2, rateControl: .average(bitRate: 32_000))
        (configuration.profile, configuration.settings.effort) = (profile, .fast)
        var random = SeededRandom(seed: 5)
        var buffer = PCMBuffer(sampleRate: 48_000, channelCount: 2, frameCapacity: 30_000)
        for index in buffer.samples.indices where index / 7000 % 2 == 0 { buffer.samples[index] = random.float(in: -1...1) * amplitude }
        let encoder = try AACEncoder(configuration)
        var units = try encoder.encode(buffer)
        let gapless = encoder.finish { units.append($0) }
        #expect(gapless.validFrames == 30_000)
        let decoder = try AACDecoder(encoder.audioSpecificConfig)
        for unit in units { _ = try decoder.decode(unit) }
    }

    @Test("Partial frames, a different channel count and input after the end throw")
    func misuse() throws {
        let encoder = try AACEncoder(AACEncoderConfiguration(sampleRate: 48_000, channelCount: 2))
        let bytes = [UInt8](repeating: 0, count: 6)
        #expect(throws: CodecError.incompleteFrame(byteCount: 6, bytesPerFrame: 4)) {
            try encoder.encode(bytes.span.bytes, format: PCMFormat(.int16, channelCount: 2)) { _ in }
        }
        #expect(throws: CodecError.channelCountMismatch(expected: 2, found: 1)) {
            try encoder.encode(bytes.span.bytes, format: PCMFormat(.int16, channelCount: 1)) { _ in }
        }
        _ = encoder.finish { _ in }
        #expect(throws: CodecError.finished) {
            try encoder.encode(bytes.span.bytes.extracting(0..<4), format: PCMFormat(.int16, channelCount: 2)) { _ in }
        }
    }

    @Test("A buffer with another sample rate throws an error with both rates, in all calls")
    func anotherSampleRate() throws {
        let encoder = try AACEncoder(AACEncoderConfiguration(sampleRate: 48_000, channelCount: 1))
        let buffer = PCMBuffer(sampleRate: 44_100, channelCount: 1, frameCapacity: 4096)
        let expected = CodecError.sampleRateMismatch(expected: 48_000, found: 44_100)
        #expect(throws: expected) { try encoder.encode(buffer) }
        #expect(throws: expected) { try encoder.encode(buffer) { _ in } }
        #expect("\(expected)" == "the input sample rate is 44100 Hz instead of 48000 Hz; convert it with AudioConverter")
        // No input was read.
        #expect(encoder.finish().gapless.validFrames == 0)
    }

    @Test("Presentation times are one frame apart, with the first sample at zero")
    func presentationTimes() throws {
        let encoder = try AACEncoder(AACEncoderConfiguration(sampleRate: 44_100, channelCount: 1))
        var times: [Int64] = []
        let buffer = PCMBuffer(sampleRate: 44_100, channelCount: 1, frameCapacity: 22_050)
        try encoder.encode(buffer) { times.append($0.presentationTime.value) }
        let gapless = encoder.finish { times.append($0.presentationTime.value) }
        let expected = times.indices.map { Int64($0 * 1024 - 2112) }
        #expect(times == expected)
        #expect(gapless.totalFrames == times.count * 1024 && gapless.validFrames == 22_050)
    }

    @Test("Reset restores the initial state")
    func reset() throws {
        var random = SeededRandom(seed: 12)
        var buffer = PCMBuffer(sampleRate: 48_000, channelCount: 2, frameCapacity: 9_000)
        for index in buffer.samples.indices { buffer.samples[index] = Float.random(in: -0.3...0.3, using: &random) }
        let encoder = try AACEncoder(AACEncoderConfiguration(sampleRate: 48_000, channelCount: 2))
        func run() throws -> [[UInt8]] {
            var accessUnits: [[UInt8]] = []
            try encoder.encode(buffer) { accessUnits.append($0.payload) }
            _ = encoder.finish { accessUnits.append($0.payload) }
            return accessUnits
        }
        let first = try run()
        encoder.reset()
        #expect(try run() == first)
    }
}
