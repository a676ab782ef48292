// SPDX-License-Identifier: Apache-2.0

package import AudioPrimitives

/// Converts buffers, whose sample rate and channels may change from one to the next, to one format without gaps.
///
/// Channels are mixed as ``ChannelMatrix/init(from:to:)`` says. One thread at a time.
package final class PCMBufferConverter {
    /// The sample rate of the output in hertz.
    package var sampleRate: Int { output.sampleRate }

    private let output: PipelineFormat
    private let pipeline: PCMPipeline<Float>
    /// Whether the channels have a way of their own.
    private let alwaysConverts: Bool
    /// Whether the latest buffer needed conversion, so that frames of it can wait.
    private var isConverting = false

    /// Creates a converter.
    ///
    /// - Parameters:
    ///   - sampleRate: The sample rate of the output in hertz.
    ///   - channels: The channels of the output.
    ///   - options: The quality of the conversion of sample rates, and the way of channels.
    package init(sampleRate: Int, channels: ChannelMatrix.Channels, options: AudioConverterOptions = AudioConverterOptions()) {
        output = PipelineFormat(sampleRate: sampleRate, channels: channels)
        pipeline = PCMPipeline(PipelinePlan(output: output, encoding: nil, options: options), addsDither: false, canClip: false)
        alwaysConverts = options.channels != .automatic
    }

    /// Returns the frames that are complete after a buffer; there may be none.
    ///
    /// A buffer in the format of the output is returned as it is.
    ///
    /// - Parameters:
    ///   - buffer: The frames that follow.
    ///   - layout: The speakers of its channels, if known.
    /// - Throws: `CodecError` if the sample rate can't be converted.
    package func convert(_ buffer: PCMBuffer, layout: ChannelLayout? = nil) throws(CodecError) -> PCMBuffer {
        let input = PipelineFormat(
            sampleRate: buffer.sampleRate, channels: ChannelMatrix.Channels(count: buffer.channelCount, layout: layout))
        guard isConverting || alwaysConverts || input != output else { return buffer }
        isConverting = alwaysConverts || input != output
        try pipeline.setInput(input)
        try pipeline.append(buffer, 0..<buffer.frameCount)
        return read()
    }

    /// Returns the frames that the filter of the sample rate still holds.
    package func finish() throws(CodecError) -> PCMBuffer {
        try pipeline.finish()
        isConverting = false
        return read()
    }

    /// Returns all frames that are complete.
    private func read() -> PCMBuffer {
        var buffer = PCMBuffer(sampleRate: sampleRate, channelCount: output.channels.count, frameCapacity: pipeline.count)
        pipeline.read(pipeline.count, into: &buffer, at: 0)
        return buffer
    }
}
