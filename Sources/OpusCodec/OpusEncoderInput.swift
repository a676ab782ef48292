// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives

/// Converts input samples to floating point, and collects the samples of a packet and of its look-ahead.
struct OpusEncoderInput: ~Copyable {
    /// The interleaved samples.
    private(set) var samples: [Float]

    /// The appended samples of one channel.
    private var plane: ContiguousArray<Float>

    /// The index of the packet's first sample frame in ``samples``.
    private var start = 0

    /// The number of collected sample frames.
    private var frameCount = 0

    private let inputChannels: [Int]

    /// The handling of samples that are infinite or NaN.
    private let policy: OpusEncoderConfiguration.InvalidSamplePolicy

    private let blockLength: Int

    /// The number of sample frames that the library gets for a packet, including the look-ahead.
    let windowLength: Int

    init(
        inputChannels: [Int], policy: OpusEncoderConfiguration.InvalidSamplePolicy, blockLength: Int, lookAhead: Int
    ) {
        self.inputChannels = inputChannels
        self.policy = policy
        self.blockLength = blockLength
        windowLength = blockLength + lookAhead
        plane = ContiguousArray(repeating: 0, count: windowLength)
        // Room for several packets, so that samples rarely move to the front.
        samples = [Float](repeating: 0, count: inputChannels.count * (2 * windowLength + 8 * blockLength))
    }

    /// The number of sample frames that are missing for the next packet.
    var space: Int { windowLength - frameCount }

    /// The index of the packet's first sample in ``samples``.
    var offset: Int { start * inputChannels.count }

    mutating func removeAll() {
        start = 0
        frameCount = 0
    }

    /// Discards the samples of the packet, except the look-ahead.
    mutating func removePacket() {
        start += blockLength
        frameCount -= blockLength
    }

    mutating func appendSilence(_ count: Int) {
        let first = reserve(count) * inputChannels.count
        for index in first..<first + count * inputChannels.count { samples[index] = 0 }
        frameCount += count
    }

    /// Appends input sample frames.
    ///
    /// - Parameters:
    ///   - start: The first frame of `bytes` to append.
    ///   - count: The number of frames to append, at most ``space``.
    ///   - total: The number of frames per plane of `bytes`.
    ///   - position: The index of the first frame in the stream, for errors.
    /// - Throws: `CodecError.invalidSample`, if the policy says so.
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

    /// Makes room for sample frames at the end and returns the index of the first frame.
    private mutating func reserve(_ count: Int) -> Int {
        let channelCount = inputChannels.count
        if (start + frameCount + count) * channelCount > samples.count {
            for index in 0..<frameCount * channelCount { samples[index] = samples[start * channelCount + index] }
            start = 0
        }
        return start + frameCount
    }

    /// Applies the invalid sample policy to the samples of a channel.
    private mutating func check(_ count: Int, source: Int, position: Int) throws(CodecError) {
        // Zero times a finite number is zero. Zero times infinity or NaN is NaN, and so is the sum.
        var sum: Float = 0
        for index in 0..<count { sum += plane[index] * 0 }
        guard sum != 0 else { return }
        for index in 0..<count where !plane[index].isFinite {
            guard policy == .silence else { throw .invalidSample(channel: source, frame: position + index) }
            plane[index] = 0
        }
    }
}
