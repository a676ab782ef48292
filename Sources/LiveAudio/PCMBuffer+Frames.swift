// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives

extension PCMBuffer {
    /// Returns a copy of a range of frames.
    func frames(_ range: Range<Int>) -> PCMBuffer {
        guard range != 0..<frameCount else { return self }
        var part = PCMBuffer(sampleRate: sampleRate, channelCount: channelCount, frameCapacity: range.count)
        for channel in 0..<channelCount {
            let source = channel * frameCapacity + range.lowerBound
            for index in 0..<range.count { part.samples[channel * range.count + index] = samples[source + index] }
        }
        return part
    }

    /// Creates a buffer with the channels of several buffers, which have the same sample rate and frame count.
    init(joining buffers: [PCMBuffer]) {
        self = buffers.count == 1 ? buffers[0] : PCMBuffer(channels: buffers.flatMap(\.channels), sampleRate: buffers[0].sampleRate)
    }

    /// Returns buffers with consecutive channels.
    func parts(channelCounts: [Int]) -> [PCMBuffer] {
        guard channelCounts.count > 1 else { return [self] }
        var rest = channels[...]
        return channelCounts.map { count in
            defer { rest = rest.dropFirst(count) }
            return PCMBuffer(channels: Array(rest.prefix(count)), sampleRate: sampleRate)
        }
    }
}
