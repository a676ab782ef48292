// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives

/// The steps from one input format to the output of a pipeline: mixing and rate conversion, in the order that costs less.
struct PipelineFront<Sample: WorkingSample> {
    /// The queue that input is written to.
    let entry: SampleQueue<Sample>

    private let first: ChannelMixer<Sample>?
    private let mixed: SampleQueue<Sample>
    private let rate: RateStage<Sample>?
    private let converted: SampleQueue<Sample>
    private let last: ChannelMixer<Sample>?

    /// Creates the steps.
    ///
    /// - Parameters:
    ///   - input: The format of the input.
    ///   - plan: The format of the output, and the options.
    ///   - output: The queue that receives the output.
    init(from input: PipelineFormat, _ plan: PipelinePlan, to output: SampleQueue<Sample>) throws(CodecError) {
        let matrix = try plan.matrix(for: input)
        let mixesFirst = plan.output.channels.count <= input.channels.count
        let mixer = matrix.isIdentity ? nil : ChannelMixer<Sample>(matrix)
        first = mixesFirst ? mixer : nil
        last = mixesFirst ? nil : mixer
        rate =
            input.sampleRate == plan.output.sampleRate
            ? nil
            : try RateStage(
                from: input.sampleRate, to: plan.output.sampleRate, channelCount: min(input.channels.count, plan.output.channels.count),
                quality: plan.quality)
        // A queue stands before each step; the last step writes to the output.
        converted = last == nil ? output : SampleQueue(channelCount: input.channels.count)
        mixed = rate == nil ? converted : SampleQueue(channelCount: converted.channelCount)
        entry = first == nil ? mixed : SampleQueue(channelCount: input.channels.count)
    }

    /// Moves all input through the steps.
    func run(to output: SampleQueue<Sample>) throws(CodecError) {
        first?.move(entry, to: mixed)
        try rate?.move(mixed, to: converted)
        last?.move(converted, to: output)
    }

    /// Moves the frames that the steps still hold to the output.
    func finish(to output: SampleQueue<Sample>) throws(CodecError) {
        try rate?.finish(converted)
        last?.move(converted, to: output)
    }
}

/// The format of PCM at one end of a pipeline.
struct PipelineFormat: Hashable {
    /// The sample rate in hertz.
    var sampleRate: Int
    /// The channels.
    var channels: ChannelMatrix.Channels
}
