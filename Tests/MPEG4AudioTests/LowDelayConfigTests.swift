// SPDX-License-Identifier: Apache-2.0

import AudioPrimitives
import MPEG4Audio
import TestSupport
import Testing

@Suite struct LowDelayConfigTests {
    /// A configuration from a device or encoder.
    struct Sample: Sendable, CustomTestStringConvertible {
        let bytes: [UInt8]
        let rate: Int
        let channels: Int
        let frameLength: Int
        var outputRate: Int?
        let profile: String
        var testDescription: String { bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined() }
    }

    static let samples = [
        Sample(
            bytes: [0xF8, 0xF0, 0x21, 0x2C, 0x00, 0xBC, 0x00], rate: 16_000, channels: 1, frameLength: 512, outputRate: 16_000,
            profile: "AAC-ELD with SBR"),
        Sample(bytes: [0xF8, 0xE8, 0x50, 0x00], rate: 44_100, channels: 2, frameLength: 480, profile: "AAC-ELD"),
        Sample(bytes: [0xF8, 0xEC, 0x30, 0x00], rate: 24_000, channels: 1, frameLength: 480, profile: "AAC-ELD"),
        Sample(bytes: [0xB9, 0x8C, 0x00], rate: 48_000, channels: 1, frameLength: 480, profile: "AAC-LD"),
        Sample(bytes: [0xB9, 0x89, 0x00], rate: 48_000, channels: 1, frameLength: 512, profile: "AAC-LD"),
        Sample(bytes: [0xF8, 0xF0, 0x20, 0x00], rate: 16_000, channels: 1, frameLength: 512, profile: "AAC-ELD"),
        Sample(bytes: [0xF8, 0xE6, 0x40, 0x00], rate: 48_000, channels: 2, frameLength: 512, profile: "AAC-ELD"),
        Sample(
            bytes: [0xF8, 0xEC, 0x41, 0xAD, 0x00, 0xAE, 0x00], rate: 24_000, channels: 2, frameLength: 512, outputRate: 48_000,
            profile: "AAC-ELD with SBR"),
        Sample(bytes: [0xF8, 0xE6, 0x41, 0x2E, 0xE0, 0x00], rate: 48_000, channels: 2, frameLength: 512, profile: "AAC-ELD with SBR"),
        Sample(
            bytes: [0xF8, 0xE6, 0x20, 0x24, 0x33, 0xA7, 0x08, 0x00, 0x00], rate: 48_000, channels: 1, frameLength: 512,
            profile: "AAC-ELD v2"),
        Sample(
            bytes: [0xF8, 0xEE, 0x31, 0xB3, 0x20, 0x9C, 0x48, 0x8E, 0x4E, 0x10, 0x00, 0x00], rate: 22_050, channels: 1, frameLength: 480,
            outputRate: 44_100, profile: "AAC-ELD v2"),
    ]

    @Test("Device configurations round-trip bit-exactly", arguments: samples)
    func devices(_ sample: Sample) throws {
        let config = try AudioSpecificConfig(parsing: sample.bytes)
        #expect(config.sampleRate == sample.rate && config.channelCount == sample.channels)
        #expect(config.frameLength == sample.frameLength)
        #expect(config.outputSampleRate == sample.outputRate ?? sample.rate)
        #expect(config.profileName == sample.profile)
        let written = config.serialized()
        // Some writers append a zero byte.
        #expect(written == Array(sample.bytes.prefix(written.count)))
        #expect(sample.bytes.dropFirst(written.count).allSatisfy { $0 == 0 })
    }

    @Test("The first HomeKit configuration has single-rate low-delay SBR")
    func homeKit() throws {
        let config = try AudioSpecificConfig(parsing: [0xF8, 0xF0, 0x21, 0x2C, 0x00, 0xBC, 0x00])
        let sbr = try #require(config.enhancedLowDelay?.sbr)
        #expect(!sbr.isDualRate && !sbr.hasChecksum && sbr.headers.count == 1)
        // amp_res 1, start 6, stop 0, xover 0, reserved 0, extra_1 1, extra_2 0, scale 3, alter 1, noise bands 2.
        #expect(sbr.headers[0] == ELDSpecificConfig.Header(bits: 0b1_0110_0000_000_00_10_11_1_10, bitCount: 21))
    }

    @Test("Configurations with extensions of all length forms round-trip")
    func roundTrip() throws {
        var random = SeededRandom(seed: 36)
        for number in 0..<200 {
            let channels = try #require(ChannelConfiguration.all.randomElement(using: &random))
            var config = ELDSpecificConfig(usesShortFrame: .random(using: &random))
            config.resilience.hasVirtualCodebooks = .random(using: &random)
            config.resilience.hasReversibleScaleFactors = .random(using: &random)
            config.resilience.hasReorderedSpectrum = .random(using: &random)
            if number % 3 > 0 {
                let headers = channels.elements.filter { $0 != .lowFrequency }.map { _ in Self.randomHeader(&random) }
                config.sbr = .init(isDualRate: .random(using: &random), hasChecksum: .random(using: &random), headers: headers)
            }
            let lengths = [0, 14, 15, 269, 270, 300]
            for _ in 0..<number % 4 {
                let length = lengths[Int.random(in: 0..<lengths.count, using: &random)]
                config.extensions.append(.init(type: Int.random(in: 1...15, using: &random), bytes: .init(repeating: 0xA5, count: length)))
            }
            let whole = AudioSpecificConfig(sampleRate: 44_100, channelConfiguration: channels, enhancedLowDelay: config)
            #expect(try AudioSpecificConfig(parsing: whole.serialized()) == whole)
        }
    }

    @Test("Invalid fields throw specific errors")
    func refused() {
        // epConfig 1 for AAC-ELD and AAC-LD; channel configuration 0; sixteen extensions; a truncated extension.
        #expect(throws: CodecError.unsupportedErrorProtection(epConfig: 1)) {
            try AudioSpecificConfig(parsing: [0xF8, 0xF0, 0x20, 0x04])
        }
        #expect(throws: CodecError.unsupportedErrorProtection(epConfig: 1)) { try AudioSpecificConfig(parsing: [0xB9, 0x8C, 0x40]) }
        #expect(throws: CodecError.unsupportedChannelConfiguration(0)) { try AudioSpecificConfig(parsing: [0xF8, 0xF0, 0x00, 0x00]) }
        let many: [UInt8] = [0xF8, 0xF0, 0x20] + [UInt8](repeating: 0x82, count: 40)
        #expect(throws: CodecError.self) { try AudioSpecificConfig(parsing: many) }
        #expect(throws: CodecError.self) { try AudioSpecificConfig(parsing: [0xF8, 0xF0, 0x20, 0x17]) }
    }

    private static func randomHeader(_ random: inout SeededRandom) -> ELDSpecificConfig.Header {
        let flags = UInt32.random(in: 0...3, using: &random)
        var header = ELDSpecificConfig.Header(bits: UInt32.random(in: 0..<1 << 14, using: &random) << 2 | flags, bitCount: 16)
        for (flag, count) in [(UInt32(2), 5), (1, 6)] where flags & flag != 0 {
            header.bits = header.bits << UInt32(count) | UInt32.random(in: 0..<1 << UInt32(count), using: &random)
            header.bitCount += count
        }
        return header
    }
}
