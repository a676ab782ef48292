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

    init(gain: Float, isMuted: Bool) {
        self.gain = gain
        current = isMuted ? 0 : gain
    }

    /// Applies the ramp to interleaved samples in place.
    ///
    /// - Parameter mutedFrames: The number of frames at the start for which the ramp's target is silence.
    mutating func apply(to bytes: inout [UInt8], format: PCMFormat, sampleRate: Int, mutedFrames: Int) {
        let frameCount = bytes.count / format.bytesPerFrame
        let boundary = min(mutedFrames, frameCount)
        let step = max(gain.magnitude, 1) / Float(Self.duration * Double(sampleRate))
        apply(to: &bytes, format, frames: 0..<boundary, target: 0, step: step)
        apply(to: &bytes, format, frames: boundary..<frameCount, target: gain, step: step)
    }

    private mutating func apply(to bytes: inout [UInt8], _ format: PCMFormat, frames: Range<Int>, target: Float, step: Float) {
        if current == target {
            if target == 1 { return }
            if target == 0 {
                for index in frames.lowerBound * format.bytesPerFrame..<frames.upperBound * format.bytesPerFrame { bytes[index] = 0 }
                return
            }
        }
        for frame in frames {
            current = current < target ? min(current + step, target) : max(current - step, target)
            if current == 1 { continue }
            for index in frame * format.channelCount..<(frame + 1) * format.channelCount {
                let sample = InterleavedSamples.sample(at: index, in: bytes, format.sampleFormat) * current
                InterleavedSamples.store(sample, at: index, in: &bytes, format.sampleFormat)
            }
        }
    }
}
