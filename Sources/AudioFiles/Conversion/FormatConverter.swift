// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

package import AudioPrimitives
package import PCMFiles

/// Brings sound to another rate and number of channels; made anew whenever the format of what comes in changes.
package struct FormatConverter {
    private let inputRate: Int
    private let inputChannels: Int
    private let outputRate: Int
    private let outputChannels: Int
    private let resampler: Resampler?

    package init(from input: (sampleRate: Int, channelCount: Int), to output: (sampleRate: Int, channelCount: Int)) throws(Resampler
        .Failure)
    {
        inputRate = input.sampleRate
        inputChannels = input.channelCount
        outputRate = output.sampleRate
        outputChannels = output.channelCount
        resampler =
            inputRate == outputRate ? nil : try Resampler(from: inputRate, to: outputRate, channelCount: outputChannels)
    }

    /// Whether sound of this format is what comes in.
    package func accepts(sampleRate: Int, channelCount: Int) -> Bool { sampleRate == inputRate && channelCount == inputChannels }

    /// The frames that are ready after `buffer`; there may be none.
    package func convert(_ buffer: PCMBuffer) throws(Resampler.Failure) -> PCMBuffer {
        let mixed = mix(buffer)
        guard let resampler else { return mixed }
        return try resampler.process(mixed)
    }

    /// What was still inside; nil where nothing can be.
    package func finish() throws(Resampler.Failure) -> PCMBuffer? { try resampler?.finish() }

    /// One channel becomes all, all become one; else the first ones are kept, and missing ones are silent.
    private func mix(_ buffer: PCMBuffer) -> PCMBuffer {
        guard inputChannels != outputChannels else { return buffer }
        if outputChannels == 1 { return Downmix(monoFrom: inputChannels, layout: nil).mono(buffer) }
        let frames = buffer.frameCount
        var result = PCMBuffer(sampleRate: inputRate, channelCount: outputChannels, frameCapacity: frames)
        for channel in 0..<outputChannels where channel < inputChannels || inputChannels == 1 {
            let start = buffer.range(ofChannel: min(channel, inputChannels - 1)).lowerBound
            for frame in 0..<frames { result.samples[channel * frames + frame] = buffer.samples[start + frame] }
        }
        return result
    }
}
