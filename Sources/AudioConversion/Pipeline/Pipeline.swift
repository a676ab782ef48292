// SPDX-License-Identifier: Apache-2.0

internal import ALACCodec
internal import AudioPrimitives

/// A pipeline of single or double precision.
///
/// An enumeration instead of a protocol lets the compiler specialize the loops for the sample type.
enum Pipeline {
    case single(PCMPipeline<Float>)
    case double(PCMPipeline<Double>)

    /// Creates a pipeline with the precision that its input and output require.
    ///
    /// - Parameter encoding: The input encoding, or `nil` for a decoder.
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

    /// The number of frames that can be read.
    var count: Int {
        switch self {
        case .single(let pipeline): pipeline.count
        case .double(let pipeline): pipeline.count
        }
    }

    var addsDither: Bool {
        switch self {
        case .single(let pipeline): pipeline.addsDither
        case .double(let pipeline): pipeline.addsDither
        }
    }

    /// The number of samples read so far that exceeded full scale.
    var clippedSampleCount: Int {
        switch self {
        case .single(let pipeline): pipeline.clippedSampleCount
        case .double(let pipeline): pipeline.clippedSampleCount
        }
    }

    func setInput(_ format: PipelineFormat) throws(CodecError) {
        switch self {
        case .single(let pipeline): try pipeline.setInput(format)
        case .double(let pipeline): try pipeline.setInput(format)
        }
    }

    func append(_ bytes: RawSpan, format: AudioFormat) throws(CodecError) {
        switch self {
        case .single(let pipeline): try pipeline.append(bytes, format: format)
        case .double(let pipeline): try pipeline.append(bytes, format: format)
        }
    }

    func append(_ buffer: PCMBuffer, _ frames: Range<Int>) throws(CodecError) {
        switch self {
        case .single(let pipeline): try pipeline.append(buffer, frames)
        case .double(let pipeline): try pipeline.append(buffer, frames)
        }
    }

    func append(_ integers: ALACSamples, _ frames: Range<Int>) throws(CodecError) {
        switch self {
        case .single(let pipeline): try pipeline.append(integers, frames)
        case .double(let pipeline): try pipeline.append(integers, frames)
        }
    }

    func finish() throws(CodecError) {
        switch self {
        case .single(let pipeline): try pipeline.finish()
        case .double(let pipeline): try pipeline.finish()
        }
    }

    /// Moves frames to memory, which must be large enough.
    func read(_ frameCount: Int, into target: inout MutableRawSpan, format: AudioFormat) {
        switch self {
        case .single(let pipeline): pipeline.read(frameCount, into: &target, format: format)
        case .double(let pipeline): pipeline.read(frameCount, into: &target, format: format)
        }
    }

    func read(_ frameCount: Int, into integers: inout ALACSamples) {
        switch self {
        case .single(let pipeline): pipeline.read(frameCount, into: &integers)
        case .double(let pipeline): pipeline.read(frameCount, into: &integers)
        }
    }

    func read(_ frameCount: Int, into buffer: inout PCMBuffer, at start: Int) {
        switch self {
        case .single(let pipeline): pipeline.read(frameCount, into: &buffer, at: start)
        case .double(let pipeline): pipeline.read(frameCount, into: &buffer, at: start)
        }
    }
}
