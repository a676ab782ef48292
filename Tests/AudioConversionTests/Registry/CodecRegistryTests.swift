// SPDX-License-Identifier: Apache-2.0

import AACCodec
import AudioContainers
import AudioConversion
import AudioPrimitives
import MPEG4Audio
import OpusCodec
import Testing

struct CodecRegistryTests {
    static let registry = CodecRegistry()

    /// Creates an encoder with the parameters of a description.
    static func makeEncoder(
        _ codec: CodecDescription, sampleRate: Int, channelCount: Int, layout: ChannelLayout? = nil, bitRate: Int
    ) throws -> any AudioPacketEncoder {
        switch codec.formatID {
        case .opus:
            return try registry.makeEncoder(
                .opus(OpusEncoderConfiguration(sampleRate: sampleRate, channelCount: channelCount, bitRate: bitRate)))
        case .iLBC: return try registry.makeEncoder(.ilbc(bitRate > 14_000 ? .milliseconds20 : .milliseconds30))
        default:
            var configuration = AACEncoderConfiguration(
                sampleRate: sampleRate, channelCount: channelCount, rateControl: .average(bitRate: bitRate))
            let profiles: [AACProfile] = [
                .lowComplexity, .highEfficiency, .highEfficiencyV2, .lowDelay, .enhancedLowDelay, .extendedHighEfficiency,
            ]
            configuration.profile = try #require(profiles.first { $0.formatID == codec.formatID })
            configuration.inputLayout = layout
            return try registry.makeEncoder(.aac(configuration))
        }
    }

    @Test(
        "Every encoder of a list of sample rates matches its description",
        arguments: registry.codecs(.encoder).filter { $0.formatID != .appleLossless })
    func encoders(codec: CodecDescription) throws {
        guard codec.isAvailable, case .list(let rates) = codec.sampleRates else {
            Issue.record("\(codec.name) is not installed")
            return
        }
        for sampleRate in rates {
            for layout in codec.channelLayouts where sampleRate == rates.first || layout == codec.channelLayouts.last {
                let channelCount = layout.channelCount
                let bitRates = codec.applicableBitRates(sampleRate: sampleRate, channelCount: channelCount)
                #expect(!bitRates.isEmpty, "\(codec.name) at \(sampleRate) Hz with \(channelCount) channels")
                for range in bitRates {
                    for bitRate in [range.lowerBound, range.upperBound] {
                        let encoder = try Self.makeEncoder(
                            codec, sampleRate: sampleRate, channelCount: channelCount, layout: layout, bitRate: bitRate)
                        #expect(encoder.sampleRate == sampleRate && encoder.channelCount == channelCount)
                        #expect(encoder.bitRate == bitRate)
                        #expect(codec.framesPerPacket.contains(encoder.framesPerPacket))
                        #expect(encoder.maximumPacketByteCount <= codec.maximumPacketByteCount(channelCount: channelCount))
                    }
                }
            }
        }
        let usual = rates.contains(48_000) ? 48_000 : try #require(rates.last)
        let channelCount = codec.channelCounts.contains(2) ? 2 : 1
        let bitRate = try #require(codec.nearestBitRate(to: 48_000, sampleRate: usual, channelCount: channelCount))
        let encoder = try Self.makeEncoder(codec, sampleRate: usual, channelCount: channelCount, bitRate: bitRate)
        #expect(codec.delay.contains(encoder.primingFrames))
        #expect(codec.formatID == encoder.codecConfiguration.formatID)
    }

    @Test("Apple Lossless has no bit rates, and each of its layouts has an encoder")
    func lossless() throws {
        let codec = try Self.registry.codec(.encoder, .appleLossless)
        #expect(codec.applicableBitRates(sampleRate: 48_000, channelCount: 2).isEmpty && codec.channelCounts == Array(1...8))
        for layout in codec.channelLayouts {
            let configuration = AudioEncoderConfiguration.alac(
                ALACConfiguration(sampleRate: 48_000, channelCount: layout.channelCount, bitDepth: 32))
            let encoder = try Self.registry.makeEncoder(configuration)
            #expect(encoder.maximumPacketByteCount <= codec.maximumPacketByteCount(channelCount: layout.channelCount))
            #expect(configuration.channelLayout == layout && codec.delay == [encoder.primingFrames])
            #expect(codec.framesPerPacket == [encoder.framesPerPacket] && encoder.bitRate == nil)
        }
    }

