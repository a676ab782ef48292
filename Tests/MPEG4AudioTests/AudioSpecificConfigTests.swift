// SPDX-License-Identifier: Apache-2.0

import AudioPrimitives
import MPEG4Audio
import TestSupport
import Testing

@Suite struct AudioSpecificConfigTests {
    @Test("Tolerates a configuration that ends after dependsOnCoreCoder")
    func missingCoreCoderDelay() throws {
        let config = try AudioSpecificConfig(parsing: [0x12, 0x12])
        #expect(config == AudioSpecificConfig(sampleRate: 44_100, channelConfiguration: ChannelConfiguration(rawValue: 2)))
        #expect(config.serialized() == [0x12, 0x10])
        let whole = try AudioSpecificConfig(parsing: [0x12, 0x12, 0x00, 0x28])
        #expect(whole.generalAudio?.coreCoderDelay == 5)
        // A scalable layer requires the delay.
        #expect(throws: CodecError.self) { try AudioSpecificConfig(parsing: [0x32, 0x12]) }
    }

    static let golden: [(rate: Int, channels: Int, bytes: [UInt8])] = [
        (44_100, 1, [0x12, 0x08]), (44_100, 2, [0x12, 0x10]), (48_000, 1, [0x11, 0x88]), (48_000, 2, [0x11, 0x90]),
        (32_000, 1, [0x12, 0x88]), (32_000, 2, [0x12, 0x90]), (24_000, 1, [0x13, 0x08]), (24_000, 2, [0x13, 0x10]),
        (22_050, 1, [0x13, 0x88]), (22_050, 2, [0x13, 0x90]), (16_000, 1, [0x14, 0x08]), (16_000, 2, [0x14, 0x10]),
        (8_000, 1, [0x15, 0x88]), (8_000, 2, [0x15, 0x90]),
    ]

    @Test("AAC-LC configurations match known two-byte vectors", arguments: golden.indices)
    func goldenVectors(index: Int) throws {
        let vector = Self.golden[index]
        let config = AudioSpecificConfig(
            sampleRate: vector.rate, channelConfiguration: ChannelConfiguration(channelCount: vector.channels))
        #expect(config.serialized() == vector.bytes)
        let parsed = try AudioSpecificConfig(parsing: vector.bytes)
        #expect(parsed == config)
        #expect(parsed.channelCount == vector.channels)
        #expect(parsed.frameLength == 1024)
    }

    @Test("Reads both kinds of HE-AAC signalling from other encoders")
    func extensionVectors() throws {
        // 22.05 kHz stereo core with backward compatible SBR to 44.1 kHz; mono with PS; hierarchical types 5 and 29.
        let compatible = try AudioSpecificConfig(parsing: [0x13, 0x90, 0x56, 0xE5, 0xA0])
        #expect(compatible.extensionConfig.signaling == .backwardCompatible)
        #expect(compatible.extensionConfig.hasSBR == true)
        #expect(compatible.extensionConfig.hasParametricStereo == nil)
        #expect(compatible.sampleRate == 22_050 && compatible.outputSampleRate == 44_100)
        #expect(compatible.profileName == "HE-AAC")
        let stereo = try AudioSpecificConfig(parsing: [0x13, 0x88, 0x56, 0xE5, 0xA5, 0x48, 0x80])
        #expect(stereo.extensionConfig.hasParametricStereo == true)
        #expect(stereo.profileName == "HE-AAC v2")
        let hierarchical = try AudioSpecificConfig(parsing: [0x2B, 0x92, 0x08, 0x00])
        #expect(hierarchical.extensionConfig.signaling == .hierarchical)
        #expect(hierarchical.objectType == .aacLC && hierarchical.outputSampleRate == 44_100)
        #expect(hierarchical.extensionConfig.hasParametricStereo == nil)
        let second = try AudioSpecificConfig(parsing: [0xEB, 0x8A, 0x08, 0x00])
        #expect(second.extensionConfig.hasParametricStereo == true && second.channelCount == 1)
    }

    @Test("Configurations round-trip", arguments: [1, 2, 3, 4] as [UInt64])
    func roundTrip(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        for _ in 0..<300 {
            let config = Self.randomConfig(&random)
            let bytes = config.serialized()
            var counter = BitCounter()
            config.write(to: &counter)
            #expect(bytes.count == (counter.bitCount + 7) / 8)
            let parsed = try AudioSpecificConfig(parsing: bytes)
            #expect(parsed == config, "seed \(seed)")
        }
    }

    @Test("A PCE is aligned relative to the start of the configuration")
    func unaligned() throws {
        var random = SeededRandom(seed: 9)
        let pce = ProgramConfigElementTests.randomElement(&random)
        let config = AudioSpecificConfig(
            sampleRate: 37_800, channelConfiguration: nil, generalAudio: GASpecificConfig(programConfig: pce))
        var writer = BitWriter()
        writer.write(5, count: 3)
        config.write(to: &writer)
        var reader = BitReader(writer.bytes)
        reader.skip(3)
        let parsed = try AudioSpecificConfig(reading: &reader)
        #expect(parsed == config)
        #expect(reader.bitPosition == writer.bitCount)
    }

