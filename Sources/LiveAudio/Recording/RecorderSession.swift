// SPDX-License-Identifier: Apache-2.0

internal import AudioDevices
internal import AudioPrimitives
internal import Dispatch
internal import Synchronization
internal import SystemLibrary

/// The state and tasks of one recorder.
///
/// Lives until the recording has ended, even if the recorder is deallocated. Asynchronous functions never block a thread: a task waits for
/// the capture and the sinks. Only the capture thread blocks until the sinks are open. Meanwhile, up to
/// ``/AudioDevices/CaptureConfiguration/queueDuration`` of audio is queued.
final class RecorderSession: Sendable {
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

    /// The captures of the sources, in order.
    let captures: [AudioCapture]
    let events = EventBroadcaster<RecorderEvent>()
    let accessUnits = EventBroadcaster<AccessUnit>()
    let levels = LevelBroadcaster()
    let speech: SpeechBroadcaster

    private let configuration: RecorderConfiguration
    private let sources: [RecorderSource]
    private let echoPlan: EchoPlan
    private let sinks: [RecorderSink]
    /// Whether slow sinks delay the sources.
    private let waits: Bool
    /// Guards the pipeline's input, which the captures share.
    private let input = Mutex(())
    private let state = Mutex(State())
    private let paused = Atomic<Bool>(false)
    private let stopRequested = Atomic<Bool>(false)
    /// The outcome of the start: the error, or `nil` for success.
    private let started = Promise<DeviceError?>()
    private let finished = Promise<Void>()
    /// Left once the pipeline exists or never will.
    private let ready = DispatchGroup()

    /// Creates a session.
    ///
    /// - Parameter sources: At least one source; the names must differ.
    init(_ configuration: RecorderConfiguration, sources: [RecorderSource], sinks: [RecorderSink]) {
        self.configuration = configuration
        self.sources = sources
        self.sinks = sinks
        speech = SpeechBroadcaster(sources: sources.map(\.name))
        waits = sources.allSatisfy(\.source.canWait)
        let echoPlan = EchoPlan(sources)
        self.echoPlan = echoPlan
        captures = sources.indices.map { index in
            var capture = sources[index].capture
            if sources.count > 1 { capture.gapPolicy = .fill }
            return AudioCapture(capture, source: echoPlan.captureSource(index, of: sources))
        }
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
        stopCaptures()
    }

    private func stopCaptures() {
        for capture in captures { capture.requestStop() }
    }

    /// Waits until the recording has ended.
    ///
    /// Returns at once before the start.
    func waitUntilFinished() async -> RecordingSummary {
        if state.withLock({ $0.phase != .idle }) { await finished.wait() }
        return summary
    }

    private func run() async {
        let forwarding = captures.indices.map(forwardEvents)
        if let error = await open() {
            for capture in captures { await capture.stop() }
            for task in forwarding { task.cancel() }
            end(error)
            return started.fulfill(error)
        }
        started.fulfill(nil)
        await withTaskGroup { group in
            for index in captures.indices {
                group.addTask { [self] in
                    await captures[index].waitUntilFinished()
                    end(source: index)
                }
            }
        }
        for task in forwarding { await task.value }
        await close()
    }

