// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
public import AVFAudio
public import AudioPrimitives

extension PCMBuffer {
    /// Creates a buffer from an AVFAudio buffer, for example from an AVAudioEngine tap.
    ///
    /// Type-checked only: see Documentation/Internals/Apple.md.
    ///
    /// - Parameter buffer: 32-bit float, 16-bit or 32-bit integer samples, interleaved or not.
    /// - Returns: `nil` for any other sample format, or without channels.
    public init?(_ buffer: AVAudioPCMBuffer) {
        let channelCount = Int(buffer.format.channelCount)
        let frameCount = Int(buffer.frameLength)
        let stride = buffer.stride
        guard channelCount > 0 else { return nil }
        self.init(sampleRate: Int(buffer.format.sampleRate), channelCount: channelCount, frameCapacity: frameCount)
        for channel in 0..<channelCount {
            let start = channel * frameCount
            if let source = buffer.floatChannelData {
                for frame in 0..<frameCount { samples[start + frame] = source[channel][frame * stride] }
            } else if let source = buffer.int16ChannelData {
                for frame in 0..<frameCount { samples[start + frame] = Float(source[channel][frame * stride]) / 32768 }
            } else if let source = buffer.int32ChannelData {
                for frame in 0..<frameCount { samples[start + frame] = Float(source[channel][frame * stride]) / 2_147_483_648 }
            } else {
                return nil
            }
        }
    }

    /// Returns a non-interleaved AVFAudio buffer; `nil` if AVFAudio has no format for the channel count.
    public func avAudioPCMBuffer() -> AVAudioPCMBuffer? {
        guard let format = AVAudioFormat(standardFormatWithSampleRate: Double(sampleRate), channels: AVAudioChannelCount(channelCount)),
            let buffer = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: AVAudioFrameCount(frameCount)),
            let target = buffer.floatChannelData
        else { return nil }
        buffer.frameLength = AVAudioFrameCount(frameCount)
        for channel in 0..<channelCount {
            let start = range(ofChannel: channel).lowerBound
            for frame in 0..<frameCount { target[channel][frame] = samples[start + frame] }
        }
        return buffer
    }
}
#endif
