// SPDX-License-Identifier: Apache-2.0

internal import ALACCodec
internal import AudioPrimitives

/// A pipeline of either precision.
///
/// It is an enumeration and not a protocol, so that the compiler sees the type of the samples in each call and specialises the loops.
enum Pipeline {
    /// Samples of single precision.
    case single(PCMPipeline<Float>)
    /// Samples of double precision.
    case double(PCMPipeline<Double>)

    /// Creates a pipeline with the precision that its ends need.
    ///
    /// - Parameters:
    ///   - plan: The output and the options.
    ///   - input: The format of the input.
    ///   - encoding: The encoding of the input; nil for a decoder.
    init(_ plan: PipelinePlan, input: PipelineFormat, encoding: SampleEncoding?) throws(CodecError) {
        let addsDither = try plan.losesBits(from: input, encoding: encoding)
        let canClip = try plan.canClip(from: input, encoding: encoding)
        if try plan.usesDoubles(for: input, encoding: encoding) {
            self = .double(PCMPipeline(plan, addsDither: addsDither, canClip: canClip))
        } else {
            self = .single(PCMPipeline(plan, addsDither: addsDither, canClip: canClip))
        }
        try setInput(input)
    }

    /// The frames that can be read.
    var count: Int {
        switch self {
        case .single(let pipeline): pipeline.count
        case .double(let pipeline): pipeline.count
        }
    }

    /// Whether noise is added to the output.
    var addsDither: Bool {
        switch self {
        case .single(let pipeline): pipeline.addsDither
        case .double(let pipeline): pipeline.addsDither
        }
    }

    /// The samples read so far that lay beyond full scale.
    var clippedSampleCount: Int {
        switch self {
        case .single(let pipeline): pipeline.clippedSampleCount
        case .double(let pipeline): pipeline.clippedSampleCount
        }
    }

    /// Sets the format of the input that follows.
    func setInput(_ format: PipelineFormat) throws(CodecError) {
        switch self {
        case .single(let pipeline): try pipeline.setInput(format)
        case .double(let pipeline): try pipeline.setInput(format)
        }
    }

    /// Adds PCM in memory.
    func append(_ bytes: RawSpan, format: AudioFormat) throws(CodecError) {
        switch self {
        case .single(let pipeline): try pipeline.append(bytes, format: format)
        case .double(let pipeline): try pipeline.append(bytes, format: format)
        }
    }

    /// Adds frames of a buffer.
    func append(_ buffer: PCMBuffer, _ frames: Range<Int>) throws(CodecError) {
        switch self {
        case .single(let pipeline): try pipeline.append(buffer, frames)
        case .double(let pipeline): try pipeline.append(buffer, frames)
        }
    }

    /// Adds frames of integers.
    func append(_ integers: ALACSamples, _ frames: Range<Int>) throws(CodecError) {
        switch self {
        case .single(let pipeline): try pipeline.append(integers, frames)
        case .double(let pipeline): try pipeline.append(integers, frames)
        }
    }

    /// Ends the input.
    func finish() throws(CodecError) {
        switch self {
        case .single(let pipeline): try pipeline.finish()
        case .double(let pipeline): try pipeline.finish()
        }
    }

    /// Moves frames to bytes, of which there is enough room.
    func read(_ frameCount: Int, into target: inout MutableRawSpan, format: AudioFormat) {
        switch self {
        case .single(let pipeline): pipeline.read(frameCount, into: &target, format: format)
        case .double(let pipeline): pipeline.read(frameCount, into: &target, format: format)
        }
    }

    /// Moves frames to a buffer, from a frame on.
    func read(_ frameCount: Int, into buffer: inout PCMBuffer, at start: Int) {
        switch self {
        case .single(let pipeline): pipeline.read(frameCount, into: &buffer, at: start)
        case .double(let pipeline): pipeline.read(frameCount, into: &buffer, at: start)
        }
    }
}
