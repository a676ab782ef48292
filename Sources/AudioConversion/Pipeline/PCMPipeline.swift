// SPDX-License-Identifier: Apache-2.0

internal import ALACCodec
internal import AudioPrimitives

/// The way of PCM through a converter: read, mixed, converted in rate, dithered and written.
final class PCMPipeline<Sample: WorkingSample> {
    private let plan: PipelinePlan
    private let queue: SampleQueue<Sample>
    private var input: PipelineFormat?
    private var front: PipelineFront<Sample>?
    private var dither: DitherGenerator<Sample>?
    /// The frames at the start of the output that are discarded.
    private var framesToSkip: Int
    /// Whether samples can lie beyond the full scale of the output.
    private let canClip: Bool
    /// The samples read so far that lay beyond full scale.
    private(set) var clippedSampleCount = 0

    /// The frames that are read and converted at a time, so that they stay in the cache.
    private static var blockLength: Int { 2048 }

    /// Creates a pipeline.
    ///
    /// - Parameters:
    ///   - plan: The output and the options.
    ///   - addsDither: Whether the output has fewer bits than the input.
    ///   - canClip: Whether samples can lie beyond the full scale of the output.
    init(_ plan: PipelinePlan, addsDither: Bool, canClip: Bool) {
        self.plan = plan
        self.canClip = canClip
        queue = SampleQueue(channelCount: plan.output.channels.count)
        framesToSkip = plan.framesToSkip
        guard addsDither, let encoding = plan.encoding else { return }
        dither = DitherGenerator(
            plan.options.dither, bitCount: encoding.byteCount * 8, sampleRate: plan.output.sampleRate,
            channelCount: plan.output.channels.count, seed: plan.options.ditherSeed)
    }

    /// Whether noise is added to the output.
    var addsDither: Bool { dither != nil }

    /// The frames that can be read.
    var count: Int { max(0, queue.count - framesToSkip) }

    /// Sets the format of the input that follows; the rest of the input in another format is completed.
    func setInput(_ format: PipelineFormat) throws(AudioConversionError) {
        guard format != input else { return }
        try front?.finish(to: queue)
        front = try PipelineFront(from: format, plan, to: queue)
        input = format
    }

    /// Adds PCM in memory.
    ///
    /// - Parameters:
    ///   - bytes: Whole sample frames.
    ///   - format: Their format, whose rate and channels have been set by ``setInput(_:)``.
    func append(_ bytes: RawSpan, format: AudioFormat) throws(AudioConversionError) {
        guard let front else { preconditionFailure("the input's format is set first") }
        let size = format.encoding.byteCount
        let total = bytes.byteCount / format.bytesPerFrame
        var first = 0
        while first < total {
            let count = min(Self.blockLength, total - first)
            let entry = front.entry
            unsafe bytes.withUnsafeBytes { all in
                guard let base = all.baseAddress else { return }
                let target = unsafe entry.room(for: count)
                for channel in 0..<format.channelCount {
                    let offset = format.isInterleaved ? (first * format.channelCount + channel) * size : (channel * total + first) * size
                    // The bytes are only read.
                    let source = unsafe ChannelBytes(
                        encoding: format.encoding, base: UnsafeMutableRawPointer(mutating: base + offset),
                        stride: format.isInterleaved ? format.bytesPerFrame : size, count: count)
                    unsafe source.read(into: target + channel * entry.planeLength)
                }
            }
            entry.advance(by: count)
            try front.run(to: queue)
            first += count
        }
    }

    /// Adds frames of a buffer, whose rate and channels have been set by ``setInput(_:)``.
    func append(_ buffer: PCMBuffer, _ frames: Range<Int>) throws(AudioConversionError) {
        guard let front else { preconditionFailure("the input's format is set first") }
        precondition(frames.lowerBound >= 0 && frames.upperBound <= buffer.frameCount)
        let target = unsafe front.entry.room(for: frames.count)
        for channel in 0..<buffer.channelCount {
            let plane = unsafe target + channel * front.entry.planeLength
            let first = buffer.range(ofChannel: channel).lowerBound + frames.lowerBound
            unsafe buffer.samples.withUnsafeBufferPointer { samples in
                for index in 0..<frames.count { unsafe plane[index] = Sample(single: samples[first + index]) }
            }
        }
        front.entry.advance(by: frames.count)
        try front.run(to: queue)
    }

