// SPDX-License-Identifier: Apache-2.0

import AACCodec
import AudioPrimitives
import MPEG4Audio
import TestSupport
import Testing
import TransformCoding
import TransformEncoding

@Suite struct FrameLengthTests {
    /// A tone, soft noise, and a click every quarter of a second that causes short windows.
    private static func sound(_ frameCount: Int, sampleRate: Int, channelCount: Int) -> [Int16] {
        var random = SeededRandom(seed: 5)
        return (0..<frameCount * channelCount).map { index in
            let frame = index / channelCount
            let tone = 8000 * CircularFunctions.sinePi(Double(frame * 880 % sampleRate) / Double(sampleRate))
            let noise: Float = frame % (sampleRate / 4) < 60 ? 12_000 : 20
            return Int16(Float(tone) + Float.random(in: -noise...noise, using: &random))
        }
    }

    @Test(
        "Frames of 960 decode to the input after the reported delay",
        arguments: selectedCases([16_000, 44_100, 48_000], [AACEncoderConfiguration.Effort.fast, .balanced, .best]))
    func shortFrames(sampleRate: Int, effort: AACEncoderConfiguration.Effort) throws {
        for (channelCount, lowDelay) in [(1, false), (2, false), (2, true)] {
            var configuration = AACEncoderConfiguration(
                sampleRate: sampleRate, channelCount: channelCount, rateControl: .variable(quality: 90), effort: effort)
            configuration.settings.frameLength = 960
            configuration.settings.lowDelay = lowDelay
            let encoder = try AACEncoder(configuration)
            #expect(encoder.framesPerPacket == 960 && encoder.delay == (lowDelay ? 960 : 1984))
            #expect(configuration.framesPerPacket == encoder.framesPerPacket && configuration.delay == encoder.delay)
            #expect(encoder.audioSpecificConfig.frameLength == 960)

            let frameCount = sampleRate / 2 + 7
            let samples = Self.sound(frameCount, sampleRate: sampleRate, channelCount: channelCount)
            let decoder = try AACDecoder(encoder.audioSpecificConfig)
            var buffer = PCMBuffer(sampleRate: sampleRate, channelCount: channelCount, frameCapacity: 960)
            var decoded: [Float] = []
            func decode(_ accessUnit: AccessUnit) {
                #expect(accessUnit.duration == 960 && decoder.decode(accessUnit.payload.span, into: &buffer).damage == nil)
                decoded += (0..<buffer.frameCount).map { buffer.samples[$0] }
            }
            try encoder.encode(samples.span.bytes, format: PCMFormat(.int16, channelCount: channelCount), decode)
            let gapless = encoder.finish(decode)
            #expect(gapless.primingFrames == encoder.delay && gapless.validFrames == frameCount)
            #expect(gapless.totalFrames == decoded.count)
            let left = (0..<frameCount).map { Float(samples[channelCount * $0]) / 32_768 }
            var (energy, error): (Float, Float) = (0, 0)
            for (before, after) in zip(left, decoded.dropFirst(encoder.delay)) {
                energy += before * before
                error += (before - after) * (before - after)
            }
            #expect(energy > 30 * error, "\(channelCount) channels, \(energy / error)")
        }
    }

