// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

internal import AudioPrimitives

/// Puts runs of sound on one line of time: counts frames, and accounts for every one that is missing.
struct CaptureTimeline {
    /// What comes out, in order.
    enum Output {
        case audio(CapturedAudio)
        case discontinuity(frames: Int)
        case overrun(frames: Int)
    }

    private struct Gap {
        /// When the first frame that is missing would have arrived.
        var start: Int64
        /// When it would have been heard.
        var heard: Int64
        /// Whether nothing from before can come any more.
        var isCertain: Bool
        var passedFrames = 0
    }

    /// Silence is made in runs of at most so many frames.
    private static let largestFilling = 24_000
    /// While a gap lasts, silence follows so far behind the clock: the exact end is only known when sound is back.
    private static let fillingLag: Int64 = 500_000_000
    /// Below this, in nanoseconds, sound counts as joined: servers lose whole buffers, and arrivals tell no less on a busy machine.
    private static let shortestGap: Int64 = 2_000_000

    /// The format of what is given to ``accept(_:emit:)``.
    private(set) var format: CaptureFormat
    private let policy: CaptureConfiguration.GapPolicy
    private var clock = CaptureClock()
    private var arrivals = ArrivalLagTracker()
    private var position: Int64 = 0
    private var gap: Gap?
    private var held: PendingAudio?
    private var lossDetector: UnreportedLossDetector?
    /// Sound that came late, until it is known whether something was lost before it.
    private var aside: [AudioRingBuffer.Chunk] = []
    private var asideFrames = 0

    /// `arrivalsTellTime` where a server may lose sound without a word.
    init(format: CaptureFormat, policy: CaptureConfiguration.GapPolicy, arrivalsTellTime: Bool = false) {
        self.format = format
        self.policy = policy
        if arrivalsTellTime {
            lossDetector = UnreportedLossDetector(bufferDuration: Double(format.bufferFrames) / Double(format.sampleRate))
        }
    }

    private var frameSize: Int { format.pcm.bytesPerFrame }

    // MARK: Sound

    /// Takes a run from the queue.
    mutating func accept(_ chunk: AudioRingBuffer.Chunk, emit: (Output) -> Void) {
        if let gap, !gap.isCertain, gap.passedFrames == 0, held == nil, !chunk.followsBreak {
            // It was still on its way when the device went quiet.
            self.gap = nil
        }
        if chunk.followsBreak { beginGap(now: chunk.writeTime, isCertain: true, emit: emit) }
        let frames = (chunk.bytes.count + chunk.holeByteCount + chunk.lostByteCount) / frameSize
        guard gap != nil else { return join(chunk, frames: frames, emit: emit) }
        var sound = held ?? PendingAudio(firstArrival: chunk.writeTime)
        sound.append(chunk, frames: frames, sampleRate: format.sampleRate)
        held = sound
        if sound.isComplete(now: chunk.writeTime) { release(emit: emit) }
    }

    /// Delivers a run without a known gap before it, unless it comes so late that something may be missing.
    private mutating func join(_ chunk: AudioRingBuffer.Chunk, frames: Int, emit: (Output) -> Void) {
        let end = HostClock.nanoseconds(ofFrames: Int(position) + asideFrames + frames, sampleRate: format.sampleRate)
        let verdict = lossDetector?.judge(lag: chunk.writeTime - end, at: chunk.writeTime) ?? .whole
        // Nearly always; without a detour over an array.
        if verdict == .whole, aside.isEmpty { return deliver(chunk, emit: emit) }
        aside.append(chunk)
        asideFrames += frames
        switch verdict {
        case .undecided: return
        case .whole: break
        case .lost(let nanoseconds):
            let missing = HostClock.frames(inNanoseconds: nanoseconds, sampleRate: format.sampleRate)
            emit(.discontinuity(frames: missing))
            pass(frames: missing, emit: emit)
        }
        deliverAside(emit: emit)
    }

    private mutating func deliverAside(emit: (Output) -> Void) {
        let chunks = aside
        aside.removeAll(keepingCapacity: true)
        asideFrames = 0
        for chunk in chunks { deliver(chunk, emit: emit) }
    }

    /// Time passes otherwise than by sound: what was put aside joins on.
    private mutating func stopWatching(emit: (Output) -> Void) {
        deliverAside(emit: emit)
        lossDetector?.restart()
    }

    private mutating func deliver(_ chunk: AudioRingBuffer.Chunk, emit: (Output) -> Void) {
        let lost = chunk.lostByteCount / frameSize
        let hole = chunk.holeByteCount / frameSize
        let frames = chunk.bytes.count / frameSize
        if lost > 0 {
            emit(.overrun(frames: lost))
            pass(frames: lost, emit: emit)
        }
        if hole > 0 {
            emit(.discontinuity(frames: hole))
            pass(frames: hole, emit: emit)
        }
        guard frames > 0 else { return }
        let hostTime = clock.advance(frames: frames, sampleRate: format.sampleRate, measured: chunk.hostTime, now: chunk.writeTime)
        emit(.audio(audio(chunk.bytes, hostTime: hostTime, isFilling: false)))
        position += Int64(frames)
        arrivals.note(lag: chunk.writeTime - place, at: chunk.writeTime)
    }

