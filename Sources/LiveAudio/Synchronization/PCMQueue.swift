// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives

/// A queue of sample frames, channel by channel.
struct PCMQueue {
    private var channels: [ContiguousArray<Float>]
    /// The number of removed frames that are still stored.
    private var head = 0

    init(channelCount: Int) { channels = Array(repeating: [], count: channelCount) }

    var channelCount: Int { channels.count }

    var count: Int { channels[0].count - head }

    mutating func append(_ buffer: PCMBuffer) {
        for channel in channels.indices { channels[channel] += buffer.samples[buffer.range(ofChannel: channel)] }
    }

    mutating func appendSilence(frameCount: Int) {
        for channel in channels.indices { channels[channel] += repeatElement(0, count: frameCount) }
    }

    /// Moves the first frames to the start of a buffer.
    ///
    /// - Parameter frameCount: The number of frames, at most ``count``.
    mutating func dequeue(_ frameCount: Int, into buffer: inout PCMBuffer) {
        for channel in channels.indices {
            let first = channel * buffer.frameCapacity
            for frame in 0..<frameCount { buffer.samples[first + frame] = channels[channel][head + frame] }
        }
        head += frameCount
        // Moving at most as many frames as were removed keeps the cost per frame constant.
        guard head >= count else { return }
        for channel in channels.indices { channels[channel].removeFirst(head) }
        head = 0
    }
}
