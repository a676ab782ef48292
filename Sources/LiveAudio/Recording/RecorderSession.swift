// SPDX-License-Identifier: Apache-2.0

internal import AudioDevices
internal import AudioPrimitives
internal import Dispatch
internal import Synchronization

/// The state and tasks of one recorder.
///
/// Lives until the recording has ended, even if the recorder is deallocated. Asynchronous functions never block a thread: a task waits for
/// the capture and the sinks. Only the capture thread blocks until the sinks are open. Meanwhile, up to
/// ``/AudioDevices/CaptureConfiguration/queueDuration`` of audio is queued.
final class RecorderSession: Sendable {
    /// The phases of a recording, in order.
    private enum Phase {
        case idle, starting, recording, finished
    }

    /// State shared between threads.
    private struct State {
        var phase = Phase.idle
        var pipeline: RecorderPipeline?
        var sinkFailures: [String: DeviceError] = [:]
        /// The number of failed sinks; several sinks can have the same name.
        var failedSinkCount = 0
        var failure: DeviceError?
    }

    let capture: AudioCapture
    let events = EventBroadcaster<RecorderEvent>()
    let accessUnits = EventBroadcaster<AccessUnit>()
    let levels = LevelBroadcaster()

    private let configuration: RecorderConfiguration
    private let sinks: [RecorderSink]
    /// Whether a slow sink delays the source.
    private let waits: Bool
    private let state = Mutex(State())
    private let paused = Atomic<Bool>(false)
    private let stopRequested = Atomic<Bool>(false)
    /// The outcome of the start: the error, or `nil` for success.
    private let started = Promise<DeviceError?>()
    private let finished = Promise<Void>()
    /// Left once the pipeline exists or never will.
    private let ready = DispatchGroup()

    init(_ configuration: RecorderConfiguration, source: CaptureSource, sinks: [RecorderSink]) {
        self.configuration = configuration
        self.sinks = sinks
        waits = source.canWait
        capture = AudioCapture(configuration.capture, source: source)
    }

    // MARK: Start and end

    /// Starts the recording, or waits for the start in progress; see ``Recorder/start()``.
    func start() async throws(DeviceError) {
        let isFirst = state.withLock { state in
            guard state.phase == .idle else { return false }
            state.phase = .starting
            return true
        }
        if isFirst {
            ready.enter()
            Task.detached { [self] in await run() }
        }
        let error = await withTaskCancellationHandler {
            await started.wait()
        } onCancel: {
            if isFirst { requestStop() }
        }
        if let error { throw error }
    }

    /// Ends the recording and waits until it has ended; see ``Recorder/stop()``.
    func stop() async -> RecordingSummary {
        requestStop()
        return await waitUntilFinished()
    }

    /// Requests the end of the recording without waiting.
    ///
    /// Does nothing before the start.
    func requestStop() {
        guard state.withLock({ $0.phase != .idle }) else { return }
        stopRequested.store(true, ordering: .sequentiallyConsistent)
        capture.requestStop()
    }

    /// Waits until the recording has ended.
    ///
    /// Returns at once before the start.
    func waitUntilFinished() async -> RecordingSummary {
        if state.withLock({ $0.phase != .idle }) { await finished.wait() }
        return summary
    }

    private func run() async {
        let forwarding = forwardEvents()
        if let error = await open() {
            await capture.stop()
            forwarding.cancel()
            end(error)
            return started.fulfill(error)
        }
        started.fulfill(nil)
        await capture.waitUntilFinished()
        await forwarding.value
        await close()
    }

