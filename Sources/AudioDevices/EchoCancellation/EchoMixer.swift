// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

#if os(Linux)
internal import AudioPrimitives
internal import Dispatch
internal import Synchronization

/// The thread that brings together what is heard and what is played.
///
/// Both come from clocks of their own and in runs of their own: they are matched by their host times, and by waiting a little.
final class EchoMixer: @unchecked Sendable {
    /// How long a block waits for what was played at its time.
    private static let patience: Int64 = 100_000_000
    /// How far the two may drift apart before what is played is moved.
    private static let slack: Int64 = 20_000_000
    /// How long another output may take to be there after the one before went: servers tell the one and the other in their own time.
    private static let outputPatience: Int64 = 3_000_000_000
    private static let retryInterval: Int64 = 50_000_000

    /// A search for the output to follow.
    private struct Search {
        var next: Int64
        var deadline: Int64
    }

    private let canceller: EchoCanceller
    private let heard: CaptureInput
    private let reference: EchoReference
    private let output: CaptureInput
    private let wake: DispatchSemaphore
    private let blockTime: Int64 = 10_000_000
    private let heardSize: Int
    private let isStopped = Atomic<Bool>(false)
    private let finished = DispatchGroup()

    // The thread's own.
    private var played: CaptureInput
    /// The output that is followed; nil where the device was named.
    private var followed: String?
    private var search: Search?
    private var near: [Float] = []
    private var nearTime: Int64 = 0
    private var nearArrival: Int64 = 0
    private var far: [Float] = []
    private var farTime: Int64 = 0
    private var nearClock = CaptureClock()
    private var farClock = CaptureClock()
    private var isAligned = false

    init(
        _ canceller: EchoCanceller, heard: CaptureInput, played: EchoReference.Opened, reference: EchoReference, output: CaptureInput,
        wake: DispatchSemaphore
    ) {
        self.canceller = canceller
        self.reference = reference
        self.heard = heard
        self.played = played.input
        followed = played.output
        self.output = output
        self.wake = wake
        heardSize = canceller.blockFrames * (heard.format?.pcm.channelCount ?? 1)
    }

    func run() {
        finished.enter()
        DispatchQueue(label: "linnet.echo", qos: .userInteractive).async { [self] in
            while !isStopped.load(ordering: .acquiring) {
                _ = wake.wait(timeout: .now() + 0.02)
                turn(isLast: false)
            }
            turn(isLast: true)
            finished.leave()
        }
    }

    /// Hands over what is there, and ends; both backends have stopped.
    func stop() {
        isStopped.store(true, ordering: .releasing)
        wake.signal()
        finished.wait()
    }

    private func turn(isLast: Bool) {
        let notices = heard.takeNotices()
        let farNotices = played.takeNotices()
        takePlayed()
        while let chunk = heard.ring?.next() { take(chunk) }
        process(isLast: isLast)
        for notice in notices { output.report(notice) }
        guard !isLast else { return }
        for notice in farNotices { lookForReference(after: notice) }
        if let search, HostClock.now >= search.next { follow(search) }
    }

    /// Looks for the output to follow when there is another one; what can't be followed is an end of both.
    private func lookForReference(after notice: BackendNotice) {
        switch notice {
        case .defaultOutputChanged where reference.followsDefault, .deviceLost where reference.followsDefault:
            let now = HostClock.now
            search = Search(next: now, deadline: now + Self.outputPatience)
        case .deviceLost, .serverLost, .failed: output.report(.deviceLost)
        default: break
        }
    }

    private func follow(_ search: Search) {
        self.search = nil
        do {
            let rate = played.format?.sampleRate
            let opened = try reference.open()
            played = opened.input
            guard played.format?.sampleRate == rate else { return output.report(.deviceLost) }
            far = []
            farClock = CaptureClock()
            isAligned = false
            if let id = opened.output, id != followed { output.report(.defaultOutputChanged(id: id)) }
            followed = opened.output
        } catch .cancelled {
        } catch {
            let now = HostClock.now
            guard now < search.deadline else { return output.report(.deviceLost) }
            self.search = Search(next: now + Self.retryInterval, deadline: search.deadline)
        }
    }

    private func takePlayed() {
        while let chunk = played.ring?.next() {
            let samples = chunk.bytes.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
            let missing = (chunk.holeByteCount + chunk.lostByteCount) / 4
            let frames = samples.count + missing
            let time = farClock.advance(
                frames: frames, sampleRate: canceller.blockFrames * 100, measured: chunk.hostTime, now: chunk.writeTime)
            if far.isEmpty { farTime = time }
            far += [Float](repeating: 0, count: missing)
            far += samples
        }
    }

    /// Takes a run of what is heard; what doesn't follow on it is passed on first.
    private func take(_ chunk: AudioRingBuffer.Chunk) {
        if chunk.followsBreak || chunk.lostByteCount > 0 || chunk.holeByteCount > 0 {
            process(isLast: true)
            if chunk.followsBreak {
                output.writeBreak()
                nearClock = CaptureClock()
            }
            if chunk.lostByteCount + chunk.holeByteCount > 0 {
                output.writeHole(byteCount: chunk.lostByteCount + chunk.holeByteCount, hostTime: 0)
            }
        }
        guard !chunk.bytes.isEmpty else { return }
        let samples = chunk.bytes.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
        let channels = heardSize / canceller.blockFrames
        let time = nearClock.advance(
            frames: samples.count / channels, sampleRate: canceller.blockFrames * 100, measured: chunk.hostTime, now: chunk.writeTime)
        if near.isEmpty {
            nearTime = time
            nearArrival = chunk.writeTime
        }
        near += samples
    }

    private func process(isLast: Bool) {
        while near.count >= heardSize {
            let hasReference = align()
            if !hasReference, !isLast, HostClock.now - nearArrival < Self.patience { return }
            var block = Array(near[..<heardSize])
            let reference = hasReference ? Array(far[..<canceller.blockFrames]) : []
            if hasReference {
                far.removeFirst(canceller.blockFrames)
                farTime += blockTime
            }
            // An engine that refuses a block leaves it as it is.
            try? canceller.process(&block, reference: reference)
            pass(block)
        }
        // Less than a block can't be processed: it is passed as it is.
        if isLast, !near.isEmpty { pass(near) }
    }

    private func pass(_ samples: [Float]) {
        samples.withUnsafeBytes { output.write($0, hostTime: nearTime) }
        near.removeFirst(samples.count)
        nearTime += HostClock.nanoseconds(
            ofFrames: samples.count / (heardSize / canceller.blockFrames), sampleRate: canceller.blockFrames * 100)
        if !near.isEmpty { nearArrival = max(nearArrival, HostClock.now - Self.patience) }
    }

    /// Puts what was played at the time of the block that is due in front; false if it hasn't come.
    private func align() -> Bool {
        let rate = canceller.blockFrames * 100
        let ahead = farTime - nearTime
        let slack = isAligned ? Self.slack : blockTime / 2
        if !far.isEmpty, ahead < -slack {
            let count = min(far.count, HostClock.frames(inNanoseconds: -ahead, sampleRate: rate))
            far.removeFirst(count)
            farTime += HostClock.nanoseconds(ofFrames: count, sampleRate: rate)
        } else if !far.isEmpty, ahead > slack {
            let count = min(HostClock.frames(inNanoseconds: ahead, sampleRate: rate), rate)
            far = [Float](repeating: 0, count: count) + far
            farTime -= HostClock.nanoseconds(ofFrames: count, sampleRate: rate)
        }
        guard far.count >= canceller.blockFrames else { return false }
        isAligned = true
        return true
    }
}
#endif
