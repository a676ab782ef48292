// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// Sound behind a gap, kept until it is known how long the gap was.
struct PendingAudio {
    /// Servers lose sound some time after they have told of a move: what arrives at first doesn't count, in nanoseconds.
    private static let unsteady: Int64 = 200_000_000
    /// How long sound is kept from there on, in nanoseconds of arrivals, not of sound: after a program was frozen, much arrives at once and late.
    ///
    /// PipeWire keeps what doesn't fill a run, and gives the last frame of a period at once every 0.64 s.
    private static let duration: Int64 = 700_000_000
    /// Behind a longer pause in arrivals, in nanoseconds, it has to begin again: the machine stood.
    private static let longestPause: Int64 = 200_000_000
    /// But it never takes longer than that.
    private static let patience: Int64 = 3_000_000_000

    private(set) var chunks: [AudioRingBuffer.Chunk] = []
    private let firstArrival: Int64
    private var latestArrival: Int64
    private var steadySince: Int64
    private var frameCount = 0
    private var least = Int64.max
    private var leastSteady: Int64?

    init(firstArrival: Int64) {
        self.firstArrival = firstArrival
        latestArrival = firstArrival
        steadySince = firstArrival + Self.unsteady
    }

    /// When the gap ended: when a frame before the first one would have arrived, had it come without delay.
    var gapEnd: Int64 { leastSteady ?? least }

    func isComplete(now: Int64) -> Bool { now - steadySince >= Self.duration || now - firstArrival >= Self.patience }

    /// Keeps a run of `frames` frames, with what was lost before it.
    mutating func append(_ chunk: AudioRingBuffer.Chunk, frames: Int, sampleRate: Int) {
        chunks.append(chunk)
        frameCount += frames
        if chunk.writeTime - latestArrival > Self.longestPause { steadySince = max(steadySince, chunk.writeTime) }
        latestArrival = chunk.writeTime
        let lag = chunk.writeTime - HostClock.nanoseconds(ofFrames: frameCount, sampleRate: sampleRate)
        least = min(least, lag)
        if chunk.writeTime - firstArrival >= Self.unsteady { leastSteady = min(leastSteady ?? lag, lag) }
    }
}