    @Test("Bit rates outside of the applicable ones throw")
    func refusedBitRates() throws {
        for codec in Self.registry.codecs(.encoder) where ![.iLBC, .appleLossless].contains(codec.formatID) && codec.isAvailable {
            let channelCount = 2
            for range in codec.applicableBitRates(sampleRate: 48_000, channelCount: channelCount) {
                for bitRate in [range.lowerBound - 1, range.upperBound + 1] {
                    #expect(throws: CodecError.self, "\(codec.name) at \(bitRate) bit/s") {
                        try Self.makeEncoder(codec, sampleRate: 48_000, channelCount: channelCount, bitRate: bitRate)
                    }
                }
                #expect(codec.nearestBitRate(to: 1, sampleRate: 48_000, channelCount: channelCount) == range.lowerBound)
                #expect(codec.nearestBitRate(to: .max, sampleRate: 48_000, channelCount: channelCount) == range.upperBound)
            }
            #expect(codec.applicableBitRates(sampleRate: 47_999, channelCount: channelCount).isEmpty)
        }
        let speech = try Self.registry.codec(.encoder, .iLBC)
        #expect(speech.applicableBitRates(sampleRate: 8000, channelCount: 1) == [13_333...13_333, 15_200...15_200])
        #expect(speech.nearestBitRate(to: 14_500, sampleRate: 8000, channelCount: 1) == 15_200)
    }

    @Test("Each encoder has a decoder")
    func decoders() throws {
        for encoder in Self.registry.codecs(.encoder) { _ = try Self.registry.codec(.decoder, encoder.formatID) }
        #expect(throws: Never.self) {
            try Self.registry.makeDecoder(.ilbc(.milliseconds20), preferring: [.linnet])
        }
    }

    @Test(
        "Low delay decoders list the frame lengths and channels that they accept",
        arguments: [FourCharCode.mpeg4LowDelayAAC, .mpeg4EnhancedLowDelayAAC])
    func lowDelayDecoders(formatID: FourCharCode) throws {
        let codec = try Self.registry.codec(.decoder, formatID)
        #expect(codec.channelCounts == Array(1...6))
        var lengths: Set<Int> = []
        for layout in codec.channelLayouts {
            let channels = try #require(ChannelConfiguration(channelCount: layout.channelCount))
            for usesShortFrame in [false, true] {
                let configuration =
                    if formatID == .mpeg4EnhancedLowDelayAAC {
                        AudioSpecificConfig(
                            sampleRate: 96_000, channelConfiguration: channels,
                            enhancedLowDelay: ELDSpecificConfig(usesShortFrame: usesShortFrame))
                    } else {
                        AudioSpecificConfig(
                            objectType: .aacLD, sampleRate: 96_000, channelConfiguration: channels,
                            generalAudio: GASpecificConfig(usesShortFrame: usesShortFrame))
                    }
                let decoder = try Self.registry.makeDecoder(.aac(configuration))
                #expect(codec.supports(sampleRate: decoder.sampleRate, channelCount: decoder.channelCount))
                lengths.insert(decoder.framesPerPacket)
            }
        }
        #expect(lengths.isSubset(of: codec.framesPerPacket) && lengths == [480, 512])
    }

    @Test("Requested hardware falls back if allowed; otherwise the error lists the available codecs")
    func hardware() throws {
        let fallback = try Self.registry.codec(.encoder, .mpeg4AAC, preferring: [.appleHardware], allowsFallback: true)
        #expect(fallback.maker == .linnet)
        let error = #expect(throws: CodecError.self) {
            try Self.registry.codec(.encoder, .mpeg4AAC, preferring: [.appleHardware, .appleSoftware])
        }
        #expect(error?.description == "no encoder for 'aac ' by appleHardware, appleSoftware; available: linnet")
        #expect(throws: CodecError.self) { try Self.registry.codec(.encoder, .mpegLayer3, allowsFallback: true) }
    }

    @Test("Chooses the most preferred available implementation; hardware only on request")
    func preference() throws {
        var hardware = try Self.registry.codec(.encoder, .mpeg4AAC)
        hardware.maker = .appleHardware
        var missing = hardware
        missing.maker = .appleSoftware
        missing.isAvailable = false
        let registry = CodecRegistry([missing, hardware] + Self.registry.codecs)
        #expect(try registry.codec(.encoder, .mpeg4AAC).maker == .linnet)
        #expect(try registry.codec(.encoder, .mpeg4AAC, preferring: [.appleHardware, .linnet]).maker == .appleHardware)
        #expect(try registry.codec(.encoder, .mpeg4AAC, preferring: [.linnet, .appleHardware]).maker == .linnet)
        #expect(try registry.codec(.encoder, .mpeg4AAC, preferring: [.appleSoftware], allowsFallback: true).maker == .linnet)
    }
}
