// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// Audio in memory: 32-bit floating-point samples, full scale ±1, channel by channel.
public struct PCMBuffer: Hashable, Sendable {
    /// Sample rate in hertz.
    public let sampleRate: Int

    /// The number of channels.
    public let channelCount: Int

    /// Sample frames in use.
    public private(set) var frameCount: Int

    /// Sample frames that fit.
    public let frameCapacity: Int

    /// All samples; channel `c` begins at `c * frameCapacity`.
    public var samples: [Float]

    /// Creates a silent buffer of `frameCapacity` frames, of which `frameCount` (by default all) are in use.
    public init(sampleRate: Int, channelCount: Int, frameCapacity: Int, frameCount: Int? = nil) {
        precondition(channelCount > 0 && frameCapacity >= 0)
        self.sampleRate = sampleRate
        self.channelCount = channelCount
        self.frameCapacity = frameCapacity
        self.frameCount = frameCount ?? frameCapacity
        samples = [Float](repeating: 0, count: channelCount * frameCapacity)
        precondition(self.frameCount <= frameCapacity)
    }

    /// Returns the range of a channel's frames in ``samples``.
    @inline(__always)
    public func range(ofChannel channel: Int) -> Range<Int> {
        channel * frameCapacity..<channel * frameCapacity + frameCount
    }

    /// The frames in use of one channel, copied.
    public func channel(_ channel: Int) -> [Float] { Array(samples[range(ofChannel: channel)]) }

    /// Sets the number of frames in use, at most ``frameCapacity``.
    public mutating func setFrameCount(_ count: Int) {
        precondition(count >= 0 && count <= frameCapacity)
        frameCount = count
    }
}
