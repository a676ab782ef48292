// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives

/// Applies gain and mute to captured samples.
///
/// Changes are ramped over 10 ms to avoid clicks. A gain of 1 leaves samples unchanged.
struct GainRamp {
    /// The duration of a ramp from 0 to 1, in seconds.
    private static let duration = 0.01

    private var current: Float
    private let gain: Float

    /// Whether the ramp's target is silence.
    var isMuted: Bool

    /// Creates a ramp at its target.
    init(gain: Float, isMuted: Bool) {
        self.gain = gain
        self.isMuted = isMuted
        current = isMuted ? 0 : gain
    }

    /// Applies the ramp to interleaved samples in place.
    mutating func apply(to bytes: inout [UInt8], format: PCMFormat, sampleRate: Int) {
        let target: Float = isMuted ? 0 : gain
        if current == target {
            if target == 1 { return }
            if target == 0 {
                for index in bytes.indices { bytes[index] = 0 }
                return
            }
        }
        let step = max(gain.magnitude, 1) / Float(Self.duration * Double(sampleRate))
        for frame in 0..<bytes.count / format.bytesPerFrame {
            current = current < target ? min(current + step, target) : max(current - step, target)
            if current == 1 { continue }
            for index in frame * format.channelCount..<(frame + 1) * format.channelCount {
                let sample = InterleavedSamples.sample(at: index, in: bytes, format.sampleFormat) * current
                InterleavedSamples.store(sample, at: index, in: &bytes, format.sampleFormat)
            }
        }
    }
}