    /// Opens the device and the sinks.
    ///
    /// Returns the first error.
    private func open() async -> DeviceError? {
        defer { ready.leave() }
        do throws(DeviceError) {
            if stopRequested.load(ordering: .sequentiallyConsistent) { throw .cancelled }
            try await capture.start { [self] in receive($0) }
            // Repeats a stop request that came before the capture had a worker.
            if stopRequested.load(ordering: .sequentiallyConsistent) { capture.requestStop() }
            guard let format = capture.format else { throw .cancelled }
            let runners = sinks.map { sink in
                SinkRunner(sink, waits: waits) { [weak self] in self?.sinkFailed($0, $1) }
            }
            let pipeline = try RecorderPipeline(configuration, for: format, sinks: runners, streams: (levels, accessUnits, events))
            try await pipeline.open()
            state.withLock {
                $0.pipeline = pipeline
                $0.phase = .recording
            }
            return nil
        } catch {
            return error
        }
    }

    /// Encodes the remaining audio and completes the sinks.
    private func close() async {
        let pipeline = state.withLock { $0.pipeline }
        do { try await pipeline?.finish() } catch { fail(error) }
        end(nil)
    }

    private func end(_ error: DeviceError?) {
        state.withLock {
            $0.phase = .finished
            $0.failure = $0.failure ?? error
        }
        accessUnits.finish()
        levels.finish()
        if error == nil { events.send(.finished(summary)) }
        events.finish()
        finished.fulfill(())
    }

    // MARK: Capture's thread

    private func receive(_ audio: CapturedAudio) {
        ready.wait()
        guard let pipeline = state.withLock({ $0.pipeline }) else { return }
        do {
            try pipeline.accept(audio, isPaused: paused.load(ordering: .relaxed))
            if pipeline.isComplete { capture.requestStop() }
        } catch {
            fail(error)
            capture.requestStop()
        }
    }

    /// Records the first error.
    private func fail(_ error: any Error) {
        state.withLock { $0.failure = $0.failure ?? error as? DeviceError ?? .encoding(error) }
    }

    /// Handles a failed sink.
    ///
    /// Ends the recording if nothing receives it any more.
    private func sinkFailed(_ name: String, _ error: DeviceError) {
        let count = state.withLock { state in
            state.sinkFailures[name] = state.sinkFailures[name] ?? error
            state.failedSinkCount += 1
            return state.failedSinkCount
        }
        events.send(.sinkFailed(name: name, error))
        if count == sinks.count, !accessUnits.hasSubscribers { capture.requestStop() }
    }

    // MARK: Any thread

    /// The recording's format; `nil` before the start.
    var format: RecordingFormat? { state.withLock { $0.pipeline }?.format }

    /// The recording's bit rate; `nil` before the start and at constant quality.
    var bitRate: Int? { state.withLock { $0.pipeline }?.bitRate.current }

    /// The supported bit rates; `nil` before the start and at constant quality.
    var supportedBitRates: ClosedRange<Int>? { state.withLock { $0.pipeline }?.bitRate.supported }

    /// Changes the bit rate; see ``Recorder/setBitRate(_:)``.
    func setBitRate(_ bitRate: Int) throws(DeviceError) {
        guard let pipeline = state.withLock({ $0.phase == .recording ? $0.pipeline : nil }) else { throw .notRecording }
        do { try pipeline.bitRate.request(bitRate) } catch { throw .encoding(error) }
    }

    /// The current or final state of the recording.
    var summary: RecordingSummary {
        let (pipeline, sinkFailures, failure) = state.withLock { ($0.pipeline, $0.sinkFailures, $0.failure) }
        var summary = pipeline?.summary.withLock { $0 } ?? RecordingSummary()
        summary.capture = capture.statistics
        summary.sinkFailures = sinkFailures
        summary.failure = failure
        if failure == nil, case .failed(let error) = capture.state { summary.failure = error }
        return summary
    }

    /// Whether audio is skipped.
    var isPaused: Bool {
        get { paused.load(ordering: .relaxed) }
        set { if paused.exchange(newValue, ordering: .relaxed) != newValue { events.send(newValue ? .paused : .resumed) } }
    }

    /// Forwards capture events until the capture has ended.
    private func forwardEvents() -> Task<Void, Never> {
        let captureEvents = capture.events
        return Task.detached { [events] in
            for await event in captureEvents {
                events.send(.capture(event))
                switch event {
                case .stopped, .failed: return
                default: break
                }
            }
        }
    }
}
