// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

package import AudioPrimitives
package import PCMFiles

/// Converts buffers to another sample rate and channel count; created anew when the input format changes.
package struct FormatConverter {
    private let inputRate: Int
    private let inputChannels: Int
    private let outputRate: Int
    private let outputChannels: Int
    private let downmix: Downmix?
    private let resampler: Resampler?

    /// Creates a converter.
    ///
    /// More than two channels become two by ``Downmix`` if their layout is known; of a device's channels, without one, the first two are kept.
    ///
    /// - Parameters:
    ///   - input: The format of the input.
    ///   - output: The format of the output.
    ///   - layout: The speakers of the input's channels, if known.
    package init(
        from input: (sampleRate: Int, channelCount: Int), to output: (sampleRate: Int, channelCount: Int), layout: ChannelLayout? = nil
    ) throws(PCMFileError) {
        inputRate = input.sampleRate
        inputChannels = input.channelCount
        outputRate = output.sampleRate
        outputChannels = output.channelCount
        let layout = layout?.channelCount == inputChannels ? layout : nil
        downmix =
            outputChannels == 1
            ? Downmix(monoFrom: inputChannels, layout: layout)
            : outputChannels == 2 && inputChannels > 2 ? layout.map { Downmix($0, toMono: false) } : nil
        resampler =
            inputRate == outputRate ? nil : try Resampler(from: inputRate, to: outputRate, channelCount: outputChannels)
    }

    /// Whether this is the format of the input.
    package func accepts(sampleRate: Int, channelCount: Int) -> Bool { sampleRate == inputRate && channelCount == inputChannels }

    /// Returns the sample frames that are complete after `buffer`; there may be none.
    package func convert(_ buffer: PCMBuffer) throws(PCMFileError) -> PCMBuffer {
        let mixed = mix(buffer)
        guard let resampler else { return mixed }
        return try resampler.process(mixed)
    }

    /// Returns the frames that the resampler still holds; nil without one.
    package func finish() throws(PCMFileError) -> PCMBuffer? { try resampler?.finish() }

    /// Copies one channel to all, mixes down, or else keeps the first channels and adds silent ones.
    private func mix(_ buffer: PCMBuffer) -> PCMBuffer {
        guard inputChannels != outputChannels else { return buffer }
        if let downmix { return downmix.mix(buffer, channelCount: outputChannels) }
        let frames = buffer.frameCount
        var result = PCMBuffer(sampleRate: inputRate, channelCount: outputChannels, frameCapacity: frames)
        for channel in 0..<outputChannels where channel < inputChannels || inputChannels == 1 {
            let start = buffer.range(ofChannel: min(channel, inputChannels - 1)).lowerBound
            for frame in 0..<frames { result.samples[channel * frames + frame] = buffer.samples[start + frame] }
        }
        return result
    }
}
