// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

internal import AudioPrimitives

/// Runs of decoded sample frames, cut out of buffers as they come.
struct FrameRangeTrimmer {
    /// The runs in order, none empty; the last one may go on without end (`Int.max`).
    private var runs: [Range<Int>]

    private var position = 0
    /// The first run that has not been passed.
    private var next = 0

    /// The run from `start` to before `end`, nil for all, without the frames in `omitted`, which are in order.
    init(start: Int, end: Int?, omitted: [Range<Int>] = []) {
        var first = start
        let end = end ?? Int.max
        runs = []
        for gap in omitted where gap.upperBound > first && gap.lowerBound < end {
            if gap.lowerBound > first { runs.append(first..<gap.lowerBound) }
            first = gap.upperBound
        }
        if first < end { runs.append(first..<end) }
    }

    /// The first frame of all.
    var start: Int { runs.first?.lowerBound ?? 0 }

    /// Whether nothing more can come.
    var isOver: Bool { position >= (runs.last?.upperBound ?? 0) }

    /// Keeps only the frames from `first` to before `last`, counted over all runs without what is between them.
    mutating func limit(from first: Int, to last: Int) {
        var passed = 0
        runs = runs.compactMap { run in
            defer { passed += min(run.count, Int.max - passed) }
            let lower = run.lowerBound + min(max(first - passed, 0), run.count)
            let upper = run.lowerBound + min(max(last - passed, 0), run.count)
            return lower < upper ? lower..<upper : nil
        }
    }

    /// Says that the next buffer begins at another frame.
    mutating func move(to frame: Int) {
        position = frame
        next = 0
    }

    /// Leaves those frames of the next buffer that belong to the runs.
    mutating func apply(to buffer: inout PCMBuffer) {
        let frames = position..<position + buffer.frameCount
        position = frames.upperBound
        var kept = 0
        while next < runs.count, runs[next].lowerBound < frames.upperBound {
            let part = runs[next].clamped(to: frames)
            let first = part.lowerBound - frames.lowerBound
            if first != kept { buffer.copyFrames(from: first, part.count, to: kept) }
            kept += part.count
            if runs[next].upperBound > frames.upperBound { break }
            next += 1
        }
        buffer.setFrameCount(kept)
    }
}

extension PCMBuffer {
    /// Moves frames further to the front.
    fileprivate mutating func copyFrames(from source: Int, _ count: Int, to target: Int) {
        for channel in 0..<channelCount {
            let base = range(ofChannel: channel).lowerBound
            for frame in 0..<count { samples[base + target + frame] = samples[base + source + frame] }
        }
    }
}
