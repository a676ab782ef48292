// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives
internal import TransformCoding

/// Converts input samples of any format to the scale of 16 bits, and collects them in blocks.
struct EncoderInput: ~Copyable {
    /// The samples of the block, channel after channel of the stream.
    private var samples: FixedArray<Float>

    /// The number of sample frames in the block.
    private(set) var frameCount = 0

    /// The index of the input channel for each channel of the stream.
    private let inputChannels: [Int]

    /// The treatment of samples that are infinite or not a number.
    private let policy: AACEncoderConfiguration.InvalidSamplePolicy

    /// The number of sample frames in a full block.
    let blockLength: Int

    /// Makes an empty block.
    init(inputChannels: [Int], policy: AACEncoderConfiguration.InvalidSamplePolicy, blockLength: Int) {
        self.blockLength = blockLength
        self.inputChannels = inputChannels
        self.policy = policy
        samples = FixedArray(repeating: 0, count: inputChannels.count * blockLength)
    }

    /// The number of sample frames until the block is full.
    var space: Int { blockLength - frameCount }

    /// Passes the full block of a channel of the stream to a channel of an element.
    borrowing func pass(_ channel: Int, to element: inout ElementEncoder, elementChannel: Int) {
        element.append(samples.span.extracting(channel * blockLength..<(channel + 1) * blockLength), channel: elementChannel)
    }

    /// Passes the full block of a channel of the stream to SBR, and the low band that SBR makes of it to the core.
    borrowing func pass(
        _ channel: Int, to sbr: SBRElementEncoder, core: inout ElementEncoder, elementChannel: Int
    ) {
        sbr.append(samples.span.extracting(channel * blockLength..<(channel + 1) * blockLength), channel: elementChannel) {
            core.append($0, channel: elementChannel)
        }
    }

    /// Passes the full blocks of two channels to parametric stereo, and its downmix to SBR and the core.
    borrowing func pass(
        to stereo: ParametricStereoEncoder, _ sbr: SBRElementEncoder, core: inout ElementEncoder, position: SegmentPosition
    ) {
        let span = samples.span
        stereo.append(
            left: span.extracting(0..<blockLength), right: span.extracting(blockLength..<2 * blockLength),
            framesToSegment: position.remaining
        ) { core.append($0, channel: 0) }
        stereo.passColumns(to: sbr)
    }

    /// Discards the block.
    mutating func startBlock() { frameCount = 0 }

    /// Appends sample frames of silence.
    mutating func appendSilence(_ count: Int) {
        for channel in inputChannels.indices {
            for frame in frameCount..<frameCount + count { samples[channel * blockLength + frame] = 0 }
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
    /// - Throws: `CodecError.invalidSample`, depending on the policy.
    mutating func append(
        _ bytes: RawSpan, format: PCMFormat, from start: Int, count: Int, total: Int, position: Int64
    ) throws(CodecError) {
        for channel in inputChannels.indices {
            let source = inputChannels[channel]
            let size = format.sampleFormat.byteCount
            let first = format.isInterleaved ? (start * format.channelCount + source) * size : (source * total + start) * size
            let run = SampleRun(
                encoding: format.encoding, offset: first, stride: format.isInterleaved ? format.bytesPerFrame : size, count: count)
            let index = channel * blockLength + frameCount
            var target = samples.mutableSpan
            run.read(bytes, fullScale: 32768, into: &target, at: index)
            if format.sampleFormat.isFloat { try check(index..<index + count, source: source, position: position) }
        }
        frameCount += count
    }

    /// Applies the policy to appended samples.
    private mutating func check(_ range: Range<Int>, source: Int, position: Int64) throws(CodecError) {
        // A sum that is too large for a float is no proof.
        guard !samples.span.extracting(range).hasFiniteSum else { return }
        for index in range where !samples[index].isFinite {
            guard policy == .silence else {
                throw .invalidSample(channel: source, frame: Int(clamping: position + Int64(index - range.lowerBound)))
            }
            samples[index] = 0
        }
    }
}
