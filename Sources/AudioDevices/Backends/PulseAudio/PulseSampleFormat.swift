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
#endif
