// SPDX-License-Identifier: Apache-2.0

import AACCodec
import AudioPrimitives
import Foundation
import MPEG4Audio
import TestSupport
import Testing

/// Encoding of AAC-LD and AAC-ELD.
@Suite struct LowDelayProfileTests {
    static let profiles: [AACProfile] = [.lowDelay, .enhancedLowDelay]
    static let frameLengths = [512, 480]

    private static func configuration(
        _ profile: AACProfile, frameLength: Int = 512, sampleRate: Int = 48_000, channelCount: Int = 2,
        _ rateControl: AACEncoderConfiguration.RateControl = .constant(bitRate: 96_000)
    ) -> AACEncoderConfiguration {
        var configuration = AACEncoderConfiguration(sampleRate: sampleRate, channelCount: channelCount, rateControl: rateControl)
        configuration.profile = profile
        configuration.settings.frameLength = frameLength
        // LowDelaySBRTests cover SBR.
        if profile == .enhancedLowDelay { configuration.settings.lowDelaySBR = .off }
        return configuration
    }

    @Test("Each block of input completes one access unit, with the delay of the object type", arguments: profiles, frameLengths)
    func pace(profile: AACProfile, frameLength: Int) throws {
        let encoder = try AACEncoder(Self.configuration(profile, frameLength: frameLength))
        let samples = StreamSegmentsTests.sound(8_000, from: 0, seed: 1)
        let format = PCMFormat(.int16, channelCount: 2)
        var times: [Int64] = []
        var taken = 0
        for count in [frameLength - 1, 1, frameLength - 1, 1, frameLength, 2 * frameLength, 3_000] {
            let part = Array(samples[2 * taken..<2 * (taken + count)])
            try encoder.encode(part.span.bytes, format: format) { times.append($0.presentationTime.value) }
            taken += count
            #expect(times.count == taken / frameLength, "after \(taken) frames")
        }
        let delay = profile == .lowDelay ? frameLength : frameLength / 2
        #expect(encoder.delay == delay && encoder.framesPerPacket == frameLength)
        #expect(times == times.indices.map { Int64(frameLength * $0 - delay) })
    }

    /// Configurations used by devices and other encoders.
    static let configurations: [(AACProfile, Int, Int, Int, String)] = [
        (.lowDelay, 512, 48_000, 1, "b98900"), (.lowDelay, 480, 48_000, 1, "b98d00"),
        (.enhancedLowDelay, 512, 16_000, 1, "f8f02000"), (.enhancedLowDelay, 512, 48_000, 2, "f8e64000"),
        (.enhancedLowDelay, 480, 44_100, 2, "f8e85000"), (.enhancedLowDelay, 480, 24_000, 1, "f8ec3000"),
    ]

    @Test("AudioSpecificConfig matches known values", arguments: configurations)
    func decoderConfiguration(profile: AACProfile, frameLength: Int, sampleRate: Int, channelCount: Int, bytes: String) throws {
        let encoder = try AACEncoder(
            Self.configuration(
                profile, frameLength: frameLength, sampleRate: sampleRate, channelCount: channelCount, .constant(bitRate: 32_000)))
        let found = encoder.audioSpecificConfig.serialized().map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        #expect(found == bytes)
    }

    @Test("Uses TNS for noise bursts but not for tones", arguments: profiles)
    func shaping(profile: AACProfile) throws {
        /// Returns the fraction of access units with a TNS filter.
        func share(_ signal: [Float]) throws -> Double {
            let encoder = try AACEncoder(Self.configuration(profile, channelCount: 1, .constant(bitRate: 48_000)))
            let decoder = try AACDecoder(encoder.audioSpecificConfig)
            let accessUnits = try encoder.encode(PCMBuffer(channels: [signal], sampleRate: 48_000))
            let filters = try accessUnits.map { accessUnit in
                _ = try decoder.decode(accessUnit)
                return decoder.codingTools.contains { !$0.channels[0].tnsOrders.isEmpty }
            }
            return Double(filters.count { $0 }) / Double(filters.count)
        }
        for hertz in [997.0, 1500, 3000] {
            let tone = (0..<60_000).map { Float(0.35 * sin(2 * Double.pi * hertz * Double($0) / 48_000)) }
            #expect(try share(tone) < 0.1, "\(hertz) Hz")
        }
        var random = SeededRandom(seed: 8)
        let bursts = (0..<60_000).map { $0 % 700 < 100 ? Float.random(in: -0.6...0.6, using: &random) : 0 }
        #expect(try share(bursts) > 0.5)
    }

