// SPDX-License-Identifier: Apache-2.0

package import AudioPrimitives

/// Converts buffers with changing sample rates and channels to one format without gaps.
///
/// Channels are mixed as in ``ChannelMatrix/init(from:to:)``. Use a converter from one thread at a time.
package final class PCMBufferConverter {
    /// The output sample rate, in hertz.
    package var sampleRate: Int { output.sampleRate }

    private let output: PipelineFormat
    private let pipeline: PCMPipeline<Float>
    /// Whether the options define a channel mapping, which applies even if input and output formats are equal.
    private let alwaysConverts: Bool
    /// Whether the latest buffer needed conversion, so that frames of it may be pending.
    private var isConverting = false

    /// Creates a converter.
    ///
    /// - Parameters:
    ///   - sampleRate: The output sample rate, in hertz.
    ///   - options: The quality of sample rate conversion, and the channel mapping.
    package init(sampleRate: Int, channels: ChannelMatrix.Channels, options: AudioConverterOptions = AudioConverterOptions()) {
        output = PipelineFormat(sampleRate: sampleRate, channels: channels)
        pipeline = PCMPipeline(PipelinePlan(output: output, encoding: nil, options: options), addsDither: false, canClip: false)
        alwaysConverts = options.channels != .automatic
    }

    /// Returns the frames that are complete after a buffer, possibly none.
    ///
    /// A buffer in the output format is returned unchanged.
    ///
    /// - Parameter layout: Their channel layout, if known.
    /// - Throws: `CodecError` if the sample rate is not supported.
    package func convert(_ buffer: PCMBuffer, layout: ChannelLayout? = nil) throws(CodecError) -> PCMBuffer {
        let input = PipelineFormat(
            sampleRate: buffer.sampleRate, channels: ChannelMatrix.Channels(count: buffer.channelCount, layout: layout))
        guard isConverting || alwaysConverts || input != output else { return buffer }
        isConverting = alwaysConverts || input != output
        try pipeline.setInput(input)
        try pipeline.append(buffer, 0..<buffer.frameCount)
        return read()
    }

    /// Flushes the sample rate filter and returns the remaining frames.
    package func finish() throws(CodecError) -> PCMBuffer {
        try pipeline.finish()
        isConverting = false
        return read()
    }

    private func read() -> PCMBuffer {
        var buffer = PCMBuffer(sampleRate: sampleRate, channelCount: output.channels.count, frameCapacity: pipeline.count)
        pipeline.read(pipeline.count, into: &buffer, at: 0)
        return buffer
    }
}
