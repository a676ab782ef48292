// SPDX-License-Identifier: Apache-2.0

internal import AACCodec
internal import ALACCodec
internal import AudioContainers
internal import AudioPrimitives
internal import ILBCCodec
internal import MPEG4Audio
internal import OpusCodec

extension CodecDescription {
    static var aacCodecs: [CodecDescription] {
        let rates = AACEncoderConfiguration.sampleRates.sorted()
        // 6.1 and 7.1 have the numbers 11 and 12.
        let layouts = [1, 2, 3, 4, 5, 6, 11, 12].compactMap { ChannelConfiguration(rawValue: $0)?.layout.inWAVOrder }
        let profiles: [AACProfile] = [
            .lowComplexity, .highEfficiency, .highEfficiencyV2, .lowDelay, .enhancedLowDelay, .extendedHighEfficiency,
        ]
        return profiles.flatMap { profile -> [CodecDescription] in
            let channels = layouts.filter { layout in
                AACEncoderConfiguration.profiles(sampleRate: 48_000, channelCount: layout.channelCount).contains(profile)
            }
            let supported = rates.filter { rate in
                channels.contains { AACEncoderConfiguration.profiles(sampleRate: rate, channelCount: $0.channelCount).contains(profile) }
            }
            // Lengths and delays come from example encoders of the profile and from decoders of their streams: for AAC-ELD and xHE-AAC
            // without and with dual-rate SBR, for xHE-AAC also with MPEG Surround.
            var configuration = AACEncoderConfiguration(sampleRate: 48_000, channelCount: 2)
            configuration.profile = profile
            let variants: [(bitRate: Int, sbr: LowDelaySBR)] =
                switch profile {
                case .enhancedLowDelay: [(48_000, .off), (48_000, .dualRate)]
                case .extendedHighEfficiency: [(96_000, .automatic), (48_000, .automatic), (18_000, .automatic)]
                default: [(48_000, .automatic)]
                }
            let examples = variants.compactMap { variant in
                configuration.settings.rateControl = .average(bitRate: variant.bitRate)
                configuration.settings.lowDelaySBR = variant.sbr
                return try? AACEncoder(configuration)
            }
            let exampleDecoders = examples.compactMap { try? $0.codecConfiguration.makeDecoder() }
            guard let example = examples.first, exampleDecoders.count == examples.count else { return [] }
            var encoder = CodecDescription(
                kind: .encoder, formatID: profile.formatID, name: profile.description, maker: .linnet, sampleRates: .list(supported),
                channelLayouts: channels, quality: 0...100, framesPerPacket: examples.map(\.framesPerPacket),
                maximumPacketByteCountPerChannel: example.maximumPacketByteCount / example.channelCount,
                delay: examples.map(\.primingFrames), isAvailable: true)
            if profile == .extendedHighEfficiency { return [encoder] }
            let decoder = encoder.decoder(of: profile, delays: exampleDecoders.map(\.delay))
            if profile == .lowComplexity { encoder.framesPerPacket = AACEncoderSettings.frameLengths.sorted() }
            return [encoder, decoder]
        }
    }

    /// Returns the decoder of an AAC encoder's profile, which also decodes formats that the encoder does not write.
    ///
    /// - Parameter delays: The delay of the decoder for each packet length of the encoder.
    private func decoder(of profile: AACProfile, delays: [Int]) -> CodecDescription {
        var decoder = self
        decoder.kind = .decoder
        decoder.quality = nil
        // Every profile also has frames of 15/16 of the length, as in DAB+.
        decoder.framesPerPacket = framesPerPacket.flatMap { [$0 * 15 / 16, $0] }
        decoder.delay = delays.count == 1 ? delays : delays.flatMap { [$0, $0] }
        let isHighEfficiency = profile == .highEfficiency || profile == .highEfficiencyV2
        if !isHighEfficiency { decoder.sampleRates = .range(AudioSpecificConfig.sampleRateRange) }
        // Access units of low delay have no element identifiers, and the standard defines their elements for 1 to 6 channels only.
        let last = profile == .lowDelay || profile == .enhancedLowDelay ? 6 : Int.max
        if profile != .highEfficiencyV2 { decoder.channelLayouts = Self.layouts { $0.rawValue <= last } }
        return decoder
    }

