// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

internal import AudioDevices
internal import Dispatch
internal import Synchronization

/// What a recorder does, on ordinary threads.
final class RecorderSession: Sendable {
    private struct State {
        var hasStarted = false
        var pipeline: RecorderPipeline?
        var isFinished = false
        var subscribers: [AsyncStream<RecorderEvent>.Continuation] = []
        var sinkFailures: [String: SinkFailure] = [:]
        var failure: (any Error)?
    }

    let capture: AudioCapture
    private let configuration: RecorderConfiguration
    private let sinks: [any RecorderSink]
    private let state = Mutex(State())
    private let paused = Atomic<Bool>(false)
    /// Left once the pipeline is there, or will never be.
    private let ready = DispatchGroup()
    /// Left when everything is closed.
    private let finished = DispatchGroup()
    private let starting = Mutex(())

    init(_ configuration: RecorderConfiguration, backend: any CaptureBackend, sinks: [any RecorderSink]) {
        self.configuration = configuration
        self.sinks = sinks
        capture = AudioCapture(configuration.capture, backend: backend)
    }

    deinit { for subscriber in state.withLock({ $0.subscribers }) { subscriber.finish() } }

    // MARK: Start and end

    func start() throws {
        try starting.withLock { _ in
            guard !state.withLock({ $0.hasStarted }) else { return }
            forwardEvents()
            ready.enter()
            defer { ready.leave() }
            // The receiver holds the session: it lives as long as capture runs.
            try capture.start { [self] audio in receive(audio) }
            finished.enter()
            state.withLock { $0.hasStarted = true }
            do {
                try makePipeline()
            } catch {
                // Not waited for: capture's thread waits for this one.
                DispatchQueue.global().async { [capture] in capture.stop() }
                state.withLock { $0.isFinished = true }
                finished.leave()
                throw error
            }
        }
        // Capture can end by itself.
        DispatchQueue.global().async { [self] in
            capture.waitUntilFinished()
            close()
        }
    }

    private func makePipeline() throws {
        guard let format = capture.format else { throw DeviceError.cancelled }
        let runners = sinks.map { sink in
            SinkRunner(sink) { [weak self] name, failure in self?.sinkFailed(name, failure) }
        }
        let pipeline = try RecorderPipeline(configuration, for: format, sinks: runners)
        state.withLock { $0.pipeline = pipeline }
    }

    func stop() -> RecordingSummary {
        starting.withLock { _ in capture.stop() }
        return waitUntilFinished()
    }

    /// Ends the recording without waiting for its end.
    func abandon() {
        guard state.withLock({ $0.hasStarted && !$0.isFinished }) else { return }
        DispatchQueue.global().async { [capture] in capture.stop() }
    }

    func waitUntilFinished() -> RecordingSummary {
        if state.withLock({ $0.hasStarted }) { finished.wait() }
        return summary
    }

    /// Closes everything, once, when capture has delivered its last.
    private func close() {
        let pipeline = state.withLock { state -> RecorderPipeline? in
            guard !state.isFinished else { return nil }
            state.isFinished = true
            return state.pipeline
        }
        guard let pipeline else { return }
        do { try pipeline.finish() } catch { state.withLock { $0.failure = $0.failure ?? error } }
        finished.leave()
        send(.finished(summary))
        for subscriber in state.withLock({ $0.subscribers }) { subscriber.finish() }
    }

    // MARK: Capture's thread

    private func receive(_ audio: CapturedAudio) {
        ready.wait()
        guard let pipeline = state.withLock({ $0.pipeline }) else { return }
        do {
            try pipeline.accept(audio, isPaused: paused.load(ordering: .relaxed))
            if pipeline.isComplete { capture.stop() }
        } catch {
            state.withLock { $0.failure = $0.failure ?? error }
            capture.stop()
        }
    }

    private func sinkFailed(_ name: String, _ failure: SinkFailure) {
        let count = state.withLock { state in
            state.sinkFailures[name] = failure
            return state.sinkFailures.count
        }
        send(.sinkFailed(name: name, failure))
        // Nobody takes it any more. Not on this thread: it may be one that capture waits for.
        if count == sinks.count { DispatchQueue.global().async { [capture] in capture.stop() } }
    }

    // MARK: For everybody

    var format: RecordingFormat? { state.withLock { $0.pipeline }?.format }

    var summary: RecordingSummary {
        let (pipeline, failures) = state.withLock { ($0.pipeline, $0.sinkFailures) }
        var summary = pipeline?.published.withLock { $0.summary } ?? RecordingSummary()
        summary.capture = capture.statistics
        summary.sinkFailures = failures
        if case .failed(let error) = capture.state { summary.captureFailure = error }
        return summary
    }

    func takeLevels() -> AudioLevels? { state.withLock { $0.pipeline }?.published.withLock { $0.meter.take() } }

    var isPaused: Bool {
        get { paused.load(ordering: .relaxed) }
        set {
            let old = paused.exchange(newValue, ordering: .relaxed)
            if old != newValue { send(newValue ? .paused : .resumed) }
        }
    }

    // MARK: Events

    func events() -> AsyncStream<RecorderEvent> {
        let (stream, continuation) = AsyncStream.makeStream(of: RecorderEvent.self)
        state.withLock { $0.subscribers.append(continuation) }
        return stream
    }

    private func forwardEvents() {
        let events = capture.events()
        Task { [weak self] in
            for await event in events { self?.send(.capture(event)) }
        }
    }

    private func send(_ event: RecorderEvent) {
        for subscriber in state.withLock({ $0.subscribers }) { subscriber.yield(event) }
    }
}
