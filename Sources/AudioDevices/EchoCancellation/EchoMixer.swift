// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
internal import AudioPrimitives
internal import Dispatch
internal import Synchronization

/// The echo cancellation thread, which passes microphone and reference audio, if any, to the canceller.
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

    /// The maximum number of far blocks that wait for near audio: 10 s.
    private static let maximumFarBlocks = 1000

    /// The maximum number of microphone chunks between two checks of notices.
    private static let chunksPerTurn = 64

    private let canceller: EchoCanceller
    private let microphone: CaptureInput
    private let waitsForOutput: Bool
    private let reference: EchoReference?
    private let output: CaptureInput
    private let wake: DispatchSemaphore
    /// The block duration, in nanoseconds.
    private let blockTime: Int64 = 10_000_000
    private let channelCount: Int
    private let isStopped = Atomic<Bool>(false)
    private let stopSignal = DispatchSemaphore(value: 0)
    private let finished = DispatchGroup()

    // The following properties belong to the thread.
    private var blocks: EchoBlocks
    /// The number of output samples to drop, from before the first near sample.
    private var leadingCount: Int
    private var hasReportedFailure = false
    private var played: CaptureInput?
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

    /// Creates a mixer.
    ///
    /// - Parameters:
    ///   - canceller: The canceller for the microphone's format.
    ///   - microphone: The microphone's audio.
    ///   - waitsForOutput: Whether to wait while `output` is full, because the microphone is a source that waits too.
    ///   - played: The reference's audio; `nil` cancels no echo.
    ///   - reference: Follows the default output.
    ///   - output: Receives the processed audio.
    ///   - wake: Signalled when audio or notices arrive.
    init(
        _ canceller: EchoCanceller, microphone: CaptureInput, waitsForOutput: Bool, played: EchoReference.OpenedDevices?,
        reference: EchoReference?, output: CaptureInput, wake: DispatchSemaphore
    ) {
        self.canceller = canceller
        self.reference = reference
        self.microphone = microphone
        self.waitsForOutput = waitsForOutput
        self.played = played?.input
        currentOutput = played?.output
        self.output = output
        self.wake = wake
        channelCount = microphone.format?.pcm.channelCount ?? 1
        blocks = EchoBlocks(canceller, channelCount: channelCount)
        leadingCount = blocks.delay
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
        stopSignal.signal()
        wake.signal()
        finished.wait()
    }

    /// Processes the received audio and notices.
    private func turn(isLast: Bool) {
        let notices = microphone.dequeueNotices()
        let farNotices = played?.dequeueNotices() ?? []
        acceptFar()
        let isEnd = isLast || notices.contains(where: \.isEnd)
        // A source without a pace may write faster than the engines process.
        for _ in 0..<(isEnd ? Int.max : Self.chunksPerTurn) {
            guard let chunk = microphone.ring?.next() else { break }
            acceptNear(chunk)
            process()
        }
        if isEnd { flush() } else { process() }
        for notice in notices { output.report(notice) }
        guard !isLast else { return }
        for notice in farNotices { handleFarNotice(notice) }
        if let search, HostClock.now >= search.next { attempt(until: search.deadline) }
    }

    /// Handles a notice of the reference: starts a search for another output, or ends the capture.
    private func handleFarNotice(_ notice: BackendNotice) {
        switch notice {
        case .defaultOutputChanged where reference?.followsDefault == true, .deviceLost where reference?.followsDefault == true:
            let now = HostClock.now
            search = (now, now + Self.outputTimeout)
        case .deviceLost, .serverLost, .failed: output.report(.deviceLost)
        default: break
        }
    }

    /// Tries to open the current default output's monitor.
    private func attempt(until deadline: Int64) {
        search = nil
        guard let reference else { return }
        do {
            let rate = played?.format?.sampleRate
            let opened = try reference.open()
            played = opened.input
            guard opened.input.format?.sampleRate == rate else { return output.report(.deviceLost) }
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
        while let chunk = played?.ring?.next() {
            let samples = chunk.bytes.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
            let missing = (chunk.gapByteCount + chunk.lostByteCount) / 4
            let frames = samples.count + missing
            let time = farClock.advance(
                frames: frames, sampleRate: canceller.blockFrames * 100, measured: chunk.hostTime, now: chunk.writeTime)
            if far.isEmpty { farTime = time }
            far += [Float](repeating: 0, count: missing)
            far += samples
        }
        if near.count < blocks.size { dropOldFar() }
    }

    /// Drops far audio that is too old for the next near audio, for example while the microphone is suspended.
    private func dropOldFar() {
        let count = far.count / canceller.blockFrames - Self.maximumFarBlocks
        guard count > 0 else { return }
        far.removeFirst(count * canceller.blockFrames)
        farTime += Int64(count) * blockTime
    }

    /// Appends a chunk of near audio.
    ///
    /// At a gap, first writes the audio before it.
    private func acceptNear(_ chunk: AudioRingBuffer.Chunk) {
        if chunk.followsBreak || chunk.lostByteCount > 0 || chunk.gapByteCount > 0 {
            flush()
            if chunk.followsBreak {
                output.writeBreak()
                nearClock = CaptureClock()
            }
            let missing = (chunk.lostByteCount + chunk.gapByteCount) / (microphone.format?.pcm.bytesPerFrame ?? 4)
            if missing > 0 { output.writeGap(byteCount: missing * channelCount * 4, hostTime: 0) }
        }
        guard !chunk.bytes.isEmpty else { return }
        let samples = samples(of: chunk.bytes)
        let time = nearClock.advance(
            frames: samples.count / channelCount, sampleRate: canceller.blockFrames * 100, measured: chunk.hostTime, now: chunk.writeTime)
        if near.isEmpty { nearTime = time }
        near += samples
        arrivals.append((chunk.writeTime, samples.count))
    }

    /// Returns near samples as floating point.
    ///
    /// A file may have another format.
    private func samples(of bytes: [UInt8]) -> [Float] {
        guard let pcm = microphone.format?.pcm, pcm.sampleFormat != .float32 else {
            return bytes.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
        }
        var buffer = PCMBuffer(sampleRate: 0, channelCount: channelCount, frameCapacity: bytes.count / pcm.bytesPerFrame)
        pcm.encoding.decode(bytes.span.bytes, into: &buffer)
        return buffer.interleaved
    }

    /// Processes the complete near blocks whose far audio has arrived.
    ///
    /// - Parameter isLast: Whether to process the others too.
    private func process(isLast: Bool = false) {
        while near.count >= blocks.size {
            let hasReference = reference != nil && align()
            if reference != nil, !hasReference, !isLast, let first = arrivals.first, HostClock.now - first.time < Self.maximumWait {
                return
            }
            let played = hasReference ? Array(far[..<canceller.blockFrames]) : []
            if hasReference {
                far.removeFirst(canceller.blockFrames)
                farTime += blockTime
            }
            let block = Array(near[..<blocks.size])
            near.removeFirst(blocks.size)
            removeArrivals(ofSamples: blocks.size)
            write(block, reference: played, limit: .max)
        }
    }

    /// Processes all near audio and writes it to its last sample.
    private func flush() {
        process(isLast: true)
        // Silence moves the rest through the engines.
        var pending = near.count + blocks.delay - leadingCount
        while pending > 0 {
            near += [Float](repeating: 0, count: blocks.size - near.count)
            pending -= write(near, reference: [], limit: pending)
            near = []
        }
        arrivals = []
        leadingCount = blocks.delay
    }

    /// Processes a near block and writes at most `limit` samples of the output with their capture time.
    ///
    /// Returns the number of written samples.
    @discardableResult
    private func write(_ block: [Float], reference: [Float], limit: Int) -> Int {
        let processed = blocks.process(block, reference: reference)
        if let error = blocks.latestError, !hasReportedFailure {
            hasReportedFailure = true
            output.report(.echoCancellationUnavailable(error))
        }
        let dropped = min(leadingCount, processed.count)
        let samples = Array(processed[dropped...].prefix(limit))
        let shift = HostClock.nanoseconds(ofFrames: (blocks.delay - dropped) / channelCount, sampleRate: canceller.blockFrames * 100)
        leadingCount -= dropped
        if !samples.isEmpty {
            while waitsForOutput, !output.hasRoom(forByteCount: samples.count * 4), !isStopped.load(ordering: .acquiring) {
                _ = stopSignal.wait(timeout: .now() + 0.002)
            }
            output.write(samples.span.bytes, hostTime: nearTime - shift)
        }
        nearTime += blockTime
        return samples.count
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

extension BackendNotice {
    /// Whether no audio follows.
    fileprivate var isEnd: Bool {
        if case .ended = self { true } else { false }
    }
}
#endif
