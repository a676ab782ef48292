// SPDX-License-Identifier: Apache-2.0

import AACCodec
import AudioPrimitives
import MPEG4Audio
import TestSupport
import Testing

/// The rate control of HE-AAC.
@Suite struct HighEfficiencyRateTests {
    typealias Profile = AACProfile

    static let sampleRate = 44_100
    #if DEBUG
    static let length = 2 * sampleRate
    static let isFast = false
    #else
    static let length = 20 * sampleRate
    static let isFast = true
    #endif

    /// Returns a configuration with effort `fast`.
    private static func configuration(
        _ profile: Profile, _ mode: AACEncoderConfiguration.RateControl, sampleRate: Int = Self.sampleRate, channelCount: Int = 2
    ) -> AACEncoderConfiguration {
        var configuration = AACEncoderConfiguration(
            sampleRate: sampleRate, channelCount: channelCount, rateControl: mode, effort: .fast)
        configuration.profile = profile
        return configuration
    }

    /// Returns the mean bit rate of all access units.
    private static func bitRate(_ stream: EncodedStream) -> Double {
        let bits = 8 * stream.accessUnits.reduce(0) { $0 + $1.count }
        return Double(bits) * Double(stream.configuration.sampleRate) / Double(2048 * stream.accessUnits.count)
    }

    @Test(
        "The decoder buffer neither underflows nor overflows at a constant rate",
        arguments: [
            (16_000, Profile.highEfficiency), (32_000, .highEfficiency), (96_000, .highEfficiency), (16_000, .highEfficiencyV2),
            (32_000, .highEfficiencyV2), (64_000, .highEfficiencyV2),
        ])
    func reservoir(bitRate: Int, profile: Profile) throws {
        let stream = try EncodedStream(RateControlTests.signal, Self.configuration(profile, .constant(bitRate: bitRate)))
        // The decoder buffer is the core's.
        var reservoir = ReservoirModel(
            bitRate: bitRate, sampleRate: Self.sampleRate / 2, channelCount: profile == .highEfficiencyV2 ? 1 : 2)
        for (index, accessUnit) in stream.accessUnits.enumerated() {
            let isWithinBuffer = reservoir.add(bitCount: 8 * accessUnit.count)
            #expect(isWithinBuffer, "unit \(index): \(reservoir.range), \(reservoir.capacity)")
        }
        let isLong = stream.accessUnits.count > 200
        if isLong { #expect(abs(Self.bitRate(stream) / Double(bitRate) - 1) < 0.02, "\(Self.bitRate(stream))") }
    }

    @Test(
        "Reaches an average rate in one pass", .enabled(if: isFast, "needs a release build"),
        arguments: [
            (24_000, Profile.highEfficiency), (32_000, .highEfficiency), (48_000, .highEfficiency), (64_000, .highEfficiency),
            (80_000, .highEfficiency), (18_000, .highEfficiencyV2), (24_000, .highEfficiencyV2), (32_000, .highEfficiencyV2),
        ])
    func average(bitRate: Int, profile: Profile) throws {
        let signal = (0..<2).map { TestSignal.changing(2 * Self.length, sampleRate: Self.sampleRate, seed: UInt64($0)) }
        let stream = try EncodedStream(signal, Self.configuration(profile, .average(bitRate: bitRate)))
        #expect(abs(Self.bitRate(stream) / Double(bitRate) - 1) < 0.02, "\(Self.bitRate(stream))")
    }

    @Test("Higher quality uses more bits", arguments: [Profile.highEfficiency, .highEfficiencyV2], [1, 2])
    func variable(profile: Profile, channelCount: Int) throws {
        guard profile == .highEfficiency || channelCount == 2 else { return }
        let length = Self.isFast ? 4 * Self.sampleRate : Self.sampleRate / 2
        let signal = (0..<channelCount).map { TestSignal.changing(length, sampleRate: Self.sampleRate, seed: UInt64($0)) }
        let sizes = try stride(from: 0.0, through: 100, by: Self.isFast ? 10 : 50).map { quality in
            try EncodedStream(signal, Self.configuration(profile, .variable(quality: quality), channelCount: channelCount)).adts.count
        }
        #expect(sizes == sizes.sorted() && Set(sizes).count == sizes.count, "\(sizes)")
    }

    @Test("Every sample rate, channel count and profile encodes within its bit rates, or throws the supported ones")
    func everyCombination() throws {
        for sampleRate in AACEncoderConfiguration.sampleRates {
            for channelCount in AACEncoderConfiguration.channelCounts {
                let allowed = AACEncoderConfiguration.profiles(sampleRate: sampleRate, channelCount: channelCount)
                #expect(allowed.contains(.highEfficiency) == (sampleRate >= 16_000))
                #expect(allowed.contains(.highEfficiencyV2) == (sampleRate >= 16_000 && channelCount == 2))
                for profile in [Profile.highEfficiency, .highEfficiencyV2] {
                    try combination(sampleRate, channelCount, profile, isAllowed: allowed.contains(profile))
                }
            }
        }
    }

    /// Checks the bit rates of one combination.
    private func combination(_ sampleRate: Int, _ channelCount: Int, _ profile: Profile, isAllowed: Bool) throws {
        let range = AACEncoderConfiguration.bitRates(sampleRate: sampleRate, channelCount: channelCount, profile: profile)
        let middle = min(range.upperBound, 2 * range.lowerBound)
        for bitRate in [range.lowerBound, middle, range.upperBound] {
            let configuration = Self.configuration(
                profile, .average(bitRate: bitRate), sampleRate: sampleRate, channelCount: channelCount)
            guard isAllowed else {
                #expect(throws: CodecError.self) { _ = try AACEncoder(configuration) }
                continue
            }
            let encoder = try AACEncoder(configuration)
            #expect(encoder.profile == profile && encoder.framesPerPacket == 2048, "\(sampleRate) \(channelCount) \(bitRate)")
            #expect(encoder.audioSpecificConfig.outputSampleRate == sampleRate)
            #expect(encoder.bandwidth <= sampleRate / 2 && encoder.bandwidth > sampleRate / 8)
        }
        guard isAllowed else { return }
        for bitRate in [range.lowerBound - 1, range.upperBound + 1] {
            #expect(throws: CodecError.unsupportedBitRate(bitRate, allowed: range)) {
                _ = try AACEncoder(
                    Self.configuration(profile, .constant(bitRate: bitRate), sampleRate: sampleRate, channelCount: channelCount))
            }
        }
    }

