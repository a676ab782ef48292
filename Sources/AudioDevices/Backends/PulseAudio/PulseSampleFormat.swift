// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
internal import AudioPrimitives
internal import CLinuxAudio

extension SampleFormat {
    /// The protocol's sample format, or `nil` if unsupported.
    var pulse: pa_sample_format_t? {
        switch self {
        case .int16: PA_SAMPLE_S16LE
        case .int24: PA_SAMPLE_S24LE
        case .int32: PA_SAMPLE_S32LE
        case .float32: PA_SAMPLE_FLOAT32LE
        case .float64: nil
        }
    }
}

extension CaptureConfiguration {
    /// Returns the sample format to request.
    ///
    /// - Parameters:
    ///   - rate: The device's sample rate in hertz, if known.
    ///   - channelCount: The device's channel count, if known.
    func pulseSpec(rate: Int?, channelCount deviceCount: Int?) throws(DeviceError) -> pa_sample_spec {
        guard let format = sampleFormat.pulse else { throw .unsupportedSetting(.sampleFormat(sampleFormat)) }
        let own = deviceCount ?? 2
        let channels = selectedChannels == nil ? channelCount ?? own : own
        return pa_sample_spec(format: format, rate: UInt32(sampleRate ?? rate ?? 48_000), channels: UInt8(channels))
    }
}
#endif
