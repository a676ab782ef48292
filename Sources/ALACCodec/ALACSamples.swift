// SPDX-License-Identifier: Apache-2.0

package import AudioPrimitives

/// The integer samples of a packet, channel by channel.
package struct ALACSamples: Hashable, Sendable {
    /// The number of bits per sample.
    ///
    /// Integers range from `-1 << (bitDepth - 1)` to `1 << (bitDepth - 1) - 1`.
    package private(set) var bitDepth = 16

    package private(set) var channelCount = 0

    /// The number of sample frames, at most ``stride``.
    package var frameCount = 0

    /// The distance between channels in ``samples``, at least ``frameCount``.
    package private(set) var stride = 0

    /// All samples, where channel `c` starts at `c * stride`.
    package var samples: ContiguousArray<Int32> = []

    /// Creates an empty value for ``ALACDecoder/decode(_:into:)-(_,ALACSamples)``.
    package init() {}

    /// Creates a value with space for the frames of a packet.
    package init(_ configuration: ALACConfiguration) { prepare(configuration) }

    /// Returns the range of a channel's frames in ``samples``.
    package func range(ofChannel channel: Int) -> Range<Int> { channel * stride..<channel * stride + frameCount }

    package func channel(_ channel: Int) -> [Int32] { Array(samples[range(ofChannel: channel)]) }

    /// Allocates storage for the packets of a stream and removes all frames.
    mutating func prepare(_ configuration: ALACConfiguration) {
        bitDepth = configuration.bitDepth
        channelCount = configuration.channelCount
        stride = configuration.frameLength
        frameCount = 0
        let count = channelCount * stride
        if samples.count != count { samples = ContiguousArray(repeating: 0, count: count) }
    }

    /// Converts these samples to floating point in a buffer, with full scale at ±1 and 32-bit samples rounded to nearest.
    ///
    /// - Parameter buffer: A buffer with the same channel count and sufficient capacity.
    package func convert(into buffer: inout PCMBuffer) {
        precondition(buffer.channelCount == channelCount && buffer.frameCapacity >= frameCount)
        buffer.frameCount = frameCount
        let scale = 1 / Float(UInt32(1) << UInt32(bitDepth - 1))
        let capacity = buffer.frameCapacity
        let source = samples.span
        var target = buffer.samples.mutableSpan
        for channel in 0..<channelCount {
            for frame in 0..<frameCount { target[channel * capacity + frame] = Float(source[channel * stride + frame]) * scale }
        }
    }
}
