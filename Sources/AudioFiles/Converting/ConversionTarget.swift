// SPDX-License-Identifier: Apache-2.0

internal import AACCodec
internal import AudioConversion
internal import AudioPrimitives
internal import MPEG4Audio
internal import OpusCodec
internal import PCMFiles

/// Chooses the sample rate, channels, sample encoding, dither and encoder of an output.
struct ConversionTarget {
    let configuration: FileConverterConfiguration
    let properties: PCMFileProperties
    let source: AudioFormat
    let fileFormat: AudioFileFormat
    let codec: OutputCodec
    /// Differences from the request so far.
    var notes: [ConversionNote] = []

    /// Returns the output sample format in memory.
    mutating func format() -> AudioFormat {
        let channelCount = channelCount()
        return AudioFormat(
            encoding(), sampleRate: sampleRate(channelCount), channelCount: channelCount, channelLayout: layout(channelCount))
    }

    /// Returns the requested encoding in the file format's byte order, or the one closest to the input's.
    private mutating func encoding() -> SampleEncoding {
        if codec == .alac { return integerEncoding() }
        guard codec == .pcm else { return .float32 }
        if let encoding = configuration.encoding { return fileFormat.counterpart(of: encoding) }
        if configuration.verb == .decode, source.encoding.isFloat { return fileFormat.encoding(of: .int16) }
        if properties.isLossy, fileFormat.isFLAC { return .int16 }
        let nearest = fileFormat.encoding(nearestTo: source.encoding)
        if nearest.isFloat != source.encoding.isFloat || nearest.byteCount * 8 < properties.validBitCount ?? source.encoding.byteCount * 8 {
            notes.append(.samplesRounded(from: source.encoding, to: nearest))
        }
        return nearest
    }

    /// Returns the requested encoding of a lossless codec, or the one closest to the input's, in 16, 24 or 32 bits.
    private mutating func integerEncoding() -> SampleEncoding {
        let wanted = configuration.encoding ?? (properties.isLossy ? .int16 : source.encoding)
        let nearest: SampleEncoding = wanted.isFloat ? .int24 : wanted.byteCount <= 2 ? .int16 : wanted.byteCount == 3 ? .int24 : .int32
        if wanted.isFloat { notes.append(.samplesRounded(from: wanted, to: nearest)) }
        return nearest
    }

    /// Returns the requested sample rate or the input's, replaced by the next higher one that the codec supports, or the highest.
    private mutating func sampleRate(_ channelCount: Int) -> Int {
        let rate = source.sampleRate
        // Opus always codes at 48 kHz.
        let preset = codec == .opus ? nil : configuration.preset?.sampleRate
        if codec != .ilbc, let requested = configuration.sampleRate ?? preset { return requested }
        let used: Int
        switch codec {
        case .pcm, .alac: return rate
        case .aac: used = supportedByAAC(rate, channelCount)
        case .opus: used = Self.supported(OpusEncoderConfiguration.sampleRates, for: rate)
        case .ilbc: used = ILBCMode.sampleRate
        }
        // Most music is sampled at 44.1 kHz, so `encode` converts it for Opus without a note.
        let isUsual = codec == .opus && configuration.verb == .encode
        if used != rate, configuration.sampleRate != used, !isUsual {
            notes.append(.sampleRateConverted(from: rate, to: used, codec: codec))
        }
        return used
    }

    /// Returns `rate`, or the next higher one that the profile supports, which preserves the bandwidth, or the highest.
    private func supportedByAAC(_ rate: Int, _ channelCount: Int) -> Int {
        if let rates = configuration.settings.rateGroup?.sampleRates { return rates.contains(rate) ? rate : rates.max() ?? rate }
        return Self.supported(AACEncoderConfiguration.sampleRates(of: profile(channelCount), channelCount: channelCount), for: rate)
    }

    /// Returns `rate`, or the next higher supported rate, or the highest.
    static func supported(_ rates: [Int], for rate: Int) -> Int { rates.filter { $0 >= rate }.min() ?? rates.max() ?? rate }

    /// Returns the requested channel count or the input's, limited to the codec's maximum.
    private mutating func channelCount() -> Int {
        let count = source.channelCount
        let asked =
            switch configuration.channels {
            case .automatic: configuration.channelCount(from: count)
            case .map(let map): map.sources.count
            case .matrix(let matrix): matrix.gains.count
            }
        let used = codec == .ilbc ? 1 : asked
        if case .automatic = configuration.channels, !configuration.addsChannels, let requested = configuration.channelCount,
            requested > count
        {
            notes.append(.channelsKept(count, requested: requested))
        }
        if used != count, asked != used { notes.append(.channelsMixed(from: count, to: used, codec: codec)) }
        return used
    }

    /// Returns the output's channel layout, if known.
    private func layout(_ channelCount: Int) -> ChannelLayout? {
        guard case .automatic = configuration.channels else { return nil }
        if channelCount == source.channelCount { return source.channelLayout }
        return ChannelConfiguration(channelCount: channelCount)?.layout.inWAVOrder
    }