    /// Returns the layouts of channel configurations, by channel count.
    private static func layouts(where isIncluded: (ChannelConfiguration) -> Bool = { _ in true }) -> [ChannelLayout] {
        ChannelConfiguration.all.filter(isIncluded).map(\.layout.inWAVOrder).sorted { $0.channelCount < $1.channelCount }
    }

    /// The USAC decoder, for xHE-AAC.
    static var usacCodecs: [CodecDescription] {
        [
            CodecDescription(
                kind: .decoder, formatID: .mpegDUSAC, name: "xHE-AAC", maker: .linnet,
                sampleRates: .range(AudioSpecificConfig.sampleRateRange), channelLayouts: layouts(), quality: nil,
                framesPerPacket: [768, 1024, 2048, 4096],
                maximumPacketByteCountPerChannel: 1 << 16, delay: [0], isAvailable: true)
        ]
    }

    /// The encoder and decoder of Opus, from libopus or Apple's system.
    static var opusCodecs: [CodecDescription] {
        let layouts = (1...OpusChannelMapping.maximumChannelCount).compactMap {
            (try? OpusChannelMapping(channelCount: $0))?.channelLayout.inWAVOrder
        }
        #if canImport(Darwin)
        let maker = Maker.appleSoftware
        #else
        let maker = Maker.libopus
        #endif
        let decoder = CodecDescription(
            kind: .decoder, formatID: .opus, name: "Opus", maker: maker, sampleRates: .list(OpusEncoderConfiguration.sampleRates),
            channelLayouts: layouts, quality: nil, framesPerPacket: OpusFrameDuration.allCases.map(\.rawValue),
            maximumPacketByteCountPerChannel: 3 * 1275 + 7, delay: [0],
            isAvailable: (try? OpusDecoder(OpusConfiguration(mapping: OpusChannelMapping(channelCount: 1), preSkip: 0))) != nil)
        let example = try? OpusEncoder(OpusEncoderConfiguration(channelCount: 1))
        var encoder = decoder
        encoder.kind = .encoder
        encoder.delay = [example?.delay ?? 312]
        encoder.isAvailable = example != nil
        #if canImport(Darwin)
        encoder.maximumPacketByteCountPerChannel = example?.maximumPacketByteCount ?? encoder.maximumPacketByteCountPerChannel
        // The capabilities of the system's encoder can only be found by trying.
        encoder.channelLayouts = layouts.filter { layout in
            (try? OpusEncoder(OpusEncoderConfiguration(channelCount: layout.channelCount))) != nil
        }
        encoder.framesPerPacket = encoder.framesPerPacket.filter { duration in
            var configuration = OpusEncoderConfiguration(channelCount: 1)
            configuration.frameDuration = OpusFrameDuration(rawValue: duration) ?? configuration.frameDuration
            return (try? OpusEncoder(configuration)) != nil
        }
        #endif
        return [encoder, decoder]
    }

    static var alacCodecs: [CodecDescription] {
        let configurations = ALACConfiguration.channelCounts.map { ALACConfiguration(sampleRate: 44_100, channelCount: $0, bitDepth: 32) }
        let decoder = CodecDescription(
            kind: .decoder, formatID: .appleLossless, name: "Apple Lossless", maker: .linnet, sampleRates: .range(1...384_000),
            channelLayouts: configurations.compactMap(\.channelLayout), quality: nil, framesPerPacket: [4096],
            maximumPacketByteCountPerChannel: configurations.first.flatMap { try? ALACEncoder($0).maximumPacketByteCount } ?? 0, delay: [0],
            isAvailable: (try? configurations.first.map { try CodecConfiguration.alac($0).makeDecoder() }) != nil)
        var encoder = decoder
        encoder.kind = .encoder
        encoder.channelLayouts = encoder.channelLayouts.map(\.inWAVOrder)
        encoder.isAvailable = true
        return [encoder, decoder]
    }

    static var ilbcCodecs: [CodecDescription] {
        let encoder = CodecDescription(
            kind: .encoder, formatID: .iLBC, name: "iLBC", maker: .linnet, sampleRates: .list([ILBCMode.sampleRate]),
            channelLayouts: [ChannelLayout([.center])], quality: nil, framesPerPacket: ILBCMode.allCases.map(\.samplesPerFrame),
            maximumPacketByteCountPerChannel: 50, delay: ILBCMode.allCases.map { ILBCDecoder(mode: $0).delay }, isAvailable: true)
        var decoder = encoder
        decoder.kind = .decoder
        return [encoder, decoder]
    }
}
