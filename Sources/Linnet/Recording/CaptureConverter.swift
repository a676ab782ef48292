// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

internal import AudioDevices
internal import AudioPrimitives
internal import PCMFiles

/// Brings captured sound to the recording's rate and channels; made anew whenever the device's format changes.
struct CaptureConverter {
    private let inputRate: Int
    private let inputChannels: Int
    private let outputRate: Int
    private let outputChannels: Int
    private let resampler: Resampler?

    init(from input: (sampleRate: Int, channelCount: Int), to output: (sampleRate: Int, channelCount: Int)) throws {
        inputRate = input.sampleRate
        inputChannels = input.channelCount
        outputRate = output.sampleRate
        outputChannels = output.channelCount
        resampler =
            inputRate == outputRate ? nil : try Resampler(from: inputRate, to: outputRate, channelCount: outputChannels)
    }

    func accepts(_ audio: CapturedAudio) -> Bool { audio.sampleRate == inputRate && audio.format.channelCount == inputChannels }

    func convert(_ audio: CapturedAudio) throws -> PCMBuffer {
        let mixed = mix(audio.pcmBuffer())
        return try resampler?.process(mixed) ?? mixed
    }

    /// What was still inside; nil where nothing can be.
    func finish() throws -> PCMBuffer? { try resampler?.finish() }

    /// One channel becomes all, all become one; else the first ones are kept, and missing ones are silent.
    private func mix(_ buffer: PCMBuffer) -> PCMBuffer {
        guard inputChannels != outputChannels else { return buffer }
        let frames = buffer.frameCount
        var result = PCMBuffer(sampleRate: inputRate, channelCount: outputChannels, frameCapacity: frames)
        for channel in 0..<outputChannels {
            let target = channel * frames
            if outputChannels == 1 {
                for source in 0..<inputChannels {
                    let start = buffer.range(ofChannel: source).lowerBound
                    for frame in 0..<frames { result.samples[target + frame] += buffer.samples[start + frame] / Float(inputChannels) }
                }
            } else if channel < inputChannels || inputChannels == 1 {
                let start = buffer.range(ofChannel: min(channel, inputChannels - 1)).lowerBound
                for frame in 0..<frames { result.samples[target + frame] = buffer.samples[start + frame] }
            }
        }
        return result
    }
}
