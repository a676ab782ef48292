// SPDX-License-Identifier: Apache-2.0

import AACCodec
import AudioPrimitives
import TestSupport
import Testing
import TransformCoding

/// Limits of access units and tools, and input without closures.
@Suite struct EncoderLimitsTests {
    /// Two channels of noise with level jumps every few frames, as interleaved samples.
    private static func noiseBursts(frameCount: Int) -> [Float] {
        var random = SeededRandom(seed: 5)
        return (0..<frameCount * 2).map { index in
            let level: Float = index / 9_000 % 2 == 0 ? 0.4 : 0.001
            return Float.random(in: -level...level, using: &random)
        }
    }

    private static let format = PCMFormat(.float32, channelCount: 2)

    private static func accessUnits(_ samples: [Float], _ configuration: AACEncoderConfiguration) throws -> [AccessUnit] {
        let encoder = try AACEncoder(configuration)
        var accessUnits: [AccessUnit] = []
        try encoder.encode(samples.span.bytes, format: format) { accessUnits.append($0) }
        _ = encoder.finish { accessUnits.append($0) }
        return accessUnits
    }

    @Test(
        "No access unit exceeds the peak bit rate",
        arguments: [AACEncoderConfiguration.RateControl.constant(bitRate: 96_000), .average(bitRate: 96_000), .variable(quality: 90)],
        [AACProfile.lowComplexity, .highEfficiency])
    func peakBitRate(rateControl: AACEncoderConfiguration.RateControl, profile: AACProfile) throws {
        var configuration = AACEncoderConfiguration(sampleRate: 44_100, channelCount: 2, rateControl: rateControl)
        configuration.profile = profile
        let samples = Self.noiseBursts(frameCount: 40_000)
        let free = try Self.accessUnits(samples, configuration)
        configuration.settings.peakBitRate = 97_000
        let limited = try Self.accessUnits(samples, configuration)
        let limit = 97_000 * limited[0].duration / 44_100 / 8
        #expect(free.contains { $0.payload.count > limit }, "the signal does not need the limit")
        #expect(limited.allSatisfy { $0.payload.count <= limit })
        #expect(limited.count == free.count)
    }

    @Test(
        "Access units fit decoders' buffers even if samples are far above full scale",
        arguments: [AACProfile.lowComplexity, .highEfficiency, .extendedHighEfficiency])
    func farAboveFullScale(profile: AACProfile) throws {
        var configuration = AACEncoderConfiguration(sampleRate: 48_000, channelCount: 2, rateControl: .variable(quality: 100))
        configuration.profile = profile
        let samples = Self.noiseBursts(frameCount: 30_000).map { 1e9 * $0 }
        let units = try Self.accessUnits(samples, configuration)
        #expect(units.map(\.payload.count).max().map { $0 <= 1536 } == true)
    }

    @Test("A peak below the bit rate throws, and so does a later bit rate above the peak")
    func peakBelowBitRate() throws {
        var configuration = AACEncoderConfiguration(sampleRate: 48_000, channelCount: 2, rateControl: .average(bitRate: 128_000))
        configuration.settings.peakBitRate = 127_999
        #expect(throws: CodecError.unsupportedPeakBitRate(127_999, minimum: 128_000)) { try AACEncoder(configuration) }
        configuration.settings.peakBitRate = 160_000
        let encoder = try AACEncoder(configuration)
        try encoder.setBitRate(160_000)
        #expect(throws: CodecError.self) { try encoder.setBitRate(160_001) }
        configuration.settings.peakBitRate = .max
        #expect(throws: Never.self) { try AACEncoder(configuration) }
    }

    @Test("No noise bands when PNS is disabled")
    func noiseSubstitution() throws {
        var configuration = AACEncoderConfiguration(sampleRate: 48_000, channelCount: 2, rateControl: .average(bitRate: 48_000))
        var random = SeededRandom(seed: 6)
        let samples = (0..<60_000).map { _ in Float.random(in: -0.2...0.2, using: &random) }
        /// Encodes the samples and counts the noise bands of the stream.
        func noiseBandCount() throws -> Int {
            let decoder = try AACDecoder(AACEncoder(configuration).audioSpecificConfig)
            var buffer = PCMBuffer(sampleRate: 48_000, channelCount: 2, frameCapacity: 1024)
            return try Self.accessUnits(samples, configuration).reduce(0) { count, accessUnit in
                #expect(decoder.decode(accessUnit.payload.span, into: &buffer).damage == nil)
                return count + decoder.codingTools.reduce(0) { $0 + $1.channels.reduce(0) { $0 + $1.noiseBandCount } }
            }
        }
        #expect(try noiseBandCount() > 0)
        configuration.settings.usesNoiseSubstitution = false
        #expect(try noiseBandCount() == 0)
    }

    @Test("Input without closures produces the same access units", arguments: [AACProfile.lowComplexity, .highEfficiencyV2])
    func inputWithoutClosures(profile: AACProfile) throws {
        var configuration = AACEncoderConfiguration(sampleRate: 44_100, channelCount: 2, rateControl: .average(bitRate: 40_000))
        configuration.profile = profile
        let samples = Self.noiseBursts(frameCount: 12_345)
        let encoder = try AACEncoder(configuration)
        var accessUnits: [AccessUnit] = []
        var taken = 0
        while taken < 12_345 {
            taken += try encoder.take(samples.span.bytes, format: Self.format, from: taken)
            if let accessUnit = encoder.nextUnit() { accessUnits.append(accessUnit) }
        }
        #expect(try encoder.take(samples.span.bytes, format: Self.format, from: taken) == 0)
        #expect(encoder.nextUnit() == nil)
        encoder.finishInput()
        while let accessUnit = encoder.nextUnit() { accessUnits.append(accessUnit) }
        #expect(encoder.nextUnit() == nil)
        #expect(try accessUnits == Self.accessUnits(samples, configuration))
        #expect(encoder.gaplessInfo.totalFrames == accessUnits.count * encoder.framesPerPacket)
        #expect(throws: CodecError.finished) { try encoder.take([0, 0, 0, 0, 0, 0, 0, 0].span.bytes, format: Self.format) }
    }

    @Test(
        "A configuration with absurd values has bit rates and a delay, and is refused by the encoder",
        arguments: AACProfile.allCases)
    func absurdValues(profile: AACProfile) {
        let values = [Int.min, 0, 2, 48_000, Int.max]
        let rateControls: [AACEncoderConfiguration.RateControl?] = [
            nil, .variable(quality: 50), .average(bitRate: .max), .constant(bitRate: .min),
        ]
        for (sampleRate, channelCount) in values.flatMap({ first in values.map { (first, $0) } }) {
            for (frameLength, rateControl) in values.flatMap({ first in rateControls.map { (first, $0) } }) {
                var configuration = AACEncoderConfiguration(
                    sampleRate: sampleRate, channelCount: channelCount, rateControl: rateControl)
                configuration.profile = profile
                configuration.settings.frameLength = frameLength
                configuration.alignsDelay = true
                #expect(configuration.bitRates.lowerBound >= 0 && configuration.delay > 0 && configuration.framesPerPacket > 0)
                let rates = AACEncoderConfiguration.bitRates(
                    sampleRate: sampleRate, channelCount: channelCount, profile: profile, frameLength: frameLength)
                #expect(rates.lowerBound >= 0)
                guard (sampleRate, channelCount) != (48_000, 2) else { continue }
                #expect(throws: CodecError.self) { try AACEncoder(configuration) }
            }
        }
    }
}
