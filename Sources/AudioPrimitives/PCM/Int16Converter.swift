// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// Converts samples to interleaved 16-bit integers.
///
/// Samples are rounded to nearest, ties to even, and clipped to the range of the integers. With dither, noise with a triangular
/// distribution of two steps is added first, which makes the rounding error independent of the signal.
package struct Int16Converter: Sendable {
    /// Whether noise is added before rounding.
    package let isDithered: Bool

    private var random: UInt32 = 0x9E37_79B9

    /// Creates a converter; the noise is the same on every run.
    package init(isDithered: Bool = false) { self.isDithered = isDithered }

    /// Replaces `samples` by those of the buffer, frame by frame; allocates only when it is longer than any before.
    package mutating func convert(_ buffer: PCMBuffer, into samples: inout [Int16]) {
        let (channelCount, frameCount) = (buffer.channelCount, buffer.frameCount)
        let count = channelCount * frameCount
        if samples.count > count { samples.removeLast(samples.count - count) }
        if samples.count < count { samples.append(contentsOf: repeatElement(0, count: count - samples.count)) }
        let source = buffer.samples.span
        samples.withMutableSpan { target in
            for channel in 0..<channelCount {
                let first = channel &* buffer.frameCapacity
                for frame in 0..<frameCount {
                    let dither = isDithered ? noise() : 0
                    target[frame &* channelCount &+ channel] = Int16(
                        truncatingIfNeeded: SampleRounding.bits16(source[first &+ frame] * 32768 + dither))
                }
            }
        }
    }

    /// The sum of two numbers from -1/2 to 1/2, in steps of the integers.
    @inline(__always)
    private mutating func noise() -> Float {
        random = random &* 1_664_525 &+ 1_013_904_223
        let first = Float(Int32(bitPattern: random) >> 8)
        random = random &* 1_664_525 &+ 1_013_904_223
        let second = Float(Int32(bitPattern: random) >> 8)
        return (first + second) * 0x1p-24
    }
}
