// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

internal import AudioPrimitives

/// Converts input samples of any format to floating point, and collects them in blocks of one packet.
struct OpusEncoderInput: ~Copyable {
    /// The samples of the block, channel after channel of the stream.
    private var planes: [Float]

    /// The samples of the block, frame by frame, as the library takes them.
    private var frames: [Float]

    /// The number of sample frames in the block.
    private var frameCount = 0

    /// The index of the input channel for each channel of the stream.
    private let inputChannels: [Int]

    /// The treatment of samples that are infinite or not a number.
    private let policy: OpusEncoderConfiguration.InvalidSamplePolicy

    /// The number of sample frames in a full block.
    let blockLength: Int

    /// Makes an empty block.
    init(inputChannels: [Int], policy: OpusEncoderConfiguration.InvalidSamplePolicy, blockLength: Int) {
        self.inputChannels = inputChannels
        self.policy = policy
        self.blockLength = blockLength
        planes = [Float](repeating: 0, count: inputChannels.count * blockLength)
        frames = planes
    }

    /// The number of sample frames until the block is full.
    var space: Int { blockLength - frameCount }

    /// Discards the block.
    mutating func removeAll() { frameCount = 0 }

    /// Appends sample frames of silence.
    mutating func appendSilence(_ count: Int) {
        for channel in inputChannels.indices {
            for frame in frameCount..<frameCount + count { planes[channel * blockLength + frame] = 0 }
        }
        frameCount += count
    }

    /// Appends sample frames of input.
    ///
    /// - Parameters:
    ///   - start: The first frame of `bytes` to append.
    ///   - count: The number of frames to append, at most ``space``.
    ///   - total: The number of frames that a plane of `bytes` holds.
    ///   - position: The index of the first frame in the stream, for errors.
    /// - Throws: ``OpusError/invalidSample(channel:frame:)``, depending on the policy.
    mutating func append(
        _ bytes: RawSpan, format: PCMFormat, from start: Int, count: Int, total: Int, position: Int
    ) throws(OpusError) {
        for channel in inputChannels.indices {
            let source = inputChannels[channel]
            let size = format.sampleFormat.byteCount
            let first = format.isInterleaved ? (start * format.channelCount + source) * size : (source * total + start) * size
            let run = SampleRun(
                encoding: format.encoding, offset: first, stride: format.isInterleaved ? format.bytesPerFrame : size, count: count)
            let index = channel * blockLength + frameCount
            var target = planes.mutableSpan
            run.read(bytes, fullScale: 1, into: &target, at: index)
            if format.sampleFormat.isFloat { try check(index..<index + count, source: source, position: position) }
        }
        frameCount += count
    }

    /// Applies the policy to appended samples.
    private mutating func check(_ range: Range<Int>, source: Int, position: Int) throws(OpusError) {
        // Zero times a finite number is zero; zero times infinity or NaN is NaN, and so is a sum with NaN.
        var sum: Float = 0
        for index in range { sum += planes[index] * 0 }
        guard sum != 0 else { return }
        for index in range where !planes[index].isFinite {
            guard policy == .silence else { throw .invalidSample(channel: source, frame: position + index - range.lowerBound) }
            planes[index] = 0
        }
    }

    /// Returns the full block frame by frame.
    mutating func interleaved() -> [Float] {
        let channelCount = inputChannels.count
        for channel in 0..<channelCount {
            for frame in 0..<blockLength { frames[frame * channelCount + channel] = planes[channel * blockLength + frame] }
        }
        return frames
    }
}
