// SPDX-License-Identifier: Apache-2.0

import AACCodec
import AudioContainers
import AudioPrimitives
import DABPlus
import MPEG4Audio
import TestSupport
import Testing
import TransformCoding

@Suite struct SubchannelTests {
    /// Returns noise and tones with attacks, silence, and full-scale noise, for half a second each.
    private static func signal(_ frameCount: Int, sampleRate: Int, channelCount: Int) -> [Int16] {
        var random = SeededRandom(seed: 3)
        return (0..<frameCount * channelCount).map { index in
            let (frame, channel) = (index / channelCount, index % channelCount)
            let tone = 6000 * CircularFunctions.sinePi(Double(frame * (440 + 300 * channel) % sampleRate) * 2 / Double(sampleRate))
            switch 2 * frame / sampleRate % 3 {
            case 0: return Int16(Float(tone) + Float.random(in: -1...1, using: &random) * (frame % 9000 < 300 ? 20_000 : 600))
            case 1: return 0
            default: return Int16.random(in: -32_768...32_767, using: &random)
            }
        }
    }

    /// Returns the sizes of an encoder's access units.
    private static func unitLengths(_ configuration: AACEncoderConfiguration, frameCount: Int) throws -> (
        lengths: [Int], encoder: AACEncoder
    ) {
        let encoder = try AACEncoder(configuration)
        let samples = signal(frameCount, sampleRate: configuration.sampleRate, channelCount: configuration.channelCount)
        let decoder = try AACDecoder(encoder.audioSpecificConfig)
        var buffer = PCMBuffer(sampleRate: configuration.sampleRate, channelCount: 2, frameCapacity: 1920)
        var lengths: [Int] = []
        func take(_ accessUnit: AccessUnit) {
            lengths.append(accessUnit.payload.count)
            #expect(decoder.decode(accessUnit.payload.span, into: &buffer).damage == nil)
        }
        try encoder.encode(samples.span.bytes, format: PCMFormat(.int16, channelCount: configuration.channelCount), take)
        let gapless = encoder.finish(take)
        #expect(gapless.totalFrames == lengths.count * encoder.framesPerPacket && gapless.validFrames == frameCount)
        return (lengths, encoder)
    }

