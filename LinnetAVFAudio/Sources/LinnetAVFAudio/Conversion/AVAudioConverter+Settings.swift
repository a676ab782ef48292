// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
internal import AudioConversion
internal import AudioContainers
internal import AudioPrimitives
internal import CLinnetAudioTypes
public import Foundation

extension AVAudioConverter {
    /// The input channel of each output channel.
    ///
    /// A negative number means silence.
    public var channelMap: [NSNumber] {
        get {
            let counts = (Int(inputFormat.channelCount), Int(outputFormat.channelCount))
            return settings.channelMap ?? ConversionSettings.usualMap(from: counts.0, to: counts.1).map { NSNumber(value: $0 ?? -1) }
        }
        set { settings.channelMap = newValue }
    }

    /// The magic cookie of the input, which can be set, or of the output.
    public var magicCookie: Data? {
        get { settings.magicCookie ?? (try? currentEngine())?.outputMagicCookie.map { Data($0) } }
        set { settings.magicCookie = newValue }
    }

    /// Whether to downmix to fewer output channels.
    ///
    /// The default, false, drops the other channels.
    public var downmix: Bool {
        get { settings.isDownmixing }
        set { settings.isDownmixing = newValue }
    }

    /// Whether to add triangular dither when converting to integers with fewer bits.
    public var dither: Bool {
        get { settings.isDithering }
        set { settings.isDithering = newValue }
    }

    /// The sample rate conversion quality, 0 to 127, as in ``AVAudioQuality``.
    public var sampleRateConverterQuality: Int {
        get { settings.quality }
        set { settings.quality = newValue }
    }

    /// The sample rate conversion algorithm, an `AVSampleRateConverterAlgorithm`.
    public var sampleRateConverterAlgorithm: String? {
        get { settings.algorithm }
        set { settings.algorithm = newValue }
    }

    /// The handling of frames before and after the audio.
    public var primeMethod: AVAudioConverterPrimeMethod {
        get { settings.primeMethod }
        set { settings.primeMethod = newValue }
    }

    /// The frames before and after the audio: an encoder's, where the latter are known at the end, or those to remove after a decoder.
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

    /// The encoder's bit rate, in bits per second over all channels; 0 without an encoder.
    ///
    /// Inapplicable rates are ignored.
    public var bitRate: Int {
        get { (try? currentEngine())?.encoder?.bitRate ?? settings.bitRate ?? 0 }
        set {
            if hasBegun {
                // Kept for a reset.
                if let encoder = (try? currentEngine())?.encoder, (try? encoder.setBitRate(newValue)) != nil { settings.bitRate = newValue }
            } else {
                attempt { $0.bitRate = newValue }
            }
        }
    }

    /// The bit rate strategy, an `AVAudioBitRateStrategy`; `nil` without an encoder.
    public var bitRateStrategy: String? {
        get { encoderDescription != nil ? settings.bitRateStrategy ?? AVAudioBitRateStrategy_LongTermAverage : nil }
        set { attempt { $0.bitRateStrategy = newValue } }
    }

    /// The maximum size of an output packet, in bytes.
    public var maximumOutputPacketSize: Int { (try? currentEngine())?.maximumOutputPacketByteCount ?? 0 }

    /// The usual bit rates that the encoder supports for any format; `nil` without an encoder.
    public var availableEncodeBitRates: [NSNumber]? {
        guard let encoder = encoderDescription, case .list(let rates) = encoder.sampleRates else { return nil }
        return Self.usualBitRates(
            in: rates.flatMap { rate in
                encoder.channelCounts.flatMap { encoder.applicableBitRates(sampleRate: rate, channelCount: $0) }
            })
    }

    /// The usual bit rates that the encoder supports for this converter's formats; `nil` without an encoder.
    public var applicableEncodeBitRates: [NSNumber]? {
        encoderDescription.map {
            Self.usualBitRates(
                in: $0.applicableBitRates(sampleRate: Int(outputFormat.sampleRate), channelCount: Int(outputFormat.channelCount)))
        }
    }

    /// The sample rates that the encoder supports; `nil` without an encoder.
    public var availableEncodeSampleRates: [NSNumber]? {
        guard let encoder = encoderDescription, case .list(let rates) = encoder.sampleRates else { return nil }
        return rates.map { NSNumber(value: $0) }
    }

    /// The sample rates that the encoder supports for this converter's formats; `nil` without an encoder.
    public var applicableEncodeSampleRates: [NSNumber]? { availableEncodeSampleRates }

    /// The channel layouts that the encoder supports; `nil` without an encoder.
    public var availableEncodeChannelLayoutTags: [NSNumber]? {
        encoderDescription?.channelLayouts.compactMap { $0.avAudioChannelLayout.map { NSNumber(value: $0.layoutTag) } }
    }

    /// The encoder's description; `nil` without an encoder.
    private var encoderDescription: CodecDescription? {
        let formatID = AudioPrimitives.FourCharCode(rawValue: outputFormat.streamDescription.pointee.mFormatID)
        return CodecRegistry().codecs(.encoder, formatID).first
    }

    /// Returns the usual bit rates in ranges, and fixed rates.
    private static func usualBitRates(in ranges: [ClosedRange<Int>]) -> [NSNumber] {
        let usual = [
            6, 8, 12, 16, 20, 24, 28, 32, 40, 48, 56, 64, 72, 80, 96, 112, 128, 144, 160, 192, 224, 256, 288, 320, 384, 448, 510, 512, 576,
            640, 768,
        ]
        let fixed = ranges.filter { $0.count == 1 }.map(\.lowerBound)
        let rates = Set(usual.map { $0 * 1000 }.filter { rate in ranges.contains { $0.contains(rate) } } + fixed)
        return rates.sorted().map { NSNumber(value: $0) }
    }

    /// Changes the settings, unless the encoder rejects them.
    private func attempt(_ change: (inout ConversionSettings) -> Void) {
        guard !hasBegun else { return }
        let before = settings
        change(&settings)
        if (try? currentEngine()) == nil { settings = before }
    }
}
#endif
