// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

internal import AudioPrimitives

/// Mixes channels to one.
enum MonoMix {
    /// The weighted mean of all channels, so that it can't clip: centre 1, sides of the front and of the back 0.7 and 0.5, no LFE.
    ///
    /// Without a layout, and for one or two channels, all count the same.
    static func mixed(_ buffer: PCMBuffer, layout: ChannelLayout?) -> PCMBuffer {
        let frameCount = buffer.frameCount
        var result = PCMBuffer(sampleRate: buffer.sampleRate, channelCount: 1, frameCapacity: frameCount)
        let weights = weights(channelCount: buffer.channelCount, layout: layout)
        for channel in 0..<buffer.channelCount where weights[channel] > 0 {
            let start = buffer.range(ofChannel: channel).lowerBound
            for frame in 0..<frameCount { result.samples[frame] += buffer.samples[start + frame] * weights[channel] }
        }
        return result
    }

    static func weights(channelCount: Int, layout: ChannelLayout?) -> [Float] {
        var weights = [Float](repeating: 1, count: channelCount)
        if channelCount > 2, let layout {
            weights = layout.speakers.map { speaker in
                switch speaker {
                case .center: 1
                case .left, .right, .leftOfCenter, .rightOfCenter: 0.7
                case .lowFrequency: 0
                default: 0.5
                }
            }
        }
        let sum = weights.reduce(0, +)
        return weights.map { sum > 0 ? $0 / sum : 1 / Float(channelCount) }
    }
}
