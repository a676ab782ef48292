// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

public import AudioMeasures
internal import AudioPrimitives
internal import PCMFiles

extension AudioSignal {
    private static let readFrames = 65_536

    /// Reads a file of PCM or of AAC whole, brought to a sample rate in hertz if one is given.
    ///
    /// Throws the error of the reader that the content calls for, and ``/PCMFiles/Resampler/Failure``.
    public init(path: String, sampleRate: Int? = nil) throws {
        let file = try PlayableFile(path: path)
        let rate = sampleRate ?? file.sampleRate
        var channels = [[Float]](repeating: [], count: file.channelCount)
        let append = { (buffer: PCMBuffer) in
            for channel in channels.indices { channels[channel] += buffer.samples[buffer.range(ofChannel: channel)] }
        }
        let resampler =
            rate == file.sampleRate ? nil : try Resampler(from: file.sampleRate, to: rate, channelCount: file.channelCount)
        var buffer = PCMBuffer(sampleRate: file.sampleRate, channelCount: file.channelCount, frameCapacity: Self.readFrames)
        while true {
            try file.read(into: &buffer)
            guard buffer.frameCount > 0 else { break }
            append(try resampler?.process(buffer) ?? buffer)
        }
        if let resampler { append(try resampler.finish()) }
        self.init(sampleRate: rate, channels: channels)
    }
}