    @Test(
        "Access units of 120 ms fill a superframe exactly at every bit rate",
        arguments: selectedCases(DABSubchannel.bitRates, [1, 2]))
    func rates(bitRate: Int, channelCount: Int) throws {
        for (sampleRate, effort) in [(48_000, AACEncoderConfiguration.Effort.fast), (32_000, .balanced)] {
            var configuration = AACEncoderConfiguration(sampleRate: sampleRate, channelCount: channelCount, effort: effort)
            configuration.settings.rateGroup = DABSubchannel(bitRate: bitRate).rateGroup
            let (lengths, encoder) = try Self.unitLengths(configuration, frameCount: sampleRate * 3 / 2 + 11)
            let format = try #require(DABAudioFormat(encoder.audioSpecificConfig))
            #expect(encoder.profile == Self.profile(bitRate, channelCount: channelCount))
            #expect(lengths.count % format.accessUnitCount == 0)
            let wanted = DABSubchannel(bitRate: bitRate).rateGroup.unitsByteCount(format.accessUnitCount)
            for first in stride(from: 0, to: lengths.count, by: format.accessUnitCount) {
                #expect(
                    lengths[first..<first + format.accessUnitCount].reduce(0, +) == wanted, "superframe \(first / format.accessUnitCount)")
            }
            let largest = 6144 / 8 * (format.isStereo ? 2 : 1)
            #expect(lengths.allSatisfy { $0 <= largest })
        }
    }

    /// Returns the profile that broadcasters use.
    private static func profile(_ bitRate: Int, channelCount: Int) -> AACProfile {
        if channelCount == 1 { return bitRate <= 64_000 ? .highEfficiency : .lowComplexity }
        return bitRate <= 48_000 ? .highEfficiencyV2 : bitRate <= 80_000 ? .highEfficiency : .lowComplexity
    }

    @Test("Programme-associated data reduce the size of access units", arguments: [2, 8, 58, 196])
    func data(byteCount: Int) throws {
        for (bitRate, profile) in [(96_000, AACProfile.lowComplexity), (64_000, .highEfficiency), (64_000, .highEfficiencyV2)] {
            var configuration = AACEncoderConfiguration(sampleRate: 48_000, channelCount: 2)
            configuration.profile = profile
            configuration.settings.rateGroup = DABSubchannel(bitRate: bitRate, padByteCount: byteCount).rateGroup
            guard byteCount < 196 || profile != .lowComplexity else { continue }
            let (lengths, encoder) = try Self.unitLengths(configuration, frameCount: 30_000)
            let format = try #require(DABAudioFormat(encoder.audioSpecificConfig))
            let total = lengths[0..<format.accessUnitCount].reduce(0, +)
            #expect(total + format.accessUnitCount * (2 + 2 + byteCount) + format.headerByteCount == bitRate / 8000 * 110)
        }
    }

    @Test("A sub-channel fixes frame length and bit rate")
    func resolution() throws {
        var configuration = AACEncoderConfiguration(sampleRate: 48_000, channelCount: 2, rateControl: .average(bitRate: 300_000))
        configuration.settings.rateGroup = DABSubchannel(bitRate: 72_000).rateGroup
        let encoder = try AACEncoder(configuration)
        #expect(encoder.framesPerPacket == 1920 && configuration.framesPerPacket == 1920 && configuration.delay == encoder.delay)
        // 110 bytes per 8 kbit/s, minus header and checksums.
        #expect(encoder.bitRate == (9 * 110 - 6 - 6) * 200 / 3)
        #expect(throws: CodecError.self) { try encoder.setBitRate(64_000) }
        encoder.reset()
    }

    @Test("Configurations unsupported by a sub-channel throw specific errors")
    func refusals() {
        func error(_ sampleRate: Int, _ channelCount: Int, _ subchannel: DABSubchannel, profile: AACProfile? = nil, frameLength: Int = 1024)
            -> CodecError?
        {
            var configuration = AACEncoderConfiguration(sampleRate: sampleRate, channelCount: channelCount)
            configuration.settings.rateGroup = subchannel.rateGroup
            configuration.settings.profile = profile
            configuration.settings.frameLength = frameLength
            do {
                _ = try AACEncoder(configuration)
                return nil
            } catch {
                return error
            }
        }
        let usual = DABSubchannel(bitRate: 64_000)
        #expect(error(48_000, 2, usual) == nil && error(48_000, 2, usual, frameLength: 960) == nil)
        #expect(error(44_100, 2, usual) == .unsupportedSampleRate(44_100, allowed: [32_000, 48_000]))
        #expect(error(48_000, 6, usual) == .unsupportedChannelCount(6, allowed: [1, 2]))
        #expect(error(48_000, 2, usual, frameLength: 512) == .unsupportedFrameLength(512, allowed: [960]))
        for subchannel in [
            DABSubchannel(bitRate: 63_000), DABSubchannel(bitRate: 0), DABSubchannel(bitRate: 200_000), DABSubchannel(bitRate: -8000),
            DABSubchannel(bitRate: 64_000, padByteCount: 1), DABSubchannel(bitRate: 64_000, padByteCount: -3),
            DABSubchannel(bitRate: 8_000, padByteCount: 58),
        ] {
            guard case .rateGroupTooShort? = error(48_000, 2, subchannel) else {
                Issue.record("\(subchannel) is accepted")
                continue
            }
        }
        // 110 bytes minus 11 for the header and 12 for checksums. Six access units need at least 20 bytes per channel.
        #expect(
            error(48_000, 2, DABSubchannel(bitRate: 8_000), profile: .lowComplexity) == .rateGroupTooShort(byteCount: 87, minimum: 240))
        #expect(error(48_000, 1, usual, profile: .highEfficiencyV2) != nil)
    }
}
