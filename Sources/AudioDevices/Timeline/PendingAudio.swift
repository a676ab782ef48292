// SPDX-License-Identifier: Apache-2.0

/// The audio after a gap, held until the gap length is known.
///
/// The minimum arrival lag of this audio determines the end of the gap; see ``ArrivalLagTracker``.
struct PendingAudio {
    /// The time after the first arrival whose lags are ignored, in nanoseconds.
    ///
    /// Servers may lose audio shortly after reporting a move.
    private static let unsteadyTime: Int64 = 200_000_000
    /// The duration of steady arrivals required after that, in nanoseconds of the host clock.
    ///
    /// Audio time does not count: after a program was suspended, much audio arrives at once and late. PipeWire retains frames that do not
    /// fill a fragment, and delivers the last frame of a period without delay only every 0.64 s.
    private static let steadyTime: Int64 = 700_000_000
    /// The maximum pause between arrivals, in nanoseconds.
    ///
    /// After a longer pause the machine was suspended, and the steady time restarts.
    private static let maximumPause: Int64 = 200_000_000
    /// The maximum time that audio is held, in nanoseconds.
    private static let maximumTime: Int64 = 3_000_000_000

    /// The chunks held so far, in order.
    private(set) var chunks: [AudioRingBuffer.Chunk] = []
    private let firstArrival: Int64
    private var latestArrival: Int64
    private var steadySince: Int64
    private var frameCount = 0
    private var minimumLag = Int64.max
    private var minimumSteadyLag: Int64?

    /// Creates an empty queue for audio whose first chunk arrives at the host time `firstArrival`, in nanoseconds.
    init(firstArrival: Int64) {
        self.firstArrival = firstArrival
        latestArrival = firstArrival
        steadySince = firstArrival + Self.unsteadyTime
    }

    /// The end of the gap: the host time at which a frame before the first one would have arrived without delay, in nanoseconds.
    var gapEnd: Int64 { minimumSteadyLag ?? minimumLag }

    /// Whether the end of the gap is known at the host time `now`, in nanoseconds.
    func isComplete(now: Int64) -> Bool { now - steadySince >= Self.steadyTime || now - firstArrival >= Self.maximumTime }

    /// Appends a chunk.
    ///
    /// - Parameters:
    ///   - frames: The number of its frames, including those missing before it.
    ///   - sampleRate: The sample rate, in hertz.
    mutating func append(_ chunk: AudioRingBuffer.Chunk, frames: Int, sampleRate: Int) {
        chunks.append(chunk)
        frameCount += frames
        if chunk.writeTime - latestArrival > Self.maximumPause { steadySince = max(steadySince, chunk.writeTime) }
        latestArrival = chunk.writeTime
        let lag = chunk.writeTime - HostClock.nanoseconds(ofFrames: frameCount, sampleRate: sampleRate)
        minimumLag = min(minimumLag, lag)
        if chunk.writeTime - firstArrival >= Self.unsteadyTime { minimumSteadyLag = min(minimumSteadyLag ?? lag, lag) }
    }
}
