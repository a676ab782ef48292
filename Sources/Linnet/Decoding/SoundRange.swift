// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

internal import AudioPrimitives

/// A run of decoded sample frames, cut out of buffers as they come.
struct SoundRange {
    /// The first frame of the run.
    var start: Int
    /// The frame behind the last one; nil for all.
    var end: Int?

    private var position = 0

    init(start: Int, end: Int?) {
        self.start = start
        self.end = end
    }

    /// Whether nothing more can come.
    var isOver: Bool { end.map { position >= $0 } ?? false }

    /// Says that the next buffer begins at another frame.
    mutating func move(to frame: Int) { position = frame }

    /// Leaves those frames of the next buffer that belong to the run.
    mutating func apply(to buffer: inout PCMBuffer) {
        let count = buffer.frameCount
        let first = min(max(start - position, 0), count)
        let last = max(min((end ?? Int.max) - position, count), first)
        position += count
        if first > 0 {
            for channel in 0..<buffer.channelCount {
                let base = buffer.range(ofChannel: channel).lowerBound
                for frame in first..<last { buffer.samples[base + frame - first] = buffer.samples[base + frame] }
            }
        }
        buffer.setFrameCount(last - first)
    }
}
