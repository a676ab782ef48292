// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

import AudioPrimitives
import MPEG4Audio
import TestSupport
import Testing

@testable import AACCodec
@testable import TransformCoding

@Suite struct FrameLengthTests {
    /// A tone, soft noise, and a click every quarter of a second, for short windows.
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
        "Frames of 960 decode to the input, late by the delay that the encoder tells",
        arguments: [16_000, 44_100, 48_000], [AACEncoderConfiguration.Effort.fast, .balanced, .best])
    func shortFrames(sampleRate: Int, effort: AACEncoderConfiguration.Effort) throws {
        for (channelCount, lowDelay) in [(1, false), (2, false), (2, true)] {
            var configuration = AACEncoderConfiguration(
                sampleRate: sampleRate, channelCount: channelCount, rateControl: .variable(quality: 90), effort: effort)
            configuration.frameLength = 960
            configuration.lowDelay = lowDelay
            let encoder = try AACEncoder(configuration)
            #expect(encoder.unitLength == 960 && encoder.delay == (lowDelay ? 960 : 1984))
            #expect(configuration.unitLength == encoder.unitLength && configuration.delay == encoder.delay)
            #expect(encoder.audioSpecificConfig.frameLength == 960)

            let frameCount = sampleRate / 2 + 7
            let samples = Self.sound(frameCount, sampleRate: sampleRate, channelCount: channelCount)
            let decoder = try AACDecoder(encoder.audioSpecificConfig)
            var buffer = PCMBuffer(sampleRate: sampleRate, channelCount: channelCount, frameCapacity: 960)
            var decoded: [Float] = []
            /// Decodes a unit.
            func decode(_ unit: AccessUnit) {
                #expect(unit.duration == 960 && decoder.decode(unit.payload.span, into: &buffer).damage == nil)
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

    @Test("The limits of bit rates are those of the frame length, and the highest fills the largest frame", arguments: [1, 2, 6])
    func bitRates(channelCount: Int) throws {
        for (sampleRate, frameLength) in [(8_000, 960), (48_000, 960), (48_000, 1024), (96_000, 960)] {
            var configuration = AACEncoderConfiguration(sampleRate: sampleRate, channelCount: channelCount)
            configuration.frameLength = frameLength
            let range = configuration.bitRates
            let coded = channelCount == 6 ? 5 : channelCount
            #expect(range.upperBound == 6144 * sampleRate * coded / frameLength)
            #expect(range.lowerBound == max(1_000, 160 * sampleRate / frameLength) * channelCount)
            for bitRate in [range.lowerBound, range.upperBound] {
                configuration.rateControl = .constant(bitRate: bitRate)
                let encoder = try AACEncoder(configuration)
                #expect(encoder.bitRates == range)
                try encoder.setBitRate(range.upperBound)
                #expect(throws: AACError.unsupportedBitRate(range.upperBound + 1, allowed: range)) {
                    try encoder.setBitRate(range.upperBound + 1)
                }
            }
            for bitRate in [range.lowerBound - 1, range.upperBound + 1] {
                configuration.rateControl = .constant(bitRate: bitRate)
                #expect(throws: AACError.unsupportedBitRate(bitRate, allowed: range)) { try AACEncoder(configuration) }
            }
        }
    }

    @Test("Frames of 960 are refused with SBR, and the automatic profile is AAC-LC then")
    func replication() throws {
        var configuration = AACEncoderConfiguration(sampleRate: 48_000, channelCount: 2, rateControl: .average(bitRate: 32_000))
        configuration.frameLength = 960
        for profile in [AACProfile.highEfficiency, .highEfficiencyV2] {
            configuration.profile = profile
            #expect(throws: AACError.unsupportedFrameLength(960, allowed: [1024])) { try AACEncoder(configuration) }
        }
        configuration.profile = .automatic
        #expect(try AACEncoder(configuration).profile == .lowComplexity)
    }

    @Test("Properties of hearing are those of frequencies, whatever the frame length")
    func psychoacoustics() {
        let long = ScaleFactorBands(samplingFrequencyIndex: 3, frameLength: 1024)
        let short = ScaleFactorBands(samplingFrequencyIndex: 3, frameLength: 960)
        let (ofLong, ofShort) = (
            PsychoacousticTables(sampleRate: 48_000, bands: long).long.bark.values,
            PsychoacousticTables(sampleRate: 48_000, bands: short).long.bark.values
        )
        // The boundaries of both are the same lines, of which those of the shorter frame are 1024/960 as far apart.
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