    @Test("At a constant bit rate, any run of access units stays within the small reservoir", arguments: profiles)
    func reservoir(profile: AACProfile) throws {
        for (bitRate, isTight) in [(16_000, false), (64_000, false), (192_000, false), (64_000, true)] {
            var configuration = Self.configuration(profile, .constant(bitRate: bitRate))
            configuration.settings.lowDelay = isTight
            let encoder = try AACEncoder(configuration)
            var samples = StreamSegmentsTests.sound(60_000, from: 0, seed: 3)
            for index in 40_000..<60_000 { samples[index] = 0 }
            var random = SeededRandom(seed: 4)
            for index in 60_000..<80_000 { samples[index] = Int16.random(in: -32_768...32_767, using: &random) }
            let nominal = Double(bitRate) * 512 / 48_000
            // At 16 kbit/s the smallest access unit of full-scale noise exceeds the remaining reservoir by a few bits.
            let limit = isTight ? 16 : 4 * nominal + (bitRate == 16_000 ? 32 : 16)
            var (bitSurplus, lowest, highest) = (0.0, 0.0, 0.0)
            try encoder.encode(samples.span.bytes, format: PCMFormat(.int16, channelCount: 2)) { accessUnit in
                bitSurplus += nominal - Double(8 * accessUnit.payload.count)
                lowest = min(lowest, bitSurplus)
                highest = max(highest, bitSurplus)
            }
            #expect(highest - lowest <= limit, "\(bitRate) bit/s: from \(lowest) to \(highest), limit \(limit)")
        }
    }

    @Test("Average and variable bit rates are reached", arguments: profiles)
    func rates(profile: AACProfile) throws {
        let samples = StreamSegmentsTests.sound(96_000, from: 0, seed: 5)
        var sizes: [Int] = []
        for rateControl in [AACEncoderConfiguration.RateControl.average(bitRate: 64_000), .variable(quality: 20), .variable(quality: 80)] {
            var byteCount = 0
            let encoder = try AACEncoder(Self.configuration(profile, rateControl))
            try encoder.encode(samples.span.bytes, format: PCMFormat(.int16, channelCount: 2)) { byteCount += $0.payload.count }
            sizes.append(byteCount)
        }
        #expect((8_000...32_000).contains(sizes[0]), "\(sizes[0]) bytes, 16000 wanted")
        #expect(sizes[1] < sizes[2])
    }

    @Test("Unsupported sample rates, channel counts and frame lengths throw", arguments: profiles)
    func limits(profile: AACProfile) throws {
        let rates = [8_000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000]
        #expect(throws: CodecError.unsupportedProfileRate(profile, sampleRate: 96_000, allowed: rates)) {
            try AACEncoder(Self.configuration(profile, sampleRate: 96_000))
        }
        #expect(throws: CodecError.unsupportedProfile(profile, channelCount: 6, allowed: [.lowComplexity, .highEfficiency])) {
            try AACEncoder(Self.configuration(profile, channelCount: 6))
        }
        #expect(throws: CodecError.unsupportedFrameLength(960, allowed: [512, 480])) {
            try AACEncoder(Self.configuration(profile, frameLength: 960))
        }
        #expect(throws: CodecError.unsupportedFrameLength(512, allowed: [1024, 960])) { try AACEncoder(Self.configuration(.lowComplexity)) }
        var configuration = Self.configuration(profile)
        configuration.settings.rateGroup = RateGroup(
            milliseconds: 120, byteCount: 880, overheadBitCount: 0, unitOverheadBitCount: 0, frameLength: 960,
            sampleRates: AACEncoderConfiguration.sampleRates, objectTypes: [.aacLC, .aacLC])
        configuration.settings.frameLength = 1024
        #expect(throws: CodecError.rateGroupProfile(profile)) { try AACEncoder(configuration) }
        for rate in rates {
            for channelCount in 1...2 {
                var lowest = Self.configuration(profile, sampleRate: rate, channelCount: channelCount)
                #expect(lowest.bitRates.contains(16_000 * channelCount / 2) || rate < 12_000, "\(rate) Hz: \(lowest.bitRates)")
                lowest.rateControl = .constant(bitRate: lowest.bitRates.lowerBound)
                #expect(throws: Never.self) { try AACEncoder(lowest) }
            }
        }
    }

    @Test("Defaults are a frame length of 512 and a constant bit rate")
    func defaults() throws {
        var configuration = AACEncoderConfiguration(sampleRate: 48_000, channelCount: 1)
        configuration.profile = .enhancedLowDelay
        let encoder = try AACEncoder(configuration)
        #expect(encoder.framesPerPacket == 512 && configuration.framesPerPacket == 512 && configuration.delay == 256)
        #expect(configuration.rateControl == .constant(bitRate: 64_000) && encoder.bitRate == 64_000)
    }

    @Test("An encoder that starts at a segment matches one that started earlier", arguments: profiles, frameLengths)
    func segments(profile: AACProfile, frameLength: Int) throws {
        let format = PCMFormat(.int16, channelCount: 2)
        let configuration = Self.configuration(profile, frameLength: frameLength, .variable(quality: 50))
        let before = try AACEncoder(configuration)
        let border = before.segments.length
        let first = before.start(atUnit: border - StreamSegmentsTests.margin)
        let count = (border + StreamSegmentsTests.margin) * frameLength - first
        let samples = StreamSegmentsTests.sound(count, from: first, seed: 6)
        var (whole, part): ([[UInt8]], [[UInt8]]) = ([], [])
        try before.encode(samples.span.bytes, format: format) { whole.append($0.payload) }
        let at = try AACEncoder(configuration)
        let rest = Array(samples.dropFirst(2 * (at.start(atUnit: border) - first)))
        try at.encode(rest.span.bytes, format: format) { part.append($0.payload) }
        #expect(!part.isEmpty && part == Array(whole.dropFirst(StreamSegmentsTests.margin)))
    }
}