    /// Opens the device and the sinks.
    ///
    /// Returns the first error.
    private func open() async -> DeviceError? {
        defer { ready.leave() }
        do throws(DeviceError) {
            if stopRequested.load(ordering: .sequentiallyConsistent) { throw .cancelled }
            // The first source is opened last: the recording starts with its first frame, when the others are running.
            for index in captures.indices.reversed() { try await open(source: index) }
            let names = UsedNames()
            let runners = sinks.map { sink in
                let (signal, destination) = sink.parts
                let sink = destination.splitting(configuration, names: names) { [events] in events.send($0) }
                return (signal, SinkRunner(sink, waits: waits) { [weak self] in self?.sinkFailed($0, $1) })
            }
            let streams = RecorderPipeline.Streams(levels: levels, speech: speech, accessUnits: accessUnits, events: events)
            let pipeline = try RecorderPipeline(configuration, for: openSources(), echo: echoPlan, sinks: runners, streams: streams)
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

    private func open(source index: Int) async throws(DeviceError) {
        do throws(DeviceError) {
            try await captures[index].start { [self] in receive($0, from: index) }
        } catch {
            guard sources.count > 1, !stopRequested.load(ordering: .sequentiallyConsistent) else { throw error }
            throw .sourceFailed(name: sources[index].name, error)
        }
        // Repeats a stop request that came before the capture had a worker.
        if stopRequested.load(ordering: .sequentiallyConsistent) { captures[index].requestStop() }
    }

    private func openSources() throws(DeviceError) -> [RecorderPipeline.OpenSource] {
        var result: [RecorderPipeline.OpenSource] = []
        for (source, capture) in zip(sources, captures) {
            guard let format = capture.format else { throw .cancelled }
            result.append(.init(name: source.name, format: format, hasClock: !source.source.canWait))
        }
        return result
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
        speech.finish()
        if error == nil { events.send(.finished(summary)) }
        events.finish()
        finished.fulfill(())
    }

    // MARK: Threads of the captures

    private func receive(_ audio: CapturedAudio, from index: Int) {
        ready.wait()
        guard let pipeline = state.withLock({ $0.pipeline }) else { return }
        process { try pipeline.accept(audio, from: index, isPaused: paused.load(ordering: .relaxed)) }
        if captures.count > 1, sources[index].source.canWait { waitForOthers(index, pipeline) }
    }

    /// Ends a source, whose capture has delivered all its audio.
    private func end(source index: Int) {
        guard let pipeline = state.withLock({ $0.pipeline }) else { return }
        process { try pipeline.end(source: index, isPaused: paused.load(ordering: .relaxed)) }
    }

    /// Passes audio to the pipeline, and ends the recording after its duration or after an error.
    private func process(_ body: () throws -> Void) {
        let isComplete = input.withLock { _ in
            do { try body() } catch {
                fail(error)
                return true
            }
            return state.withLock { $0.pipeline }?.isComplete ?? false
        }
        if isComplete { stopCaptures() }
    }

    /// Blocks while a source without a clock is a second ahead of the others.
    private func waitForOthers(_ index: Int, _ pipeline: RecorderPipeline) {
        while !stopRequested.load(ordering: .relaxed), !captures[index].isStopping,
            input.withLock({ _ in pipeline.lead(ofSource: index) }) > 1
        {
            usleep(5000)
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
        if count == sinks.count, !accessUnits.hasSubscribers, !speech.hasSubscribers { stopCaptures() }
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

    /// Marks the current position; see ``Recorder/addMark(_:)``.
    func addMark(_ title: String?) { state.withLock { $0.phase == .recording ? $0.pipeline : nil }?.addMark(title) }

    /// The current or final state of the recording.
    var summary: RecordingSummary {
        let (pipeline, sinkFailures, failure) = state.withLock { ($0.pipeline, $0.sinkFailures, $0.failure) }
        var summary = pipeline?.summary.withLock { $0 } ?? RecordingSummary()
        summary.capture = captures[0].statistics
        summary.sinkFailures = sinkFailures
        summary.failure = failure
        for (index, capture) in captures.enumerated() {
            guard summary.sources.indices.contains(index) else { break }
            summary.sources[index].capture = capture.statistics
            if case .failed(let error) = capture.state { summary.sources[index].failure = error }
        }
        if failure == nil, captures.count == 1, case .failed(let error) = captures[0].state { summary.failure = error }
        return summary
    }

    /// Whether audio is skipped.
    var isPaused: Bool {
        get { paused.load(ordering: .relaxed) }
        set { if paused.exchange(newValue, ordering: .relaxed) != newValue { events.send(newValue ? .paused : .resumed) } }
    }

    /// Forwards the events of a capture until it has ended.
    private func forwardEvents(ofSource index: Int) -> Task<Void, Never> {
        let captureEvents = captures[index].events
        let name = captures.count > 1 ? sources[index].name : nil
        return Task.detached { [events] in
            for await event in captureEvents {
                events.send(name.map { .source(name: $0, event) } ?? .capture(event))
                switch event {
                case .stopped, .failed: return
                default: break
                }
            }
        }
    }
}
