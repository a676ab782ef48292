// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
internal import AudioConversion
internal import AudioPrimitives
internal import Foundation
internal import PCMFiles

/// The settings of a converter.
struct ConversionSettings {
    var magicCookie: Data?
    var channelMap: [NSNumber]?
    var isDownmixing = false
    var isDithering = false
    var quality = AVAudioQuality.high.rawValue
    var algorithm: String?
    var primeMethod = AVAudioConverterPrimeMethod.normal
    var primeInfo: AVAudioConverterPrimeInfo?
    var bitRate: Int?
    var bitRateStrategy: String?

    func options(from input: AVAudioFormat, to output: AVAudioFormat) -> AudioConverterOptions {
        var options = AudioConverterOptions()
        options.quality = rateQuality
        options.channels = mapping(from: Int(input.channelCount), to: Int(output.channelCount))
        options.dither = isDithering ? .triangular : .none
        if let primeInfo {
            let (leading, trailing) = (Int(primeInfo.leadingFrames), Int(primeInfo.trailingFrames))
            // The stream length is unknown, so that only its start can be trimmed.
            if !input.streamDescription.pointee.isLinearPCM {
                options.inputGapless = GaplessInfo(primingFrames: leading, validFrames: Int.max / 4, remainderFrames: trailing)
            }
        }
        switch primeMethod {
        case .pre: options.primeMethod = .pre(leadingFrames: Int(primeInfo?.leadingFrames ?? 0))
        case .normal: options.primeMethod = .normal
        case .none: options.primeMethod = .none
        }
        return options
    }

    private var rateQuality: SampleRateConverterQuality {
        if algorithm == AVSampleRateConverterAlgorithm_Mastering { return .maximum }
        return switch quality {
        case ..<AVAudioQuality.low.rawValue: .minimum
        case ..<AVAudioQuality.medium.rawValue: .low
        case ..<AVAudioQuality.high.rawValue: .medium
        case ..<AVAudioQuality.max.rawValue: .high
        default: .maximum
        }
    }

    /// Returns the channel mapping.
    ///
    /// Without a map or downmix, channels are copied one to one, and mono to both stereo channels.
    private func mapping(from inputs: Int, to outputs: Int) -> ChannelMapping {
        if let channelMap { return .map(ChannelMap(channelMap.map { $0.intValue >= 0 ? $0.intValue : nil })) }
        if isDownmixing || inputs == outputs { return .automatic }
        return .map(ChannelMap(Self.usualMap(from: inputs, to: outputs)))
    }

    /// Returns the input channel of each output channel without a map, or `nil` for silence.
    static func usualMap(from inputs: Int, to outputs: Int) -> [Int?] {
        (0..<outputs).map { $0 < inputs ? $0 : inputs == 1 && $0 == 1 ? 0 : nil }
    }

    var encoderSettings: SettingsDictionary {
        var values: [String: Any] = [:]
        values[AVEncoderBitRateKey] = bitRate
        values[AVEncoderBitRateStrategyKey] = bitRateStrategy
        return SettingsDictionary(values)
    }
}
#endif
