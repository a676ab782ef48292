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
        var start: Int64
        /// Whether nothing from before can come any more.
        var isCertain: Bool
        var passedFrames = 0
    }

    /// Silence is made in runs of at most so many frames.
    private static let largestFilling = 24_000
    /// While a gap lasts, silence follows so far behind the clock: the exact end is only known when sound is back.
    private static let fillingLag: Int64 = 500_000_000
    /// How far a source's own timing is believed against the arrival of its first frames after a gap, in nanoseconds.
    private static let timingTrust: Int64 = 2_000_000_000

    /// The format of what is given to ``accept(_:emit:)``.
    private(set) var format: CaptureFormat
    private let policy: CaptureConfiguration.GapPolicy
    private var clock = CaptureClock()
    private var position: Int64 = 0
    private var gap: Gap?

    init(format: CaptureFormat, policy: CaptureConfiguration.GapPolicy) {
        self.format = format
        self.policy = policy
    }

    /// When the next frame is heard, by the clock; nil before the first.
    var clockEnd: Int64? { clock.end }

    private var frameSize: Int { format.pcm.bytesPerFrame }

    /// Takes a run from the queue.
    mutating func accept(_ chunk: AudioRingBuffer.Chunk, emit: (Output) -> Void) {
        let lost = chunk.lostByteCount / frameSize
        let hole = chunk.holeByteCount / frameSize
        let frames = chunk.bytes.count / frameSize + hole
        if lost > 0 { emit(.overrun(frames: lost)) }
        if let gap, !gap.isCertain, gap.passedFrames == 0, !chunk.followsBreak {
            // It was still on its way when the device went quiet.
            self.gap = nil
        }
        if gap != nil || chunk.followsBreak {
            beginGap(now: chunk.writeTime, isCertain: true)
            endGap(measured: chunk.hostTime, arrival: chunk.writeTime, frames: frames, emit: emit)
        } else if lost > 0 {
            pass(frames: lost, emit: emit)
        }
        if hole > 0 {
            emit(.discontinuity(frames: hole))
            pass(frames: hole, emit: emit)
        }
        guard !chunk.bytes.isEmpty else { return }
        let hostTime = clock.advance(
            frames: frames - hole, sampleRate: format.sampleRate, measured: chunk.hostTime, now: chunk.writeTime)
        emit(.audio(audio(chunk.bytes, hostTime: hostTime, isFilling: false)))
        position += Int64(frames - hole)
    }

    /// Accounts for frames that were dropped after the last run.
    mutating func acceptTrailingLoss(byteCount: Int, emit: (Output) -> Void) {
        let lost = byteCount / frameSize
        guard lost > 0 else { return }
        emit(.overrun(frames: lost))
        if gap == nil { pass(frames: lost, emit: emit) }
    }

    /// From here on, until sound is back, time passes without frames.
    ///
    /// Unless that `isCertain`, a run that follows without a break takes it back.
    mutating func beginGap(now: Int64, isCertain: Bool) {
        if gap == nil { gap = Gap(start: clock.end ?? now, isCertain: isCertain) }
        if isCertain { gap?.isCertain = true }
    }

    /// Fills an open gap as far as it is sure to reach.
    mutating func fillGap(now: Int64, emit: (Output) -> Void) {
        guard policy == .fill, let gap else { return }
        let sure = HostClock.frames(inNanoseconds: now - Self.fillingLag - gap.start, sampleRate: format.sampleRate)
        let frames = sure - gap.passedFrames
        guard frames >= format.bufferFrames, frames > 0 else { return }
        pass(frames: frames, emit: emit)
        self.gap?.passedFrames += frames
    }

    /// Ends an open gap at `time`, as at the end of a recording.
    mutating func endGap(at time: Int64, emit: (Output) -> Void) {
        guard let gap else { return }
        self.gap = nil
        let total = max(HostClock.frames(inNanoseconds: time - gap.start, sampleRate: format.sampleRate), gap.passedFrames)
        if total > 0 { emit(.discontinuity(frames: total)) }
        pass(frames: total - gap.passedFrames, emit: emit)
        clock.anchor(at: gap.start + HostClock.nanoseconds(ofFrames: total, sampleRate: format.sampleRate))
    }

    private mutating func endGap(measured: Int64, arrival: Int64, frames: Int, emit: (Output) -> Void) {
        let arrivalOfFirst = arrival - HostClock.nanoseconds(ofFrames: frames, sampleRate: format.sampleRate)
        let isTrusted = measured != 0 && measured <= arrival && measured > arrivalOfFirst - Self.timingTrust
        endGap(at: isTrusted ? measured : arrivalOfFirst, emit: emit)
    }

    /// Goes on in another format; returns whether samples differ.
    mutating func change(to new: CaptureFormat, emit: (Output) -> Void) {
        if !format.hasSameSamples(as: new), let gap, gap.passedFrames > 0 {
            // What was filled so far was filled at the old rate.
            emit(.discontinuity(frames: gap.passedFrames))
            self.gap = Gap(
                start: gap.start + HostClock.nanoseconds(ofFrames: gap.passedFrames, sampleRate: format.sampleRate),
                isCertain: gap.isCertain)
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
