// SPDX-License-Identifier: Apache-2.0

internal import AudioLoudness
package import AudioPrimitives

/// Decides where the files of a recording begin, for all its outputs.
package struct RecordingSplitter {
    /// The jitter of clock readings, in seconds.
    private static let clockTolerance = 0.1

    private let sampleRate: Int
    private let clock: WallClock
    /// Frames per file.
    private let interval: Int?
    private let times: [DayTime]
    private var pauses: PauseSplitter?

    private var fileStart = 0
    private var frameCount = 0
    /// The next cut by time of day, in seconds since 1970.
    private var nextTime: Double?

    /// Creates a splitter.
    ///
    /// - Parameters:
    ///   - split: The rule; `nil` for one file.
    ///   - silenceLevel: The RMS level up to which a window of 20 ms is silent, in dBFS.
    package init(_ split: RecordingSplit?, clock: WallClock, silenceLevel: Double, sampleRate: Int, channelCount: Int) {
        self.sampleRate = sampleRate
        self.clock = clock
        interval = split?.interval.map { max(1, $0.frameCount(atRate: sampleRate)) }
        times = split?.times ?? []
        if split?.cutsAtPauses == true {
            pauses = PauseSplitter(level: silenceLevel, sampleRate: sampleRate, channelCount: channelCount)
        }
    }

    /// All boundaries before this frame are known.
    package var decidedFrame: Int { pauses?.candidate(after: fileStart).map { min($0, frameCount) } ?? frameCount }

    /// Returns the file boundaries that a buffer reveals, in order.
    ///
    /// Those at pauses can be in earlier buffers, but not before ``decidedFrame``.
    ///
    /// - Parameters:
    ///   - buffer: The next audio.
    ///   - hostTime: The host time of its first frame, in nanoseconds.
    ///   - isFull: Whether the current file has no space for the buffer.
    package mutating func accept(_ buffer: PCMBuffer, hostTime: Int64, isFull: Bool = false) -> [FileBoundary] {
        guard buffer.frameCount > 0 else { return [] }
        let time = clock.time(at: hostTime)
        let start = frameCount
        func boundary(_ frame: Int) -> FileBoundary {
            FileBoundary(frame: frame, time: time + Double(frame - start) / Double(sampleRate))
        }
        frameCount += buffer.frameCount
        var result: [FileBoundary] = []
        if start == 0 {
            result = [boundary(0)]
            nextTime = WallClock.next(times, after: time)
        }
        if isFull, start > fileStart { result.append(boundary(cut(at: start))) }
        while let next = nextCut(start, time) {
            guard next.frame > fileStart else { continue }
            result.append(FileBoundary(frame: cut(at: next.frame), time: next.time ?? boundary(next.frame).time))
        }
        for frame in pauses?.cuts(buffer, after: fileStart) ?? [] { result.append(boundary(cut(at: frame))) }
        return result
    }

    private mutating func cut(at frame: Int) -> Int {
        fileStart = frame
        return frame
    }

    /// Returns the next cut by duration or time of day before ``frameCount``, with the time of day; `nil` without one.
    ///
    /// - Parameters:
    ///   - start: The first frame of the buffer.
    ///   - time: Its time, in seconds since 1970.
    private mutating func nextCut(_ start: Int, _ time: Double) -> (frame: Int, time: Double?)? {
        let byDuration = interval.map { fileStart + $0 }
        // A later time can be beyond all frame numbers.
        let offset = nextTime.map { min((($0 - time) * Double(sampleRate)).rounded(), Double(frameCount)) }
        let byTime = offset.map { max(start, start + Int($0)) }
        guard let next = [byDuration, byTime].compactMap({ $0 }).min(), next < frameCount else { return nil }
        guard next == byTime, let dayTime = nextTime else { return (next, nil) }
        nextTime = WallClock.next(times, after: max(dayTime, time))
        // A file is named after the time of day, however exact the readings of the clock.
        return (next, time < dayTime + Self.clockTolerance ? dayTime : time)
    }
}