    /// Returns the encoder's parameters, or `nil` for PCM.
    ///
    /// - Throws: `CodecError` for a bit rate that iLBC does not support. The other encoders check theirs.
    mutating func encoder(_ target: AudioFormat) throws(CodecError) -> AudioEncoderConfiguration? {
        switch codec {
        case .pcm: nil
        case .aac: .aac(aacEncoder(target))
        case .opus: .opus(opusEncoder(target))
        case .ilbc: .ilbc(try ILBCMode(bitRate: configuration.bitRate))
        case .alac:
            .alac(
                ALACConfiguration(
                    sampleRate: target.sampleRate, channelCount: target.channelCount, bitDepth: 8 * target.encoding.byteCount))
        }
    }

    /// Returns the requested profile or the default one.
    private func profile(_ channelCount: Int) -> AACProfile {
        let standard: AACProfile = configuration.settings.rateGroup == nil ? .lowComplexity : .automatic
        let profile = configuration.settings.profile ?? configuration.preset?.profile ?? standard
        return profile == .highEfficiencyV2 && channelCount == 1 ? .highEfficiency : profile
    }

    private mutating func aacEncoder(_ target: AudioFormat) -> AACEncoderConfiguration {
        let (rate, count, preset) = (target.sampleRate, target.channelCount, configuration.preset)
        var encoder = AACEncoderConfiguration(
            sampleRate: rate, channelCount: count, settings: preset?.completing(configuration.settings) ?? configuration.settings)
        let requested = encoder.profile
        encoder.profile = profile(count)
        let rates = AACEncoderConfiguration.bitRates(sampleRate: rate, channelCount: count)
        encoder.settings.rateControl =
            switch configuration.settings.rateControl ?? configuration.bitRate.map({ .average(bitRate: $0) }) {
            case .average(let rate)?: .average(bitRate: configuration.scaled(rate, to: count, within: rates))
            case .constant(let rate)?: .constant(bitRate: configuration.scaled(rate, to: count, within: rates))
            case let other: other ?? preset?.rateControl(sampleRate: rate, channelCount: count) ?? encoder.usualRateControl
            }
        if count == 1, requested == .highEfficiencyV2 { notes.append(.profileReplaced(requested: requested, used: encoder.profile)) }
        encoder.alignsDelay = configuration.omitsDelay
        if count > 2 { encoder.inputLayout = target.channelLayout?.namedAsInAAC }
        return encoder
    }

    private func opusEncoder(_ target: AudioFormat) -> OpusEncoderConfiguration {
        let count = target.channelCount
        var parameters = configuration.opus
        parameters.bitRate =
            (parameters.bitRate ?? configuration.bitRate).map {
                configuration.scaled($0, to: count, within: OpusEncoderConfiguration.bitRates(channelCount: count))
            } ?? configuration.preset?.bitRate(sampleRate: OpusConfiguration.sampleRate, channelCount: count)
        var encoder = parameters.encoderConfiguration(sampleRate: source.sampleRate, channelCount: count)
        encoder.sampleRate = target.sampleRate
        encoder.invalidSamples = configuration.settings.invalidSamples == .silence ? .silence : .throwError
        let isUnchanged = target.sampleRate == source.sampleRate && count == source.channelCount
        let depth = properties.streamDescription.bitsPerChannel
        if isUnchanged, !source.encoding.isFloat, OpusEncoderConfiguration.sourceBitDepths.contains(depth) {
            encoder.sourceBitDepth = depth
        }
        if count > 2, count == source.channelCount, let needed = try? OpusChannelMapping(channelCount: count).channelLayout {
            encoder.inputLayout = source.channelLayout?.matching(needed)
        }
        return encoder
    }

    /// Returns a note if input channels without a layout are mixed.
    func averageNote(_ target: AudioFormat) -> ConversionNote? {
        let count = source.channelCount
        guard case .automatic = configuration.channels, source.channelLayout == nil, ChannelLayout(usualChannelCount: count) == nil,
            target.channelCount < count
        else { return nil }
        return .channelsAveraged(from: count, to: target.channelCount)
    }

    /// Returns both layouts if the encoder has as many channels as the input but a different layout, so that the input is mixed.
    func foreignSpeakers(_ encoder: AudioEncoderConfiguration?) -> (found: ChannelLayout, used: ChannelLayout)? {
        guard case .automatic = configuration.channels, let found = source.channelLayout, let used = encoder?.channelLayout,
            found.channelCount > 2, found.channelCount == used.channelCount, found.matching(used) == nil
        else { return nil }
        return (found, used)
    }

    func options(_ target: AudioFormat) -> AudioConverterOptions {
        var options = AudioConverterOptions()
        options.quality = configuration.rateQuality
        options.channels = configuration.channels
        let isShort = !target.encoding.isFloat && target.encoding.byteCount <= 2
        options.dither = configuration.dither ?? (isShort ? .triangular : .none)
        return options
    }

    /// Whether input and output have the same lossy codec and no requested change requires decoding.
    func keepsCodec(of input: ConversionInput) -> Bool {
        codec != .pcm && configuration.verb != .decode && input.codec == codec && configuration.preset == nil
            && configuration.sampleRate ?? source.sampleRate == source.sampleRate
            && configuration.channelCount ?? source.channelCount == source.channelCount && configuration.channels == .automatic
            && configuration.bitRate == nil && configuration.settings == AACEncoderSettings() && configuration.keepsLoudness
            && configuration.opus == OpusParameters() && configuration.decoding.isUsual
    }
}