    /// The time of the next frame since the start, in nanoseconds.
    private var place: Int64 { HostClock.nanoseconds(ofFrames: Int(position), sampleRate: format.sampleRate) }

    /// Accounts for frames that were dropped after the last run.
    mutating func acceptTrailingLoss(byteCount: Int, emit: (Output) -> Void) {
        let lost = byteCount / frameSize
        guard lost > 0 else { return }
        release(emit: emit)
        stopWatching(emit: emit)
        emit(.overrun(frames: lost))
        if gap == nil { pass(frames: lost, emit: emit) }
    }

    // MARK: Gaps

    /// From here on, until sound is back, time passes without frames.
    ///
    /// Unless that `isCertain`, a run that follows without a break takes it back.
    mutating func beginGap(now: Int64, isCertain: Bool, emit: (Output) -> Void) {
        if held != nil, isCertain { release(emit: emit) }
        stopWatching(emit: emit)
        if gap == nil { gap = Gap(start: arrivals.leastLag.map { $0 + place } ?? now, heard: clock.end ?? now, isCertain: isCertain) }
        if isCertain { gap?.isCertain = true }
    }

    /// Fills an open gap as far as it is sure to reach; delivers what was held back long enough.
    mutating func fillGap(now: Int64, emit: (Output) -> Void) {
        if let held {
            if held.isComplete(now: now) { release(emit: emit) }
            return
        }
        guard policy == .fill, let gap else { return }
        let sure = HostClock.frames(inNanoseconds: now - Self.fillingLag - gap.start, sampleRate: format.sampleRate)
        let frames = sure - gap.passedFrames
        guard frames >= format.bufferFrames, frames > 0 else { return }
        pass(frames: frames, emit: emit)
        self.gap?.passedFrames += frames
    }

    /// Comes to the end: what is held back is delivered, and an open gap lasts until `now`.
    mutating func finish(at now: Int64, emit: (Output) -> Void) {
        stopWatching(emit: emit)
        if held != nil { release(emit: emit) } else { endGap(at: now, emit: emit) }
    }

    /// Ends the gap before the sound that was held back, and delivers that.
    private mutating func release(emit: (Output) -> Void) {
        guard let held else { return }
        self.held = nil
        endGap(at: held.gapEnd, emit: emit)
        for chunk in held.chunks { deliver(chunk, emit: emit) }
    }

    private mutating func endGap(at time: Int64, emit: (Output) -> Void) {
        guard let gap else { return }
        self.gap = nil
        guard gap.passedFrames > 0 || time - gap.start >= Self.shortestGap else { return }
        let total = max(HostClock.frames(inNanoseconds: time - gap.start, sampleRate: format.sampleRate), gap.passedFrames)
        emit(.discontinuity(frames: total))
        pass(frames: total - gap.passedFrames, emit: emit)
        clock.anchor(at: gap.heard + HostClock.nanoseconds(ofFrames: total, sampleRate: format.sampleRate))
    }

    /// Goes on in another format; returns whether samples differ.
    mutating func change(to new: CaptureFormat, emit: (Output) -> Void) {
        stopWatching(emit: emit)
        if !format.hasSameSamples(as: new), let gap, gap.passedFrames > 0 {
            // What was filled so far was filled at the old rate.
            emit(.discontinuity(frames: gap.passedFrames))
            let passed = HostClock.nanoseconds(ofFrames: gap.passedFrames, sampleRate: format.sampleRate)
            self.gap = Gap(start: gap.start + passed, heard: gap.heard + passed, isCertain: gap.isCertain)
        }
        position = (position * Int64(new.sampleRate) + Int64(format.sampleRate) / 2) / Int64(format.sampleRate)
        format = new
    }

    /// Lets time pass: as silence, or without anything.
    private mutating func pass(frames: Int, emit: (Output) -> Void) {
        var rest = frames
        while rest > 0 {
            let count = policy == .fill ? min(rest, Self.largestFilling) : rest
            let hostTime = clock.advance(frames: count, sampleRate: format.sampleRate, measured: 0, now: HostClock.now)
            if policy == .fill {
                emit(.audio(audio([UInt8](repeating: 0, count: count * frameSize), hostTime: hostTime, isFilling: true)))
            }
            position += Int64(count)
            rest -= count
        }
    }

    private func audio(_ bytes: [UInt8], hostTime: Int64, isFilling: Bool) -> CapturedAudio {
        CapturedAudio(
            bytes: bytes, format: format.pcm, sampleRate: format.sampleRate,
            time: MediaTime(value: position, timescale: Int32(format.sampleRate)), hostTime: hostTime, isFilling: isFilling)
    }
}