    @Test("Invalid configurations throw specific errors")
    func errors() {
        #expect(throws: CodecError.truncatedConfiguration(availableBits: 0, neededBits: 13)) {
            try AudioSpecificConfig(parsing: [])
        }
        #expect(throws: CodecError.truncatedConfiguration(availableBits: 8, neededBits: 13)) {
            try AudioSpecificConfig(parsing: [0x12])
        }
        #expect(throws: CodecError.reservedObjectType(0)) { try AudioSpecificConfig(parsing: [0x02, 0x10]) }
        #expect(throws: CodecError.reservedObjectType(95)) {
            try AudioSpecificConfig(parsing: [0xFF, 0xE2, 0x10, 0])
        }
        #expect(throws: CodecError.reservedSamplingFrequencyIndex(13)) {
            try AudioSpecificConfig(parsing: [0x16, 0x90])
        }
        #expect(throws: CodecError.invalidSampleRate(0, allowed: 1...192_000)) {
            try AudioSpecificConfig(parsing: [0x17, 0x80, 0, 0, 0x10])
        }
        #expect(throws: CodecError.unsupportedChannelConfiguration(15)) {
            try AudioSpecificConfig(parsing: [0x12, 0x78])
        }
        #expect(throws: CodecError.unsupportedErrorProtection(epConfig: 3)) {
            try AudioSpecificConfig(parsing: [0x8A, 0x10, 0xC0])
        }
        #expect(throws: CodecError.unsupportedObjectType(AudioObjectType.erBSAC.rawValue)) {
            try AudioSpecificConfig(parsing: [0x2B, 0x92, 0x58, 0x00])
        }
    }

    @Test("Other object types keep their bits")
    func opaque() throws {
        let bytes: [UInt8] = [0x41, 0x90, 0x12, 0x34]
        let config = try AudioSpecificConfig(parsing: bytes)
        #expect(config.objectType.rawValue == 8)
        #expect(config.generalAudio == nil && config.frameLength == nil)
        #expect(config.serialized() == bytes)
        #expect(config.objectType.description == "CELP")
    }

    @Test("Random bytes never trap", arguments: [5, 6] as [UInt64])
    func fuzz(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        for _ in 0..<3000 {
            let bytes = (0..<Int.random(in: 0...40, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
            guard let config = try? AudioSpecificConfig(parsing: bytes) else { continue }
            let again = try? AudioSpecificConfig(parsing: config.serialized())
            #expect(again == config, "\(bytes)")
        }
    }

    @Test("Core Audio layout tags are distinct and end in the channel count")
    func layoutTags() {
        let tags = ChannelConfiguration.all.compactMap { $0.layoutTag }
        #expect(tags.map { $0 & 0xFFFF } == ChannelConfiguration.all.map(\.channelCount))
        #expect(Set(tags).count == tags.count)
        // kAudioChannelLayoutTag_AAC_5_1, which is MPEG_5_1_D: C L R Ls Rs LFE.
        #expect(ChannelConfiguration(channelCount: 6)?.layoutTag == 124 << 16 | 6)
    }

    private static func randomConfig(_ random: inout SeededRandom) -> AudioSpecificConfig {
        let types = [1, 2, 3, 4, 6, 17, 19, 20, 22, 23].map(AudioObjectType.init(rawValue:))
        let type = types.randomElement(using: &random) ?? .aacLC
        let rate =
            Bool.random(using: &random)
            ? SamplingFrequencyIndex.standardRates.randomElement(using: &random) ?? 48_000
            : Int.random(in: 1...192_000, using: &random)
        let configuration = Bool.random(using: &random) ? ChannelConfiguration.all.randomElement(using: &random) : nil
        var generalAudio = GASpecificConfig(usesShortFrame: .random(using: &random))
        if Bool.random(using: &random) { generalAudio.coreCoderDelay = Int.random(in: 0..<16_384, using: &random) }
        if configuration == nil { generalAudio.programConfig = ProgramConfigElementTests.randomElement(&random) }
        if type.rawValue == 6 || type.rawValue == 20 { generalAudio.layerNumber = Int.random(in: 0...7, using: &random) }
        if Bool.random(using: &random) { generalAudio.extensionData = GASpecificConfig.Extension() }
        let extensions: [AudioSpecificConfig.Extension] = [
            .implicit, .backwardCompatible(sampleRate: 44_100, hasParametricStereo: nil),
            .backwardCompatible(sampleRate: 96_001, hasParametricStereo: true),
            .backwardCompatible(sampleRate: 16_000, hasParametricStereo: false),
            .absent,
            .hierarchical(sampleRate: 48_000, hasParametricStereo: false),
            .hierarchical(sampleRate: 32_000, hasParametricStereo: true),
        ]
        var extensionConfig = extensions.randomElement(using: &random) ?? .implicit
        if type == .erBSAC { extensionConfig = .implicit }
        return AudioSpecificConfig(
            objectType: type, sampleRate: rate, channelConfiguration: configuration, generalAudio: generalAudio,
            extensionConfig: extensionConfig)
    }
}
