// SPDX-License-Identifier: Apache-2.0

package import AudioPrimitives

/// Keeps ranges of decoded sample frames in a sequence of buffers and removes all others.
package struct FrameRangeTrimmer {
    /// Nonempty ranges in ascending order.
    ///
    /// The last range may be unbounded (`Int.max`).
    private var ranges: [Range<Int>]

    /// The first frame of the next buffer.
    private var position = 0
    /// The index of the first range that ends after ``position``.
    private var next = 0

    /// Keeps the frames from `start` up to `end` (`nil` for unbounded), except the ascending ranges in `omitted`.
    package init(start: Int, end: Int?, omitted: [Range<Int>] = []) {
        var first = start
        let end = end ?? Int.max
        ranges = []
        for gap in omitted where gap.upperBound > first && gap.lowerBound < end {
            if gap.lowerBound > first { ranges.append(first..<gap.lowerBound) }
            first = gap.upperBound
        }
        if first < end { ranges.append(first..<end) }
    }

    /// The first frame to keep.
    var start: Int { ranges.first?.lowerBound ?? 0 }

    /// Whether all frames to keep have passed.
    package var isFinished: Bool { position >= (ranges.last?.upperBound ?? 0) }

    /// Keeps only frames `first` up to `last`, counted over the frames kept so far.
    package mutating func limit(from first: Int, to last: Int) {
        var passed = 0
        ranges = ranges.compactMap { range in
            defer { passed += min(range.count, Int.max - passed) }
            let lower = range.lowerBound + min(max(first - passed, 0), range.count)
            let upper = range.lowerBound + min(max(last - passed, 0), range.count)
            return lower < upper ? lower..<upper : nil
        }
    }

    /// Sets the first frame of the next buffer, after seeking.
    mutating func move(to frame: Int) {
        position = frame
        next = 0
    }

    /// Removes the unwanted frames of the next buffer.
    package mutating func apply(to buffer: inout PCMBuffer) {
        let frames = position..<position + buffer.frameCount
        position = frames.upperBound
        var kept = 0
        while next < ranges.count, ranges[next].lowerBound < frames.upperBound {
            let part = ranges[next].clamped(to: frames)
            let first = part.lowerBound - frames.lowerBound
            if first != kept { buffer.copyFrames(from: first, part.count, to: kept) }
            kept += part.count
            if ranges[next].upperBound > frames.upperBound { break }
            next += 1
        }
        buffer.frameCount = kept
    }
}

extension PCMBuffer {
    /// Removes frames at the start and the end, at most all.
    mutating func removeFrames(leading: Int, trailing: Int) {
        guard leading > 0 || trailing > 0 else { return }
        let kept = max(0, frameCount - leading - trailing)
        if leading > 0 { copyFrames(from: leading, kept, to: 0) }
        self.frameCount = kept
    }

    mutating func scale(by factor: Float) {
        let count = frameCount
        for channel in 0..<channelCount {
            var samples = mutableChannel(channel)
            for index in 0..<count { samples[index] *= factor }
        }
    }

    /// Moves frames to an earlier position within each channel.
    fileprivate mutating func copyFrames(from source: Int, _ count: Int, to target: Int) {
        for channel in 0..<channelCount {
            let base = range(ofChannel: channel).lowerBound
            for frame in 0..<count { samples[base + target + frame] = samples[base + source + frame] }
        }
    }
}
