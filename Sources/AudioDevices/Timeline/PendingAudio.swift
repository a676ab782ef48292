// SPDX-License-Identifier: Apache-2.0

/// The audio after a gap, kept until the length of the gap is known.
///
/// The end of the gap is determined by the least arrival lag of the audio after it, see ``ArrivalLagTracker``.
struct PendingAudio {
    /// The time after the first arrival whose lags aren't used, in nanoseconds: servers may lose audio shortly after they report a move.
    private static let unsteadyTime: Int64 = 200_000_000
    /// The time of steady arrivals after that, in nanoseconds of the host clock, not of audio: when a program was stopped, much arrives at once
    /// and late.
    ///
    /// PipeWire keeps frames that don't fill a fragment, and delivers the last frame of a period without delay only every 0.64 s.
    private static let steadyTime: Int64 = 700_000_000
    /// The longest pause between arrivals, in nanoseconds; after a longer one the machine was stopped, and the steady time starts again.
    private static let longestPause: Int64 = 200_000_000
    /// The longest time that audio is kept for, in nanoseconds.
    private static let longestTime: Int64 = 3_000_000_000

    /// The chunks kept so far, in order.
    private(set) var chunks: [AudioRingBuffer.Chunk] = []
    private let firstArrival: Int64
    private var latestArrival: Int64
    private var steadySince: Int64
    private var frameCount = 0
    private var leastLag = Int64.max
    private var leastSteadyLag: Int64?

    /// Creates an empty queue for audio whose first chunk arrives at the host time `firstArrival`, in nanoseconds.
    init(firstArrival: Int64) {
        self.firstArrival = firstArrival
        latestArrival = firstArrival
        steadySince = firstArrival + Self.unsteadyTime
    }

    /// The end of the gap: the host time in nanoseconds at which a frame before the first one would have arrived without delay.
    var gapEnd: Int64 { leastSteadyLag ?? leastLag }

    /// Returns whether the end of the gap is known at the host time `now`, in nanoseconds.
    func isComplete(now: Int64) -> Bool { now - steadySince >= Self.steadyTime || now - firstArrival >= Self.longestTime }

    /// Appends a chunk.
    ///
    /// - Parameters:
    ///   - chunk: The chunk.
    ///   - frames: The number of its frames, with those that are missing before it.
    ///   - sampleRate: The sample rate in hertz.
    mutating func append(_ chunk: AudioRingBuffer.Chunk, frames: Int, sampleRate: Int) {
        chunks.append(chunk)
        frameCount += frames
        if chunk.writeTime - latestArrival > Self.longestPause { steadySince = max(steadySince, chunk.writeTime) }
        latestArrival = chunk.writeTime
        let lag = chunk.writeTime - HostClock.nanoseconds(ofFrames: frameCount, sampleRate: sampleRate)
        leastLag = min(leastLag, lag)
        if chunk.writeTime - firstArrival >= Self.unsteadyTime { leastSteadyLag = min(leastSteadyLag ?? lag, lag) }
    }
}
