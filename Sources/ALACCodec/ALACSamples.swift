// SPDX-License-Identifier: Apache-2.0

package import AudioPrimitives

/// The integer samples that a packet decodes to, channel by channel.
package struct ALACSamples: Hashable, Sendable {
    /// The number of bits of a sample; the integers range from `-1 << (bitDepth - 1)` to one less than the opposite.
    package private(set) var bitDepth = 16

    /// The number of channels.
    package private(set) var channelCount = 0

    /// The number of sample frames.
    package internal(set) var frameCount = 0

    /// The distance from a channel to the next one in ``samples``, at least ``frameCount``.
    package private(set) var stride = 0

    /// All samples; channel `c` begins at `c * stride`.
    package internal(set) var samples: ContiguousArray<Int32> = []

    /// Creates samples of no frames, to be filled by ``ALACDecoder/decode(_:into:)-(_,ALACSamples)``.
    package init() {}

    /// Returns the range of a channel's frames in ``samples``.
    package func range(ofChannel channel: Int) -> Range<Int> { channel * stride..<channel * stride + frameCount }

    /// Returns the samples of one channel.
    package func channel(_ channel: Int) -> [Int32] { Array(samples[range(ofChannel: channel)]) }

    /// Makes room for the packets of a stream, and removes all frames.
    mutating func prepare(_ configuration: ALACConfiguration) {
        bitDepth = configuration.bitDepth
        channelCount = configuration.channelCount
        stride = configuration.frameLength
        frameCount = 0
        let count = channelCount * stride
        if samples.count != count { samples = ContiguousArray(repeating: 0, count: count) }
    }

    /// Replaces the frames of a buffer by these samples in floating point, full scale ±1; those of 32 bits are rounded to nearest.
    ///
    /// - Parameter buffer: A buffer with this number of channels and a sufficient capacity.
    package func convert(into buffer: inout PCMBuffer) {
        precondition(buffer.channelCount == channelCount && buffer.frameCapacity >= frameCount)
        buffer.frameCount = frameCount
        let scale = 1 / Float(1 << (bitDepth - 1))
        let capacity = buffer.frameCapacity
        let source = samples.span
        var target = buffer.samples.mutableSpan
        for channel in 0..<channelCount {
            for frame in 0..<frameCount { target[channel * capacity + frame] = Float(source[channel * stride + frame]) * scale }
        }
    }
}
