// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
public import AVFAudio

extension PCMFormat {
    /// Creates a format from an AVAudioFormat, or returns `nil` if it has no common format.
    ///
    /// Type-checked only; see Documentation/Internals/Apple.md.
    public init?(_ format: AVAudioFormat) {
        let sampleFormat: SampleFormat
        switch format.commonFormat {
        case .pcmFormatFloat32: sampleFormat = .float32
        case .pcmFormatFloat64: sampleFormat = .float64
        case .pcmFormatInt16: sampleFormat = .int16
        case .pcmFormatInt32: sampleFormat = .int32
        default: return nil
        }
        self.init(sampleFormat, channelCount: Int(format.channelCount), isInterleaved: format.isInterleaved)
    }

    /// Returns the equivalent AVAudioFormat, or `nil` for 24-bit and big-endian samples.
    ///
    /// - Parameter sampleRate: The sample rate, in hertz.
    public func avAudioFormat(sampleRate: Int) -> AVAudioFormat? {
        let commonFormat: AVAudioCommonFormat
        switch sampleFormat {
        case .float32: commonFormat = .pcmFormatFloat32
        case .float64: commonFormat = .pcmFormatFloat64
        case .int16: commonFormat = .pcmFormatInt16
        case .int32: commonFormat = .pcmFormatInt32
        case .int24: return nil
        }
        guard !isBigEndian else { return nil }
        return AVAudioFormat(
            commonFormat: commonFormat, sampleRate: Double(sampleRate), channels: AVAudioChannelCount(channelCount),
            interleaved: isInterleaved)
    }
}
#endif