    @Test("Bit rate limits depend on the frame length; the highest fills the maximum frame", arguments: [1, 2, 6])
    func bitRates(channelCount: Int) throws {
        for (sampleRate, frameLength) in [(8_000, 960), (48_000, 960), (48_000, 1024), (96_000, 960)] {
            var configuration = AACEncoderConfiguration(sampleRate: sampleRate, channelCount: channelCount)
            configuration.settings.frameLength = frameLength
            let range = configuration.bitRates
            let coded = channelCount == 6 ? 5 : channelCount
            #expect(range.upperBound == 6144 * sampleRate * coded / frameLength)
            #expect(range.lowerBound == max(1_000, 160 * sampleRate / frameLength) * channelCount)
            for bitRate in [range.lowerBound, range.upperBound] {
                configuration.rateControl = .constant(bitRate: bitRate)
                let encoder = try AACEncoder(configuration)
                #expect(encoder.bitRates == range)
                try encoder.setBitRate(range.upperBound)
                #expect(throws: CodecError.unsupportedBitRate(range.upperBound + 1, allowed: range)) {
                    try encoder.setBitRate(range.upperBound + 1)
                }
            }
            for bitRate in [range.lowerBound - 1, range.upperBound + 1] {
                configuration.rateControl = .constant(bitRate: bitRate)
                #expect(throws: CodecError.unsupportedBitRate(bitRate, allowed: range)) { try AACEncoder(configuration) }
            }
        }
    }

    @Test(
        "Frames of 960 with SBR and parametric stereo decode to the input after the reported delay",
        arguments: [32_000, 48_000], [AACEncoderConfiguration.Effort.fast, .balanced, .best])
    func replication(sampleRate: Int, effort: AACEncoderConfiguration.Effort) throws {
        let cases: [(AACProfile, Int, delay: Int)] = [
            (.highEfficiency, 1, 4930), (.highEfficiency, 2, 4930), (.highEfficiencyV2, 2, 6020),
        ]
        for (profile, channelCount, delay) in cases {
            var configuration = AACEncoderConfiguration(
                sampleRate: sampleRate, channelCount: channelCount, rateControl: .constant(bitRate: 40_000), effort: effort)
            configuration.profile = profile
            configuration.settings.frameLength = 960
            // For one channel, only the other kind signals the absence of parametric stereo.
            if channelCount == 2 { configuration.signaling = .hierarchical }
            let encoder = try AACEncoder(configuration)
            #expect(encoder.framesPerPacket == 1920 && encoder.delay == delay, "\(profile)")
            #expect(configuration.framesPerPacket == encoder.framesPerPacket && configuration.delay == encoder.delay)
            #expect(encoder.audioSpecificConfig.frameLength == 960)
            #expect(try AudioSpecificConfig(parsing: encoder.audioSpecificConfig.serialized()) == encoder.audioSpecificConfig)

            let frameCount = sampleRate / 2 + 7
            let samples = (0..<frameCount * channelCount).map { index in
                Int16(8000 * CircularFunctions.sinePi(Double(index / channelCount * 880 % sampleRate) / Double(sampleRate)))
            }
            let decoder = try AACDecoder(encoder.audioSpecificConfig)
            var buffer = PCMBuffer(sampleRate: sampleRate, channelCount: channelCount, frameCapacity: 1920)
            var decoded: [Float] = []
            func decode(_ accessUnit: AccessUnit) {
                #expect(accessUnit.duration == 1920 && decoder.decode(accessUnit.payload.span, into: &buffer).damage == nil)
                #expect(buffer.frameCount == 1920 && buffer.channelCount == channelCount)
                decoded += (0..<buffer.frameCount).map { buffer.samples[$0] }
            }
            try encoder.encode(samples.span.bytes, format: PCMFormat(.int16, channelCount: channelCount), decode)
            let gapless = encoder.finish(decode)
            #expect(gapless.primingFrames == encoder.delay && gapless.validFrames == frameCount)
            #expect(gapless.totalFrames == decoded.count)
            var (energy, error): (Float, Float) = (0, 0)
            for (frame, after) in decoded.dropFirst(encoder.delay).prefix(frameCount).enumerated() {
                let before = Float(samples[channelCount * frame]) / 32_768
                energy += before * before
                error += (before - after) * (before - after)
            }
            #expect(energy > 30 * error, "\(profile), \(channelCount) channels, \(energy / error)")
        }
    }

    @Test("Frames of 960 do not change the automatic profile")
    func automaticProfile() throws {
        for bitRate in [20_000, 48_000, 128_000] {
            var configuration = AACEncoderConfiguration(sampleRate: 48_000, channelCount: 2, rateControl: .average(bitRate: bitRate))
            configuration.profile = .automatic
            let profile = try AACEncoder(configuration).profile
            configuration.settings.frameLength = 960
            #expect(try AACEncoder(configuration).profile == profile)
        }
    }

    @Test("Psychoacoustic tables depend on frequency, not on the frame length")
    func psychoacoustics() {
        let long = ScaleFactorBands(samplingFrequencyIndex: 3, frameLength: 1024)
        let short = ScaleFactorBands(samplingFrequencyIndex: 3, frameLength: 960)
        let (ofLong, ofShort) = (
            PsychoacousticTables(sampleRate: 48_000, bands: long).long.bark.values,
            PsychoacousticTables(sampleRate: 48_000, bands: short).long.bark.values
        )
        // Both have boundaries at the same lines. In the shorter frame, they are 1024/960 as far apart in frequency.
        for band in 0..<short.longCount - 1 {
            let ratio = Double(long.frameLength) / Double(short.frameLength)
            let center = Double(long.longOffsets[band] + long.longOffsets[band + 1]) / 2 * 48_000 / 2048
            #expect(abs(Double(ofLong[band]) - PsychoacousticTables.bark(ofHertz: center)) < 1e-4)
            #expect(abs(Double(ofShort[band]) - PsychoacousticTables.bark(ofHertz: center * ratio)) < 1e-4)
        }
        let cellCounts = [1024, 960].map { AuditoryLevels(sampleRate: 48_000, frameLength: $0).count }
        #expect(abs(cellCounts[0] - cellCounts[1]) <= 1)
    }
}
