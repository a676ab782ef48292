// SPDX-License-Identifier: Apache-2.0

internal import AACCodec
internal import AudioConversion
internal import AudioPrimitives
internal import MPEG4Audio
internal import OpusCodec
internal import PCMFiles

/// The choice of sample rate, channels, encoding and dither of an output.
struct ConversionTarget {
    private let configuration: FileConverterConfiguration
    private let properties: PCMFileProperties
    private let source: AudioFormat
    private let fileFormat: OutputFileFormat
    private let codec: OutputCodec

    /// Creates a choice for an input with some properties.
    init(
        _ configuration: FileConverterConfiguration, _ properties: PCMFileProperties, _ source: AudioFormat, format: OutputFileFormat,
        codec: OutputCodec
    ) {
        self.configuration = configuration
        self.properties = properties
        self.source = source
        fileFormat = format
        self.codec = codec
    }

    /// Returns the format of the output in memory, and adds notes about what was not asked for.
    func format(_ notes: inout [ConversionNote]) -> AudioFormat {
        let channelCount = channelCount(&notes)
        return AudioFormat(
            encoding(&notes), sampleRate: sampleRate(&notes), channelCount: channelCount, channelLayout: layout(channelCount))
    }

    /// Returns the encoding that was asked for, in the file format's byte order, or the one that keeps most of the input.
    private func encoding(_ notes: inout [ConversionNote]) -> SampleEncoding {
        guard codec == .pcm, let file = fileFormat.pcm else { return .float32 }
        if let encoding = configuration.encoding { return file.counterpart(of: encoding) }
        if properties.isLossy, file.isFLAC { return .int16 }
        let nearest = file.encoding(nearestTo: source.encoding)
        if nearest.isFloat != source.encoding.isFloat || nearest.byteCount < source.encoding.byteCount {
            notes.append(.samplesRounded(from: source.encoding, to: nearest))
        }
        return nearest
    }

    /// Returns the sample rate that was asked for, or the input's, or one that the codec supports.
    private func sampleRate(_ notes: inout [ConversionNote]) -> Int {
        let rate = source.sampleRate
        let used: Int
        switch codec {
        case .pcm: return configuration.sampleRate ?? rate
        case .aac: used = configuration.sampleRate ?? Self.supported(AACEncoderConfiguration.sampleRates, for: rate)
        // Opus itself always works at 48 kHz.
        case .opus: used = configuration.sampleRate ?? Self.supported(OpusEncoderConfiguration.sampleRates, for: rate)
        case .ilbc: used = ILBCMode.sampleRate
        }
        if used != rate, configuration.sampleRate != used { notes.append(.sampleRateConverted(from: rate, to: used, codec: codec)) }
        return used
    }

    /// Returns a rate, or the next supported one above it, or the highest.
    static func supported(_ rates: [Int], for rate: Int) -> Int { rates.filter { $0 >= rate }.min() ?? rates.max() ?? rate }

    /// Returns the number of channels that was asked for, or the input's, or the most that the codec supports.
    private func channelCount(_ notes: inout [ConversionNote]) -> Int {
        let count = source.channelCount
        let asked: Int? =
            switch configuration.channels {
            case .automatic: configuration.channelCount
            case .map(let map): map.sources.count
            case .matrix(let matrix): matrix.gains.count
            }
        let used = codec == .ilbc ? 1 : asked ?? count
        if used != count, asked != used { notes.append(.channelsMixed(from: count, to: used, codec: codec)) }
        return used
    }

    /// Returns the speakers of the output's channels, as far as they are known.
    private func layout(_ channelCount: Int) -> ChannelLayout? {
        guard case .automatic = configuration.channels else { return nil }
        if channelCount == source.channelCount { return source.channelLayout }
        return ChannelConfiguration(channelCount: channelCount)?.layout.inWAVOrder
    }

    /// Returns the parameters of the encoder; nil for PCM.
    func encoder(_ target: AudioFormat) -> AudioEncoderConfiguration? {
        switch codec {
        case .pcm: return nil
        case .aac:
            var encoder = AACEncoderConfiguration(
                sampleRate: target.sampleRate, channelCount: target.channelCount, settings: configuration.settings)
            if encoder.settings.rateControl == nil, let bitRate = configuration.bitRate { encoder.rateControl = .average(bitRate: bitRate) }
            if target.channelCount > 2 { encoder.inputLayout = target.channelLayout?.namedAsInAAC }
            return .aac(encoder)
        case .opus:
            var encoder = OpusEncoderConfiguration(
                sampleRate: target.sampleRate, channelCount: target.channelCount, bitRate: configuration.bitRate)
            encoder.originalSampleRate = properties.sampleRate
            encoder.sourceBitDepth = source.encoding.isFloat ? 24 : min(24, max(8, source.encoding.byteCount * 8))
            return .opus(encoder)
        case .ilbc: return .ilbc(configuration.bitRate.map { $0 < 14_000 } ?? false ? .milliseconds30 : .milliseconds20)
        }
    }

    /// Returns a note if the channels of the input are mixed without knowing their speakers.
    var averageNote: ConversionNote? {
        guard case .automatic = configuration.channels, source.channelLayout == nil, ChannelLayout.isAveraged(source.channelCount) else {
            return nil
        }
        let count = codec == .ilbc ? 1 : configuration.channelCount ?? source.channelCount
        return count < source.channelCount ? .channelsAveraged(from: source.channelCount, to: count) : nil
    }

    /// Returns a note if the encoder has as many channels as the input, but other speakers, to which the input is mixed.
    func speakersNote(_ encoder: AudioEncoderConfiguration?) -> ConversionNote? {
        guard case .automatic = configuration.channels, let found = source.channelLayout, let used = encoder?.channelLayout,
            found.channelCount > 2, found.channelCount == used.channelCount, found.matching(used) == nil
        else { return nil }
        return .speakersMixed(from: found, to: used, codec: codec)
    }

    /// Returns the options of the converter.
    func options(_ target: AudioFormat) -> AudioConverterOptions {
        var options = AudioConverterOptions()
        options.quality = configuration.rateQuality
        options.channels = configuration.channels
        let isShort = !target.encoding.isFloat && target.encoding.byteCount <= 2
        options.dither = configuration.dither ?? (codec == .pcm && isShort ? .triangular : .none)
        return options
    }

    /// Whether input and output are of the same lossy codec, and nothing was asked for that needs decoding.
    func keepsCodec(of input: ConversionInput) -> Bool {
        codec != .pcm && input.codec == codec && configuration.sampleRate ?? source.sampleRate == source.sampleRate
            && configuration.channelCount ?? source.channelCount == source.channelCount && configuration.channels == .automatic
            && configuration.bitRate == nil && configuration.settings == AACEncoderSettings() && configuration.loudnessTarget == nil
    }
}
