// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
internal import AudioPrimitives
internal import Dispatch
internal import Synchronization

/// The echo cancellation thread, which passes microphone and reference audio to the canceller.
///
/// *Near* means the microphone, *far* the reference. Their clocks and buffer sizes differ: blocks are matched by host time, and near audio
/// waits for far audio of the same time.
final class EchoMixer: @unchecked Sendable {
    /// The maximum time that a near block waits for its far audio, in nanoseconds.
    private static let maximumWait: Int64 = 100_000_000
    /// The range of time differences, near to far audio, in which far audio is not shifted, in nanoseconds.
    ///
    /// A shift disturbs the canceller for a second. PipeWire's reported times drift by up to 85 ms within seconds while the audio does not
    /// (six shifts in nine seconds at ±20 ms, an echo of -36 dB instead of -60). Far audio that comes too early only increases the echo
    /// delay, which the canceller tracks. Far audio that comes too late may follow its echo.
    private static let tolerance: ClosedRange<Int64> = -20_000_000...100_000_000
    /// The time limit for another output after one was lost, in nanoseconds.
    ///
    /// Servers report the two events separately.
    private static let outputTimeout: Int64 = 3_000_000_000
    /// The delay between attempts to open another output, in nanoseconds.
    private static let retryInterval: Int64 = 50_000_000

    private let canceller: EchoCanceller
    private let microphone: CaptureInput
    private let reference: EchoReference
    private let output: CaptureInput
    private let wake: DispatchSemaphore
    /// The block duration, in nanoseconds.
    private let blockTime: Int64 = 10_000_000
    /// The number of samples per near block.
    private let nearBlockSize: Int
    private let isStopped = Atomic<Bool>(false)
    private let finished = DispatchGroup()

    // The following properties belong to the thread.
    private var played: CaptureInput
    /// The captured output's identifier; `nil` if a monitor was named.
    private var currentOutput: String?
    /// During a search for another output: the host times of the next attempt and of the deadline.
    private var search: (next: Int64, deadline: Int64)?
    private var near: [Float] = []
    private var nearTime: Int64 = 0
    /// The arrivals of near audio, oldest first: the host time in nanoseconds and the number of unprocessed samples.
    private var arrivals: [(time: Int64, count: Int)] = []
    private var far: [Float] = []
    private var farTime: Int64 = 0
    private var nearClock = CaptureClock()
    private var farClock = CaptureClock()
    private var isAligned = false

