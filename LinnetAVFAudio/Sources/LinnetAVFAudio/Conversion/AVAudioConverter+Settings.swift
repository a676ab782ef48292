// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
internal import AudioConversion
internal import AudioContainers
internal import AudioPrimitives
internal import CLinnetAudioTypes
public import Foundation

extension AVAudioConverter {
    /// For each channel of the output, the channel of the input; a negative number is silence.
    public var channelMap: [NSNumber] {
        get { settings.channelMap ?? (0..<Int(outputFormat.channelCount)).map { NSNumber(value: $0 < inputFormat.channelCount ? $0 : -1) } }
        set { settings.channelMap = newValue }
    }

    /// The magic cookie: of the input, which can be set, or of the output.
    public var magicCookie: Data? {
        get { settings.magicCookie ?? (try? currentEngine())?.outputConfiguration?.magicCookie.map { Data($0) } }
        set { settings.magicCookie = newValue }
    }

    /// Whether channels are mixed where there are fewer in the output; false, the default, leaves the others out.
    public var downmix: Bool {
        get { settings.isDownmixing }
        set { settings.isDownmixing = newValue }
    }

    /// Whether noise with a triangular distribution is added where integers have fewer bits.
    public var dither: Bool {
        get { settings.isDithering }
        set { settings.isDithering = newValue }
    }

    /// The quality of rate conversion, 0 to 127, as ``AVAudioQuality``.
    public var sampleRateConverterQuality: Int {
        get { settings.quality }
        set { settings.quality = newValue }
    }

    /// The algorithm of rate conversion, an `AVSampleRateConverterAlgorithm`.
    public var sampleRateConverterAlgorithm: String? {
        get { settings.algorithm }
        set { settings.algorithm = newValue }
    }

    /// The treatment of frames before and after the audio.
    public var primeMethod: AVAudioConverterPrimeMethod {
        get { settings.primeMethod }
        set { settings.primeMethod = newValue }
    }

    /// The frames before and after the audio: of the encoder, the latter known at the end; or those to remove after a decoder.
    public var primeInfo: AVAudioConverterPrimeInfo {
        get {
            if let set = settings.primeInfo { return set }
            guard let engine = try? currentEngine() else { return AVAudioConverterPrimeInfo() }
            return AVAudioConverterPrimeInfo(
                leadingFrames: AVAudioFrameCount(engine.outputPrimingFrames),
                trailingFrames: AVAudioFrameCount(engine.outputGapless?.remainderFrames ?? 0))
        }
        set { settings.primeInfo = newValue }
    }

    // MARK: Encoding

    /// The bit rate of the encoder, in bits per second of all channels; 0 without one.
    ///
    /// A rate that is not applicable changes nothing.
    public var bitRate: Int {
        get { (try? currentEngine())?.encoder?.bitRate ?? settings.bitRate ?? 0 }
        set {
            if hasBegun {
                try? (try? currentEngine())?.encoder?.setBitRate(newValue)
            } else {
                attempt { $0.bitRate = newValue }
            }
        }
    }

    /// The control of the bit rate, an `AVAudioBitRateStrategy`; nil without an encoder.
    public var bitRateStrategy: String? {
        get { encoderDescription != nil ? settings.bitRateStrategy ?? AVAudioBitRateStrategy_LongTermAverage : nil }
        set { attempt { $0.bitRateStrategy = newValue } }
    }

    /// The size in bytes that no packet of the output exceeds.
    public var maximumOutputPacketSize: Int { (try? currentEngine())?.maximumOutputPacketByteCount ?? 0 }

    /// The usual bit rates that the encoder has for any format; nil without an encoder.
    public var availableEncodeBitRates: [NSNumber]? {
        guard let encoder = encoderDescription, case .list(let rates) = encoder.sampleRates else { return nil }
        return Self.usualBitRates(
            in: rates.flatMap { rate in
                encoder.channelCounts.flatMap { encoder.applicableBitRates(sampleRate: rate, channelCount: $0) }
            })
    }

    /// The usual bit rates that the encoder has for the formats of this converter; nil without an encoder.
    public var applicableEncodeBitRates: [NSNumber]? {
        encoderDescription.map {
            Self.usualBitRates(
                in: $0.applicableBitRates(sampleRate: Int(outputFormat.sampleRate), channelCount: Int(outputFormat.channelCount)))
        }
    }

    /// The sample rates that the encoder has; nil without an encoder.
    public var availableEncodeSampleRates: [NSNumber]? {
        guard let encoder = encoderDescription, case .list(let rates) = encoder.sampleRates else { return nil }
        return rates.map { NSNumber(value: $0) }
    }

    /// The sample rates that the encoder has for the formats of this converter; nil without an encoder.
    public var applicableEncodeSampleRates: [NSNumber]? { availableEncodeSampleRates }

    /// The layouts that the encoder has; nil without an encoder.
    public var availableEncodeChannelLayoutTags: [NSNumber]? {
        encoderDescription?.channelLayouts.compactMap { $0.avAudioChannelLayout.map { NSNumber(value: $0.layoutTag) } }
    }

    /// The description of the encoder; nil without one.
    private var encoderDescription: CodecDescription? {
        let formatID = AudioPrimitives.FourCharCode(rawValue: outputFormat.streamDescription.pointee.mFormatID)
        return CodecRegistry().codecs(.encoder, formatID).first
    }

    /// Returns the usual bit rates in ranges, and fixed ones.
    private static func usualBitRates(in ranges: [ClosedRange<Int>]) -> [NSNumber] {
        let usual = [
            6, 8, 12, 16, 20, 24, 28, 32, 40, 48, 56, 64, 72, 80, 96, 112, 128, 144, 160, 192, 224, 256, 288, 320, 384, 448, 510, 512, 576,
            640, 768,
        ]
        let fixed = ranges.filter { $0.count == 1 }.map(\.lowerBound)
        let rates = Set(usual.map { $0 * 1000 }.filter { rate in ranges.contains { $0.contains(rate) } } + fixed)
        return rates.sorted().map { NSNumber(value: $0) }
    }

    /// Changes the settings, unless the encoder refuses them.
    private func attempt(_ change: (inout ConversionSettings) -> Void) {
        guard !hasBegun else { return }
        let before = settings
        change(&settings)
        if (try? currentEngine()) == nil { settings = before }
    }
}
#endif
