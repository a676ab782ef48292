// SPDX-License-Identifier: Apache-2.0

internal import ALACCodec
internal import AudioPrimitives

/// The PCM processing of a converter: reads, mixes, resamples, dithers and writes.
final class PCMPipeline<Sample: WorkingSample> {
    private let plan: PipelinePlan
    private let queue: SampleQueue<Sample>
    private var input: PipelineFormat?
    private var front: PipelineFront<Sample>?
    private var dither: DitherGenerator<Sample>?
    /// The number of leading output frames to discard.
    private var framesToSkip: Int
    /// Whether samples can exceed the output's full scale.
    private let canClip: Bool
    /// The number of samples read so far that exceeded full scale.
    private(set) var clippedSampleCount = 0

    /// The number of frames to process at a time, so that they stay in the cache.
    private static var blockLength: Int { 2048 }

    /// Creates a pipeline.
    ///
    /// - Parameters:
    ///   - plan: The output and the options.
    ///   - addsDither: Whether the output has fewer bits than the input.
    ///   - canClip: Whether samples can exceed the output's full scale.
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

    var addsDither: Bool { dither != nil }

    /// The number of frames that can be read.
    var count: Int { max(0, queue.count - framesToSkip) }

    /// Sets the format of the next input, after flushing the input in a previous format.
    func setInput(_ format: PipelineFormat) throws(CodecError) {
        guard format != input else { return }
        try front?.finish(to: queue)
        front = try PipelineFront(from: format, plan, to: queue)
        input = format
    }

    /// Appends PCM in memory.
    ///
    /// - Parameters:
    ///   - bytes: Complete sample frames.
    ///   - format: Their format, with the sample rate and channels set by ``setInput(_:)``.
    func append(_ bytes: RawSpan, format: AudioFormat) throws(CodecError) {
        guard let front else { preconditionFailure("the input's format is set first") }
        let size = format.encoding.byteCount
        let total = bytes.byteCount / format.bytesPerFrame
        if front.entry === queue { queue.makeRoom(for: total) }
        var first = 0
        while first < total {
            let count = min(Self.blockLength, total - first)
            front.entry.append(count) { channel, plane in
                let offset = format.isInterleaved ? (first * format.channelCount + channel) * size : (channel * total + first) * size
                format.encoding.load(
                    bytes.extracting(offset...), stride: format.isInterleaved ? format.bytesPerFrame : size, into: &plane)
            }
            try front.run(to: queue)
            first += count
        }
    }

    /// Appends frames of a buffer, with the sample rate and channels set by ``setInput(_:)``.
    func append(_ buffer: PCMBuffer, _ frames: Range<Int>) throws(CodecError) {
        guard let front else { preconditionFailure("the input's format is set first") }
        front.entry.append(frames.count) { channel, plane in
            plane.update(with: buffer[channel: channel].extracting(frames)) { $0 = Sample(single: $1) }
        }
        try front.run(to: queue)
    }

    /// Appends integer frames, with the sample rate and channels set by ``setInput(_:)``.
    func append(_ integers: ALACSamples, _ frames: Range<Int>) throws(CodecError) {
        guard let front else { preconditionFailure("the input's format is set first") }
        let scale = Sample(double: 1 / Double(1 << (integers.bitDepth - 1)))
        front.entry.append(frames.count) { channel, plane in
            let first = integers.range(ofChannel: channel).lowerBound
            let source = integers.samples.span.extracting(first + frames.lowerBound..<first + frames.upperBound)
            plane.update(with: source) { $0 = Sample(integer: $1) * scale }
        }
        try front.run(to: queue)
    }

    func finish() throws(CodecError) {
        try front?.finish(to: queue)
        front = nil
        input = nil
    }

    /// Moves frames to memory, which must be large enough.
    ///
    /// - Parameter frameCount: The number of frames, at most ``count``.
    func read(_ frameCount: Int, into target: inout MutableRawSpan, format: AudioFormat) {
        skip()
        if canClip { countClipped(frameCount) }
        dither?.apply(to: queue, frameCount: frameCount)
        let size = format.encoding.byteCount
        if size == 3, format.isInterleaved {
            queue.readAll { samples, planeLength in
                PackedBytes24.write(
                    samples, planeLength: planeLength, frameCount: frameCount, channelCount: format.channelCount, into: &target,
                    isBigEndian: format.encoding.isBigEndian)
            }
            return queue.removeFirst(frameCount)
        }
        queue.readAll { samples, planeLength in
            for first in stride(from: 0, to: frameCount, by: Self.blockLength) {
                let count = min(Self.blockLength, frameCount - first)
                for channel in 0..<format.channelCount {
                    let index = format.isInterleaved ? first * format.channelCount + channel : channel * frameCount + first
                    let start = channel * planeLength + first
                    var bytes = target._mutatingExtracting((index * size)...)
                    format.encoding.store(
                        samples.extracting(start..<start + count), stride: format.isInterleaved ? format.bytesPerFrame : size, into: &bytes)
                }
            }
        }
        queue.removeFirst(frameCount)
    }

    /// Moves frames to integers with the channels and encoding of the output, which replace all frames in them.
    func read(_ frameCount: Int, into integers: inout ALACSamples) {
        skip()
        if canClip { countClipped(frameCount) }
        dither?.apply(to: queue, frameCount: frameCount)
        integers.frameCount = frameCount
        queue.readAll { samples, planeLength in
            for channel in 0..<integers.channelCount {
                let source = samples.extracting(channel * planeLength..<channel * planeLength + frameCount)
                let range = integers.range(ofChannel: channel)
                let bitDepth = integers.bitDepth
                var all = integers.samples.mutableSpan
                var target = all._mutatingExtracting(range)
                target.update(with: source) { $0 = $1.long(bitCount: bitDepth) }
            }
        }
        queue.removeFirst(frameCount)
    }

    /// Moves frames to a buffer with the output sample rate and channels, starting at a frame of the buffer.
    func read(_ frameCount: Int, into buffer: inout PCMBuffer, at start: Int) {
        skip()
        precondition(buffer.channelCount == queue.channelCount)
        for channel in 0..<queue.channelCount {
            queue.read(channel) { plane in
                let first = channel * buffer.frameCapacity + start
                precondition(start >= 0 && start + frameCount <= buffer.frameCapacity)
                var samples = buffer.samples.mutableSpan
                var target = samples._mutatingExtracting(first..<first + frameCount)
                target.update(with: plane.extracting(..<frameCount)) { $0 = $1.single }
            }
        }
        queue.removeFirst(frameCount)
    }

    /// Counts the samples of the next frames that exceed full scale or are not a number.
    private func countClipped(_ frameCount: Int) {
        for channel in 0..<queue.channelCount {
            queue.read(channel) { plane in
                let plane = plane.extracting(..<frameCount)
                var count: Int32 = 0
                // Unchecked access lets the loop vectorize.
                for index in 0..<plane.count { count &+= unsafe plane[unchecked: index].magnitude <= 1 ? 0 : 1 }
                clippedSampleCount += Int(count)
            }
        }
    }

    /// Discards the unwanted leading frames.
    private func skip() {
        let count = min(framesToSkip, queue.count)
        queue.removeFirst(count)
        framesToSkip -= count
    }
}
