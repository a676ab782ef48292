// SPDX-License-Identifier: Apache-2.0

extension PCMBuffer {
    /// Converts the samples to interleaved 16-bit integers, rounded by ``SampleRounding``.
    ///
    /// - Parameter target: Receives the samples of all channels, starting at its first element, and must have room for them.
    package func copyIntegers(to target: inout MutableSpan<Int16>) {
        precondition(frameCount * channelCount <= target.count)
        let source = samples.span
        guard channelCount != 2 else {
            let (left, right) = (source.extracting(0..<frameCount), source.extracting(frameCapacity..<frameCapacity + frameCount))
            for frame in 0..<frameCount {
                // Within all three spans, as just checked.
                unsafe target[unchecked: 2 &* frame] = Self.integer(left[unchecked: frame])
                unsafe target[unchecked: 2 &* frame &+ 1] = Self.integer(right[unchecked: frame])
            }
            return
        }
        for channel in 0..<channelCount {
            let plane = source.extracting(channel * frameCapacity..<channel * frameCapacity + frameCount)
            for frame in 0..<frameCount {
                // As above.
                unsafe target[unchecked: frame &* channelCount &+ channel] = Self.integer(plane[unchecked: frame])
            }
        }
    }

    @inline(__always)
    private static func integer(_ sample: Float) -> Int16 { Int16(truncatingIfNeeded: SampleRounding.bits16(sample * 32768)) }
}
