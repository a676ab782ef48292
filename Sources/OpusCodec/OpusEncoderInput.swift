// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives

/// Converts input samples of any format to floating point, and collects those of a packet and of the look-ahead after it.
struct OpusEncoderInput: ~Copyable {
    /// The samples frame by frame, as the library takes them.
    private(set) var samples: [Float]

    /// The samples of one channel that are appended.
    private var plane: ContiguousArray<Float>

    /// The index of the packet's first sample frame.
    private var start = 0

    /// The number of sample frames from there on.
    private var frameCount = 0

    /// The index of the input channel for each channel of the stream.
    private let inputChannels: [Int]

    /// The treatment of samples that are infinite or not a number.
    private let policy: OpusEncoderConfiguration.InvalidSamplePolicy

    /// The number of sample frames in a packet.
    private let blockLength: Int

    /// The number of sample frames that are passed to the library for a packet: its own and the look-ahead.
    let windowLength: Int

    /// Makes an empty window.
    init(
        inputChannels: [Int], policy: OpusEncoderConfiguration.InvalidSamplePolicy, blockLength: Int, lookAhead: Int
    ) {
        self.inputChannels = inputChannels
        self.policy = policy
        self.blockLength = blockLength
        windowLength = blockLength + lookAhead
        plane = ContiguousArray(repeating: 0, count: windowLength)
        // Room for several packets, so that the look-ahead is rarely moved.
        samples = [Float](repeating: 0, count: inputChannels.count * (2 * windowLength + 8 * blockLength))
    }

    /// The number of sample frames until a packet can be encoded.
    var space: Int { windowLength - frameCount }

    /// The index in ``samples`` of the packet's first sample.
    var offset: Int { start * inputChannels.count }

    /// Discards all samples.
    mutating func removeAll() {
        start = 0
        frameCount = 0
    }

    /// Discards the samples of the packet, and begins the next one.
    mutating func removePacket() {
        start += blockLength
        frameCount -= blockLength
    }

    /// Appends sample frames of silence.
    mutating func appendSilence(_ count: Int) {
        let first = reserve(count) * inputChannels.count
        for index in first..<first + count * inputChannels.count { samples[index] = 0 }
        frameCount += count
    }

    /// Appends sample frames of input.
    ///
    /// - Parameters:
    ///   - start: The first frame of `bytes` to append.
    ///   - count: The number of frames to append, at most ``space``.
    ///   - total: The number of frames that a plane of `bytes` holds.
    ///   - position: The index of the first frame in the stream, for errors.
    /// - Throws: `CodecError.invalidSample`, depending on the policy.
    mutating func append(
        _ bytes: RawSpan, format: PCMFormat, from start: Int, count: Int, total: Int, position: Int
    ) throws(CodecError) {
        let first = reserve(count)
        let channelCount = inputChannels.count
        for channel in 0..<channelCount {
            let source = inputChannels[channel]
            let size = format.sampleFormat.byteCount
            let offset = format.isInterleaved ? (start * format.channelCount + source) * size : (source * total + start) * size
            let run = SampleRun(
                encoding: format.encoding, offset: offset, stride: format.isInterleaved ? format.bytesPerFrame : size, count: count)
            var target = plane.mutableSpan
            run.read(bytes, fullScale: 1, into: &target, at: 0)
            if format.sampleFormat.isFloat { try check(count, source: source, position: position) }
            for frame in 0..<count { samples[(first + frame) * channelCount + channel] = plane[frame] }
        }
        frameCount += count
    }

    /// Makes room for sample frames at the end; returns the index of the first.
    private mutating func reserve(_ count: Int) -> Int {
        let channelCount = inputChannels.count
        if (start + frameCount + count) * channelCount > samples.count {
            for index in 0..<frameCount * channelCount { samples[index] = samples[start * channelCount + index] }
            start = 0
        }
        return start + frameCount
    }

    /// Applies the policy to the samples of a channel.
    private mutating func check(_ count: Int, source: Int, position: Int) throws(CodecError) {
        // Zero times a finite number is zero; zero times infinity or NaN is NaN, and so is a sum with NaN.
        var sum: Float = 0
        for index in 0..<count { sum += plane[index] * 0 }
        guard sum != 0 else { return }
        for index in 0..<count where !plane[index].isFinite {
            guard policy == .silence else { throw .invalidSample(channel: source, frame: position + index) }
            plane[index] = 0
        }
    }
}
