// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives

/// Places captured chunks on one timeline: counts frames, and accounts for every missing frame.
///
/// The properties `gap`, `pending` and `late` define four states:
///
///                       late chunk
///     ┌────────────┐ ────────────────► ┌────────┐
///     │ continuous │                   │  late  │
///     └────────────┘ ◄──────────────── └────────┘
///        │  ▲  ▲    the loss detector       │
///        │  │  │       decides              │ break, beginGap (the late chunks are delivered first)
///        │  │  │                            │
///        │  │  └──────────────────┐         │
///        │  │ chunk without a     │         │
///        │  │ break, and the gap  │         │
///        │  │ is uncertain        │         │
///        ▼  │                     │         │
///     ┌────────────┐ ◄────────────┼─────────┘
///     │    gap     │              │
///     └────────────┘              │ gap length known, or end of capture: gap, then pending chunks are delivered
///        │      ▲                 │
///        │      │ break,          │
///        │      │ beginGap        │
///        ▼      │                 │
///     ┌────────────┐              │
///     │  pending   │ ─────────────┘
///     └────────────┘
///
/// - *Continuous*: each chunk is delivered at once.
/// - *Late*: chunks are held until ``UnreportedLossDetector`` decides whether audio is missing before them.
/// - *Gap*: no chunks arrive. With the policy `fill`, silence is delivered with a delay of half a second.
/// - *Pending*: chunks after the gap are held until ``PendingAudio`` has determined the gap length.
package struct CaptureTimeline {
    package enum Output {
        /// Audio, or silence that replaces missing audio.
        case audio(CapturedAudio)
        /// The source delivered nothing for this number of frames.
        case discontinuity(frames: Int)
        /// This number of frames was lost because the queue was full.
        case overrun(frames: Int)
    }

    /// A time without frames and with an unknown end.
    private struct Gap {
        /// The host time at which the first missing frame would have arrived, in nanoseconds.
        var start: Int64
        /// The host time at which it would have been captured, in nanoseconds.
        var captureTime: Int64
        /// Whether no frames from before the gap can still arrive.
        var isCertain: Bool
        /// The number of frames that have already been added to the timeline.
        var passedFrames = 0
    }

    /// The maximum number of silent frames delivered at once.
    private static let maximumFillFrameCount = 24_000
    /// The delay of silence in an open gap, in nanoseconds: the exact end is known only after audio has returned.
    private static let fillingDelay: Int64 = 500_000_000
    /// The minimum gap, in nanoseconds.
    ///
    /// Servers lose whole buffers, and arrival times are not more accurate on a busy machine.
    private static let minimumGap: Int64 = 2_000_000

    /// The format of the chunks passed to ``accept(_:emit:)``.
    private(set) var format: CaptureFormat
    private let policy: CaptureConfiguration.GapPolicy
    private var clock = CaptureClock()
    private var lagTracker = ArrivalLagTracker()
    private var lossDetector: UnreportedLossDetector?
    private var position: Int64 = 0
    private var gap: Gap?
    private var pending: PendingAudio?
    private var late: [AudioRingBuffer.Chunk] = []
    private var lateFrames = 0

    /// Creates a timeline at time zero.
    ///
    /// - Parameter detectsUnreportedLoss: Whether to detect losses from arrival times.
    package init(format: CaptureFormat, policy: CaptureConfiguration.GapPolicy, detectsUnreportedLoss: Bool = false) {
        self.format = format
        self.policy = policy
        if detectsUnreportedLoss {
            lossDetector = UnreportedLossDetector(bufferDuration: Double(format.bufferFrames) / Double(format.sampleRate))
        }
    }

    private var frameSize: Int { format.pcm.bytesPerFrame }

    /// The next frame's time since the start, in nanoseconds.
    private var positionTime: Int64 { HostClock.nanoseconds(ofFrames: Int(position), sampleRate: format.sampleRate) }

    // MARK: Audio

    /// Processes a chunk from the queue.
    package mutating func accept(_ chunk: AudioRingBuffer.Chunk, emit: (Output) -> Void) {
        if let gap, !gap.isCertain, gap.passedFrames == 0, pending == nil, !chunk.followsBreak {
            // The chunk was already in transit when the device stopped.
            self.gap = nil
        }
        if chunk.followsBreak { startGap(now: chunk.writeTime, isCertain: true, emit: emit) }
        let frames = (chunk.bytes.count + chunk.gapByteCount + chunk.lostByteCount) / frameSize
        guard gap != nil else { return acceptContinuous(chunk, frames: frames, emit: emit) }
        var audio = pending ?? PendingAudio(firstArrival: chunk.writeTime)
        audio.append(chunk, frames: frames, sampleRate: format.sampleRate)
        pending = audio
        if audio.isComplete(now: chunk.writeTime) { deliverPending(emit: emit) }
    }

    /// Delivers a chunk without a known gap before it, unless it is so late that audio may be missing.
    private mutating func acceptContinuous(_ chunk: AudioRingBuffer.Chunk, frames: Int, emit: (Output) -> Void) {
        let end = HostClock.nanoseconds(ofFrames: Int(position) + lateFrames + frames, sampleRate: format.sampleRate)
        let verdict = lossDetector?.evaluate(lag: chunk.writeTime - end, at: chunk.writeTime) ?? .intact
        // The usual case, without an array.
        if verdict == .intact, late.isEmpty { return deliver(chunk, emit: emit) }
        late.append(chunk)
        lateFrames += frames
        switch verdict {
        case .undecided: return
        case .intact: break
        case .lost(let nanoseconds):
            let missing = HostClock.frames(inNanoseconds: nanoseconds, sampleRate: format.sampleRate)
            emit(.discontinuity(frames: missing))
            advance(frames: missing, emit: emit)
        }
        deliverLate(emit: emit)
    }

    private mutating func deliverLate(emit: (Output) -> Void) {
        let chunks = late
        late.removeAll(keepingCapacity: true)
        lateFrames = 0
        for chunk in chunks { deliver(chunk, emit: emit) }
    }

    /// Delivers the late chunks without a decision and restarts the loss detector, because time passes without audio.
    private mutating func restartLossDetection(emit: (Output) -> Void) {
        deliverLate(emit: emit)
        lossDetector?.restart()
    }

    /// Delivers a chunk after its preceding losses.
    private mutating func deliver(_ chunk: AudioRingBuffer.Chunk, emit: (Output) -> Void) {
        let lost = chunk.lostByteCount / frameSize
        let gapFrameCount = chunk.gapByteCount / frameSize
        let frames = chunk.bytes.count / frameSize
        if lost > 0 {
            emit(.overrun(frames: lost))
            advance(frames: lost, emit: emit)
        }
        if gapFrameCount > 0 {
            emit(.discontinuity(frames: gapFrameCount))
            advance(frames: gapFrameCount, emit: emit)
        }
        guard frames > 0 else { return }
        let hostTime = clock.advance(frames: frames, sampleRate: format.sampleRate, measured: chunk.hostTime, now: chunk.writeTime)
        var audio = audio(chunk.bytes, hostTime: hostTime, isFilling: false)
        // Where arrival times are reliable, reported times are not: they differ by up to 85 ms on PipeWire and 8 ms on PulseAudio.
        let usesArrival = lossDetector != nil || chunk.hostTime == 0
        audio.clockReading = usesArrival ? .arrival(chunk.writeTime) : .capture(chunk.hostTime)
        emit(.audio(audio))
        position += Int64(frames)
        lagTracker.record(lag: chunk.writeTime - positionTime, at: chunk.writeTime)
    }

    /// Accounts for bytes dropped after the last chunk.
    package mutating func acceptTrailingLoss(byteCount: Int, emit: (Output) -> Void) {
        let lost = byteCount / frameSize
        guard lost > 0 else { return }
        deliverPending(emit: emit)
        restartLossDetection(emit: emit)
        emit(.overrun(frames: lost))
        if gap == nil { advance(frames: lost, emit: emit) }
    }

    // MARK: Gaps

    /// Starts a gap that lasts until audio returns.
    ///
    /// Does nothing inside a gap.
    ///
    /// - Parameters:
    ///   - now: The host time, in nanoseconds.
    ///   - isCertain: Whether no audio from before the gap can still arrive; otherwise a chunk without a break cancels the gap.
    package mutating func startGap(now: Int64, isCertain: Bool, emit: (Output) -> Void) {
        if pending != nil, isCertain { deliverPending(emit: emit) }
        restartLossDetection(emit: emit)
        if gap == nil {
            let start = lagTracker.minimumLag.map { $0 + positionTime } ?? now
            gap = Gap(start: start, captureTime: clock.end ?? now, isCertain: isCertain)
        }
        if isCertain { gap?.isCertain = true }
    }

    /// Delivers silence for the certain part of an open gap, or the pending audio once the gap length is known.
    package mutating func fillGap(now: Int64, emit: (Output) -> Void) {
        if let pending {
            if pending.isComplete(now: now) { deliverPending(emit: emit) }
            return
        }
        guard policy == .fill, let gap else { return }
        let certain = HostClock.frames(inNanoseconds: now - Self.fillingDelay - gap.start, sampleRate: format.sampleRate)
        let frames = certain - gap.passedFrames
        guard frames >= format.bufferFrames, frames > 0 else { return }
        anchorClock(in: gap)
        advance(frames: frames, emit: emit)
        self.gap?.passedFrames += frames
    }

    /// Ends the timeline at the host time `now` in nanoseconds, including an open gap.
    ///
    /// Delivers all held chunks.
    package mutating func finish(at now: Int64, emit: (Output) -> Void) {
        restartLossDetection(emit: emit)
        if pending != nil { deliverPending(emit: emit) } else { endGap(at: now, emit: emit) }
    }

    /// Ends the gap and delivers the pending audio.
    private mutating func deliverPending(emit: (Output) -> Void) {
        guard let pending else { return }
        self.pending = nil
        endGap(at: pending.gapEnd, emit: emit)
        for chunk in pending.chunks { deliver(chunk, emit: emit) }
    }

    /// Ends an open gap at a host time, in nanoseconds.
    private mutating func endGap(at time: Int64, emit: (Output) -> Void) {
        guard let gap else { return }
        self.gap = nil
        guard gap.passedFrames > 0 || time - gap.start >= Self.minimumGap else { return }
        let total = max(HostClock.frames(inNanoseconds: time - gap.start, sampleRate: format.sampleRate), gap.passedFrames)
        emit(.discontinuity(frames: total))
        anchorClock(in: gap)
        advance(frames: total - gap.passedFrames, emit: emit)
        clock.anchor(at: gap.captureTime + HostClock.nanoseconds(ofFrames: total, sampleRate: format.sampleRate))
    }

    /// Sets the host time of a gap before the first audio.
    private mutating func anchorClock(in gap: Gap) {
        if clock.end == nil { clock.anchor(at: gap.captureTime) }
    }

    /// Continues in another format.
    package mutating func change(to new: CaptureFormat, emit: (Output) -> Void) {
        restartLossDetection(emit: emit)
        if !format.hasSameSamples(as: new), let gap, gap.passedFrames > 0 {
            // The silence so far was delivered at the old rate.
            emit(.discontinuity(frames: gap.passedFrames))
            let passed = HostClock.nanoseconds(ofFrames: gap.passedFrames, sampleRate: format.sampleRate)
            self.gap = Gap(start: gap.start + passed, captureTime: gap.captureTime + passed, isCertain: gap.isCertain)
        }
        position = (position * Int64(new.sampleRate) + Int64(format.sampleRate) / 2) / Int64(format.sampleRate)
        format = new
    }

    /// Advances the timeline by missing frames.
    ///
    /// Delivers silence if the policy is `fill`.
    private mutating func advance(frames: Int, emit: (Output) -> Void) {
        var remaining = frames
        while remaining > 0 {
            let count = policy == .fill ? min(remaining, Self.maximumFillFrameCount) : remaining
            let hostTime = clock.advance(frames: count, sampleRate: format.sampleRate, measured: 0, now: HostClock.now)
            if policy == .fill {
                emit(.audio(audio([UInt8](repeating: 0, count: count * frameSize), hostTime: hostTime, isFilling: true)))
            }
            position += Int64(count)
            remaining -= count
        }
    }

    /// Returns samples with the current position as their time.
    private func audio(_ bytes: [UInt8], hostTime: Int64, isFilling: Bool) -> CapturedAudio {
        CapturedAudio(
            bytes: bytes, format: format.pcm, sampleRate: format.sampleRate,
            time: MediaTime(value: position, timescale: Int32(format.sampleRate)), hostTime: hostTime, isFilling: isFilling)
    }
}