    /// Adds frames of integers, whose rate and channels have been set by ``setInput(_:)``.
    func append(_ integers: ALACSamples, _ frames: Range<Int>) throws(AudioConversionError) {
        guard let front else { preconditionFailure("the input's format is set first") }
        let scale = Sample(double: 1 / Double(1 << (integers.bitDepth - 1)))
        let target = unsafe front.entry.room(for: frames.count)
        for channel in 0..<integers.channelCount {
            let plane = unsafe target + channel * front.entry.planeLength
            let first = integers.range(ofChannel: channel).lowerBound + frames.lowerBound
            for index in 0..<frames.count { unsafe plane[index] = Sample(integer: integers.samples[first + index]) * scale }
        }
        front.entry.advance(by: frames.count)
        try front.run(to: queue)
    }

    /// Ends the input.
    func finish() throws(AudioConversionError) {
        try front?.finish(to: queue)
        front = nil
        input = nil
    }

    /// Moves frames to bytes, of which there is enough room.
    ///
    /// - Parameters:
    ///   - frameCount: The number of frames, at most ``count``.
    ///   - target: The memory.
    ///   - format: The format of the output.
    @unsafe
    func read(_ frameCount: Int, into target: UnsafeMutableRawPointer, format: AudioFormat) {
        skip()
        if canClip { countClipped(frameCount) }
        unsafe dither?.apply(to: queue.channel(0), stride: queue.planeLength, frameCount: frameCount)
        let size = format.encoding.byteCount
        if size == 3, format.isInterleaved {
            unsafe PackedBytes24.write(
                queue.channel(0), planeLength: queue.planeLength, frameCount: frameCount, channelCount: format.channelCount, into: target,
                isBigEndian: format.encoding.isBigEndian)
            return queue.removeFirst(frameCount)
        }
        for first in stride(from: 0, to: frameCount, by: Self.blockLength) {
            let count = min(Self.blockLength, frameCount - first)
            for channel in 0..<format.channelCount {
                let index = format.isInterleaved ? first * format.channelCount + channel : channel * frameCount + first
                let bytes = unsafe ChannelBytes(
                    encoding: format.encoding, base: target + index * size, stride: format.isInterleaved ? format.bytesPerFrame : size,
                    count: count)
                unsafe bytes.write(queue.channel(channel) + first)
            }
        }
        queue.removeFirst(frameCount)
    }

    /// Moves frames to a buffer with the rate and the channels of the output, from a frame on.
    func read(_ frameCount: Int, into buffer: inout PCMBuffer, at start: Int) {
        skip()
        let stride = buffer.frameCapacity
        precondition(start >= 0 && start + frameCount <= stride && buffer.channelCount == queue.channelCount)
        unsafe buffer.samples.withUnsafeMutableBufferPointer { samples in
            for channel in 0..<queue.channelCount {
                let plane = unsafe queue.channel(channel)
                let first = channel * stride + start
                for index in 0..<frameCount { unsafe samples[first + index] = plane[index].single }
            }
        }
        queue.removeFirst(frameCount)
    }

    /// Counts the samples of the next frames that lie beyond full scale or are not a number.
    private func countClipped(_ frameCount: Int) {
        for channel in 0..<queue.channelCount {
            let plane = unsafe queue.channel(channel)
            var count: Int32 = 0
            for index in 0..<frameCount { count &+= unsafe plane[index].magnitude <= 1 ? 0 : 1 }
            clippedSampleCount += Int(count)
        }
    }

    /// Discards the frames at the start that are not wanted.
    private func skip() {
        let count = min(framesToSkip, queue.count)
        queue.removeFirst(count)
        framesToSkip -= count
    }
}