    @Test(
        "The lowest and highest constant rates are valid and decodable", .enabled(if: isFast, "needs a release build"),
        arguments: [16_000, 24_000, 44_100, 48_000, 96_000], [1, 2, 6, 8])
    func ends(sampleRate: Int, channelCount: Int) throws {
        let signal = (0..<channelCount).map { TestSignal.changing(sampleRate, sampleRate: sampleRate, seed: UInt64($0)) }
        let profiles = AACEncoderConfiguration.profiles(sampleRate: sampleRate, channelCount: channelCount)
        var streams: [EncodedStream] = []
        for profile in profiles where profile == .highEfficiency || profile == .highEfficiencyV2 {
            let range = AACEncoderConfiguration.bitRates(sampleRate: sampleRate, channelCount: channelCount, profile: profile)
            for bitRate in [range.lowerBound, range.upperBound] {
                let configuration = Self.configuration(
                    profile, .constant(bitRate: bitRate), sampleRate: sampleRate, channelCount: channelCount)
                let stream = try EncodedStream(signal, configuration)
                let buffered = profile == .highEfficiencyV2 ? 1 : channelCount > 5 ? channelCount - 1 : channelCount
                var reservoir = ReservoirModel(bitRate: bitRate, sampleRate: sampleRate / 2, channelCount: buffered)
                let isWithinBuffer = stream.accessUnits.allSatisfy { reservoir.add(bitCount: 8 * $0.count) }
                #expect(isWithinBuffer, "\(profile) \(bitRate): \(reservoir.range), \(reservoir.capacity)")
                streams.append(stream)
            }
        }
        for (stream, decoded) in zip(streams, try ReferenceDecoding.byFFmpeg(streams.map(\.adts), channelCount: max(channelCount, 2))) {
            #expect(decoded.messages.isEmpty && decoded.frameCount == 2048 * stream.accessUnits.count, "\(decoded.messages)")
        }
    }
}
