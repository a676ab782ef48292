// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives
internal import TransformCoding

/// Converts input samples of any format to 16-bit scale, and collects them in blocks.
struct EncoderInput: ~Copyable {
    /// The samples of the block, planar, in the stream's channel order.
    private var samples: FixedArray<Float>

    private(set) var frameCount = 0

    /// The input channel index of each stream channel.
    private let inputChannels: [Int]

    private let policy: AACEncoderConfiguration.InvalidSamplePolicy

    let blockLength: Int

    init(inputChannels: [Int], policy: AACEncoderConfiguration.InvalidSamplePolicy, blockLength: Int) {
        self.blockLength = blockLength
        self.inputChannels = inputChannels
        self.policy = policy
        samples = FixedArray(repeating: 0, count: inputChannels.count * blockLength)
    }

    var space: Int { blockLength - frameCount }

    /// Passes a stream channel's full block to a channel of an element.
    borrowing func pass(_ channel: Int, to element: inout ElementEncoder, elementChannel: Int) {
        element.append(samples.span.extracting(channel * blockLength..<(channel + 1) * blockLength), channel: elementChannel)
    }

    /// Passes a stream channel's full block to SBR, and the resulting low band to the core.
    borrowing func pass(
        _ channel: Int, to sbr: SBRElementEncoder, core: inout ElementEncoder, elementChannel: Int
    ) {
        sbr.append(samples.span.extracting(channel * blockLength..<(channel + 1) * blockLength), channel: elementChannel) {
            core.append($0, channel: elementChannel)
        }
    }

    /// Passes two channels' full blocks to parametric stereo, and the downmix to SBR and the core.
    borrowing func pass(
        to stereo: ParametricStereoEncoder, _ sbr: SBRElementEncoder, core: inout ElementEncoder, position: SegmentPosition
    ) {
        let span = samples.span
        stereo.append(
            left: span.extracting(0..<blockLength), right: span.extracting(blockLength..<2 * blockLength),
            framesToSegment: position.remaining
        ) { core.append($0, channel: 0) }
        stereo.passQMFSlots(to: sbr)
    }

    mutating func startBlock() { frameCount = 0 }

    mutating func appendSilence(_ count: Int) {
        for channel in inputChannels.indices {
            for frame in frameCount..<frameCount + count { samples[channel * blockLength + frame] = 0 }
        }
        frameCount += count
    }

    /// Appends input sample frames.
    ///
    /// - Parameters:
    ///   - start: The first frame of `bytes` to append.
    ///   - count: The number of frames to append, at most ``space``.
    ///   - total: The capacity of a plane of `bytes`, in frames.
    ///   - position: The stream position of the first frame, for errors.
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
        // An overflowed sum does not prove that a sample is invalid.
        guard !samples.span.extracting(range).hasFiniteSum else { return }
        for index in range where !samples[index].isFinite {
            guard policy == .silence else {
                throw .invalidSample(channel: source, frame: Int(clamping: position + Int64(index - range.lowerBound)))
            }
            samples[index] = 0
        }
    }
}
