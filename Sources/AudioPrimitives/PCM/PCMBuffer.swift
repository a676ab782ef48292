// SPDX-License-Identifier: Apache-2.0

/// A buffer of 32-bit floating-point samples with full scale ±1, channel by channel.
///
/// ```swift
/// var audio = PCMBuffer(channels: [left, right], sampleRate: 48_000)
/// let peak = audio[channel: 0].indices.reduce(0) { max($0, abs(audio[channel: 0][$1])) }
/// ```
public struct PCMBuffer: Sendable {
    /// The sample rate, in hertz.
    public let sampleRate: Int

    /// The channel count, at least 1.
    public let channelCount: Int

    /// The number of sample frames in use, from 0 to ``frameCapacity``.
    public var frameCount: Int {
        didSet { precondition(frameCount >= 0 && frameCount <= frameCapacity, "frameCount must be within the capacity") }
    }

    /// The number of sample frames that fit.
    public let frameCapacity: Int

    /// All samples, where channel `c` starts at `c * frameCapacity`.
    @usableFromInline
    package var samples: ContiguousArray<Float>

    /// Creates a silent buffer.
    ///
    /// - Parameters:
    ///   - sampleRate: The sample rate, in hertz.
    ///   - channelCount: The channel count, at least 1.
    ///   - frameCapacity: The number of sample frames that fit.
    ///   - frameCount: The number of sample frames in use, or `nil` for all.
    public init(sampleRate: Int, channelCount: Int, frameCapacity: Int, frameCount: Int? = nil) {
        precondition(channelCount > 0 && frameCapacity >= 0)
        self.sampleRate = sampleRate
        self.channelCount = channelCount
        self.frameCapacity = frameCapacity
        self.frameCount = frameCount ?? frameCapacity
        samples = ContiguousArray(repeating: 0, count: channelCount * frameCapacity)
        precondition(self.frameCount >= 0 && self.frameCount <= frameCapacity)
    }

    /// Creates a buffer from samples, all in use.
    ///
    /// - Parameters:
    ///   - channels: The samples of each channel: at least one channel, all with the same length.
    ///   - sampleRate: The sample rate, in hertz.
    public init(channels: [[Float]], sampleRate: Int) {
        let frameCount = channels.first?.count ?? 0
        precondition(!channels.isEmpty && channels.allSatisfy { $0.count == frameCount }, "channels must exist and have the same length")
        self.sampleRate = sampleRate
        channelCount = channels.count
        frameCapacity = frameCount
        self.frameCount = frameCount
        samples = []
        samples.reserveCapacity(channels.count * frameCount)
        for channel in channels { samples += channel }
    }

    // MARK: Channels

    /// The frames in use of one channel, without a copy.
    public subscript(channel channel: Int) -> Span<Float> {
        @_lifetime(borrow self)
        get { samples.span.extracting(range(ofChannel: channel)) }
    }

    /// Returns the frames in use of one channel for changes in place.
    @_lifetime(&self)
    public mutating func mutableChannel(_ channel: Int) -> MutableSpan<Float> {
        let range = range(ofChannel: channel)
        return samples.mutableSpan._consumingExtracting(range)
    }

    /// Copies sample frames of a buffer with the same channel count to a position within the capacity.
    package mutating func copyFrames(of source: PCMBuffer, from first: Int, count: Int, to position: Int) {
        let (from, capacity) = (source.samples.span, frameCapacity)
        var to = samples.mutableSpan
        for channel in 0..<source.channelCount {
            let (input, output) = (channel * source.frameCapacity + first, channel * capacity + position)
            for frame in 0..<count { to[output + frame] = from[input + frame] }
        }
    }

    /// The frames in use of all channels, copied.
    public var channels: [[Float]] { (0..<channelCount).map { channel($0) } }

    /// The frames in use of one channel, copied.
    package func channel(_ channel: Int) -> [Float] { Array(samples[range(ofChannel: channel)]) }

    /// Returns the range of a channel's frames in ``samples``.
    @inlinable
    @inline(__always)
    package func range(ofChannel channel: Int) -> Range<Int> {
        channel * frameCapacity..<channel * frameCapacity + frameCount
    }
}

extension PCMBuffer: Hashable {
    /// Returns whether two buffers have the same sample rate, channel count and frames in use, whatever their capacities.
    public static func == (left: PCMBuffer, right: PCMBuffer) -> Bool {
        left.sampleRate == right.sampleRate && left.channelCount == right.channelCount && left.frameCount == right.frameCount
            && (0..<left.channelCount).allSatisfy {
                left.samples[left.range(ofChannel: $0)] == right.samples[right.range(ofChannel: $0)]
            }
    }

    /// Hashes the values that equality compares.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(sampleRate)
        hasher.combine(channelCount)
        for channel in 0..<channelCount { hasher.combine(samples[range(ofChannel: channel)]) }
    }
}
