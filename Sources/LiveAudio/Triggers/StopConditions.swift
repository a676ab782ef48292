// SPDX-License-Identifier: Apache-2.0

internal import AudioLoudness
package import AudioPrimitives

/// When a recording ends by itself.
package struct StopConditions: Hashable, Sendable {
    /// The duration of the silence that ends the recording.
    ///
    /// The silence is kept.
    package var silence: Duration?
    /// The local time of the end.
    package var time: DayTime?
    /// The maximum size of all files together, in bytes; see ``FileGrowth``.
    package var byteCount: Int?

    package init() {}
}

/// Limits a recording to the frames before its end by silence or time of day.
package struct StopRules {
    private let clock: WallClock
    private let time: DayTime?
    /// The end by time of day, in seconds since 1970.
    private var end: Double?
    private var pauses: (meter: PauseMeter, limit: Int)?
    /// The number of frames measured for silence.
    private var frameCount = 0

    private var hasHeardSilence = false
    private var hasReachedTime = false

    /// Creates rules.
    ///
    /// - Parameter silenceLevel: The RMS level up to which a window of 20 ms is silent, in dBFS.
    package init(_ conditions: StopConditions, clock: WallClock, silenceLevel: Double, sampleRate: Int, channelCount: Int) {
        self.clock = clock
        time = conditions.time
        if let silence = conditions.silence {
            let meter = PauseMeter(level: silenceLevel, sampleRate: sampleRate, channelCount: channelCount)
            pauses = (meter, silence.frameCount(atRate: sampleRate))
        }
    }

    /// Whether the recording ends with the frames counted so far.
    package var isComplete: Bool { hasHeardSilence || hasReachedTime }

    /// Returns the number of frames before the end by time of day.
    ///
    /// Call it for all captured audio, even if it is not recorded.
    package mutating func frames(before frameCount: Int, sampleRate: Int, hostTime: Int64) -> Int {
        guard !hasReachedTime else { return 0 }
        guard let time else { return frameCount }
        let now = clock.time(at: hostTime)
        let end = self.end ?? WallClock.next([time], after: now) ?? now
        self.end = end
        let remaining = (end - now) * Double(sampleRate)
        guard remaining < Double(frameCount) else { return frameCount }
        hasReachedTime = true
        return max(0, Int(remaining.rounded()))
    }

    /// Returns the number of frames of a buffer up to the end of the silence that ends the recording.
    package mutating func frames(in buffer: PCMBuffer) -> Int {
        guard !hasHeardSilence else { return 0 }
        guard var meter = pauses?.meter, let limit = pauses?.limit else { return buffer.frameCount }
        let first = frameCount
        var end: Int?
        meter.accept(buffer) { meter in
            if end == nil, meter.pauseFrames >= limit { end = meter.measuredFrames - first }
        }
        pauses?.meter = meter
        frameCount += buffer.frameCount
        guard let end else { return buffer.frameCount }
        hasHeardSilence = true
        return end
    }
}