    init(
        _ canceller: EchoCanceller, microphone: CaptureInput, played: EchoReference.OpenedDevices, reference: EchoReference,
        output: CaptureInput,
        wake: DispatchSemaphore
    ) {
        self.canceller = canceller
        self.reference = reference
        self.microphone = microphone
        self.played = played.input
        currentOutput = played.output
        self.output = output
        self.wake = wake
        nearBlockSize = canceller.blockFrames * (microphone.format?.pcm.channelCount ?? 1)
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

    /// Writes the remaining audio and ends the thread.
    ///
    /// Both backends must have stopped.
    func stop() {
        isStopped.store(true, ordering: .releasing)
        wake.signal()
        finished.wait()
    }

    /// Processes the received audio and notices.
    private func turn(isLast: Bool) {
        let notices = microphone.dequeueNotices()
        let farNotices = played.dequeueNotices()
        acceptFar()
        while let chunk = microphone.ring?.next() { acceptNear(chunk) }
        process(isLast: isLast)
        for notice in notices { output.report(notice) }
        guard !isLast else { return }
        for notice in farNotices { handleFarNotice(notice) }
        if let search, HostClock.now >= search.next { attempt(until: search.deadline) }
    }

    /// Handles a notice of the reference: starts a search for another output, or ends the capture.
    private func handleFarNotice(_ notice: BackendNotice) {
        switch notice {
        case .defaultOutputChanged where reference.followsDefault, .deviceLost where reference.followsDefault:
            let now = HostClock.now
            search = (now, now + Self.outputTimeout)
        case .deviceLost, .serverLost, .failed: output.report(.deviceLost)
        default: break
        }
    }

    /// Tries to open the current default output's monitor.
    private func attempt(until deadline: Int64) {
        search = nil
        do {
            let rate = played.format?.sampleRate
            let opened = try reference.open()
            played = opened.input
            guard played.format?.sampleRate == rate else { return output.report(.deviceLost) }
            far = []
            farClock = CaptureClock()
            isAligned = false
            if let id = opened.output, id != currentOutput { output.report(.defaultOutputChanged(id: id)) }
            currentOutput = opened.output
        } catch .cancelled {
        } catch {
            let now = HostClock.now
            guard now < deadline else { return output.report(.deviceLost) }
            search = (now + Self.retryInterval, deadline)
        }
    }

    /// Appends the received far audio.
    private func acceptFar() {
        while let chunk = played.ring?.next() {
            let samples = chunk.bytes.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
            let missing = (chunk.gapByteCount + chunk.lostByteCount) / 4
            let frames = samples.count + missing
            let time = farClock.advance(
                frames: frames, sampleRate: canceller.blockFrames * 100, measured: chunk.hostTime, now: chunk.writeTime)
            if far.isEmpty { farTime = time }
            far += [Float](repeating: 0, count: missing)
            far += samples
        }
    }

    /// Appends a chunk of near audio.
    ///
    /// At a gap, first writes the audio before it.
    private func acceptNear(_ chunk: AudioRingBuffer.Chunk) {
        if chunk.followsBreak || chunk.lostByteCount > 0 || chunk.gapByteCount > 0 {
            process(isLast: true)
            if chunk.followsBreak {
                output.writeBreak()
                nearClock = CaptureClock()
            }
            if chunk.lostByteCount + chunk.gapByteCount > 0 {
                output.writeGap(byteCount: chunk.lostByteCount + chunk.gapByteCount, hostTime: 0)
            }
        }
        guard !chunk.bytes.isEmpty else { return }
        let samples = chunk.bytes.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
        let channels = nearBlockSize / canceller.blockFrames
        let time = nearClock.advance(
            frames: samples.count / channels, sampleRate: canceller.blockFrames * 100, measured: chunk.hostTime, now: chunk.writeTime)
        if near.isEmpty { nearTime = time }
        near += samples
        arrivals.append((chunk.writeTime, samples.count))
    }

    /// Removes the echo from the complete near blocks.
    private func process(isLast: Bool) {
        while near.count >= nearBlockSize {
            let hasReference = align()
            if !hasReference, !isLast, let first = arrivals.first, HostClock.now - first.time < Self.maximumWait { return }
            var block = Array(near[..<nearBlockSize])
            let reference = hasReference ? Array(far[..<canceller.blockFrames]) : []
            if hasReference {
                far.removeFirst(canceller.blockFrames)
                farTime += blockTime
            }
            // If the canceller fails, the block is written unchanged.
            try? canceller.process(&block, reference: reference)
            write(block)
        }
        // A partial block cannot be processed and is written unchanged.
        if isLast, !near.isEmpty { write(near) }
    }

    /// Writes processed audio and removes it from the near audio.
    private func write(_ samples: [Float]) {
        output.write(samples.span.bytes, hostTime: nearTime)
        near.removeFirst(samples.count)
        nearTime += HostClock.nanoseconds(
            ofFrames: samples.count / (nearBlockSize / canceller.blockFrames), sampleRate: canceller.blockFrames * 100)
        removeArrivals(ofSamples: samples.count)
    }

    /// Removes the arrivals of the oldest near samples.
    private func removeArrivals(ofSamples count: Int) {
        var rest = count
        while rest > 0, let first = arrivals.first {
            let removed = min(rest, first.count)
            rest -= removed
            arrivals[0].count -= removed
            if arrivals[0].count == 0 { arrivals.removeFirst() }
        }
    }

    /// Aligns the far audio with the next near block.
    ///
    /// Returns false if the far audio has not arrived.
    private func align() -> Bool {
        let rate = canceller.blockFrames * 100
        let difference = farTime - nearTime
        let tolerance = isAligned ? Self.tolerance : -blockTime / 2...blockTime / 2
        if !far.isEmpty, difference < tolerance.lowerBound {
            let count = min(far.count, HostClock.frames(inNanoseconds: -difference, sampleRate: rate))
            far.removeFirst(count)
            farTime += HostClock.nanoseconds(ofFrames: count, sampleRate: rate)
        } else if !far.isEmpty, difference > tolerance.upperBound {
            let count = min(HostClock.frames(inNanoseconds: difference, sampleRate: rate), rate)
            far = [Float](repeating: 0, count: count) + far
            farTime -= HostClock.nanoseconds(ofFrames: count, sampleRate: rate)
        }
        guard far.count >= canceller.blockFrames else { return false }
        isAligned = true
        return true
    }
}
#endif
