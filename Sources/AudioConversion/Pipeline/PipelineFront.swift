// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives

/// The steps from an input format to a pipeline's output: mixing and sample rate conversion, in the cheaper order.
struct PipelineFront<Sample: WorkingSample> {
    /// The queue for input.
    let entry: SampleQueue<Sample>

    private let first: ChannelMixer<Sample>?
    private let mixed: SampleQueue<Sample>
    private let rate: RateStage<Sample>?
    private let converted: SampleQueue<Sample>
    private let last: ChannelMixer<Sample>?

    /// Creates the steps.
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
        // Each step has an input queue. The last step writes to the output.
        converted = last == nil ? output : SampleQueue(channelCount: input.channels.count)
        mixed = rate == nil ? converted : SampleQueue(channelCount: converted.channelCount)
        entry = first == nil ? mixed : SampleQueue(channelCount: input.channels.count)
    }

    /// Runs the steps on all input.
    func run(to output: SampleQueue<Sample>) throws(CodecError) {
        first?.move(entry, to: mixed)
        try rate?.move(mixed, to: converted)
        last?.move(converted, to: output)
    }

    func finish(to output: SampleQueue<Sample>) throws(CodecError) {
        try rate?.finish(converted)
        last?.move(converted, to: output)
    }
}

/// The PCM format at one end of a pipeline.
struct PipelineFormat: Hashable {
    /// The sample rate, in hertz.
    var sampleRate: Int
    var channels: ChannelMatrix.Channels
}
