// SPDX-License-Identifier: Apache-2.0

import AACCodec
import AudioDevices
import LiveAudio
import LiveStreaming
import Observation

/// The app's controller, without views: records the microphone to an ADTS file and a live server, and keeps a log.
@MainActor @Observable
final class ArticleRecorder {
    /// Whether the system cancels the echo of the app's own audio; applies at the next start.
    var cancelsEcho = false
    /// Whether silence is recorded instead of the microphone.
    var isMuted = false { didSet { recorder?.isMuted = isMuted } }
    /// The URL of a live server; empty for none.
    var server = ""
    /// Whether a recording is running or starting.
    private(set) var isRunning = false
    /// The lines of the log, oldest first.
    private(set) var log: [String] = []

    private let path: String
    private var recorder: Recorder?
    private var reader: Task<Void, Never>?
    /// Whether the recording was stopped, perhaps before it has a recorder.
    private var isStopped = false

    /// Creates a recorder that writes to `test.aac` in a folder.
    init(folder: String) { path = folder + "/test.aac" }

    func start() async {
        guard !isRunning else { return }
        isRunning = true
        isStopped = false
        guard await RecordPermission.request() == .granted else { return end("the microphone is not permitted") }
        guard !isStopped else { return end("stopped before the start") }
        do {
            var sinks = [RecorderSink.file(path, overwrites: true)]
            if !server.isEmpty { sinks.append(.accessUnits(to: push(to: try StreamingAddress(server)))) }
            var configuration = RecorderConfiguration(rateControl: .average(bitRate: 96_000))
            configuration.capture.sampleRate = 48_000
            configuration.capture.channelCount = 1
            // ADTS cannot signal the encoder's delay.
            configuration.omitsDelay = true
            let new = Recorder(configuration, source: microphone(), sinks: sinks)
            recorder = new
            new.isMuted = isMuted
            let events = new.events
            reader = Task { [weak self] in for await event in events { self?.handle(event) } }
            write("AAC file path: \(path)")
            try await new.start()
        } catch {
            reader?.cancel()
            end("start: \(error)")
        }
    }

    /// Stops, and waits until the file is complete.
    ///
    /// Before the answer about the microphone, it prevents the start.
    func stop() async {
        isStopped = true
        await recorder?.stop()
        await reader?.value
    }

    /// Reopens the microphone at once after an interruption; Linnet also tries automatically.
    func resume() { recorder?.resumeCapture() }

    /// Returns the microphone in an audio session that lets other apps play.
    private func microphone() -> CaptureSource {
        #if os(iOS)
        var session = AudioSessionOptions()
        session.mode = cancelsEcho ? .voiceChat : .videoRecording
        session.mixesWithOthers = true
        return .coreAudio(cancelsEcho: cancelsEcho, session: session)
        #else
        // For trying the app on other systems.
        return .system
        #endif
    }

    /// Returns a sink that sends to a live server, and logs its events.
    private func push(to address: StreamingAddress) -> StreamingSink {
        let sink = StreamingSink(address)
        let (name, events) = (sink.name, sink.events)
        Task { [weak self] in for await event in events { self?.write("\(name): \(event)") } }
        return sink
    }

    /// Logs a recording event, and resets the state at the end.
    private func handle(_ event: RecorderEvent) {
        switch event {
        case .capture(.started(let format)): write("started: \(format.deviceName), \(format.sampleRate) Hz")
        case .capture(.routeChanged(let change)): write("handleRouteChange reason is \(change.reason)")
        case .capture(.interrupted(let reason)): write("handleInterruption: began, \(reason)")
        case .capture(.interruptionEnded(let shouldResume)): write("handleInterruption: ended, shouldResume \(shouldResume)")
        case .capture(.resumed): write("resumed")
        case .capture(.discontinuity(let frames)): write("\(frames) frames of silence in place of lost audio")
        case .capture(.silent(let duration)): write("only silence for \(duration): is the microphone permitted?")
        case .capture(.echoCancellationUnavailable(let error)): write("echo cancellation is not available: \(error)")
        case .capture(.failed(let error)): write("capture failed: \(error)")
        case .sinkFailed(let name, let error): write("\(name) failed: \(error)")
        case .finished(let summary): end("recorded \(summary.frameCount) sample frames in \(summary.accessUnitCount) access units")
        default: break
        }
    }

    /// Logs a line, and resets the state.
    private func end(_ text: String) {
        write(text)
        recorder = nil
        isRunning = false
    }

    /// Appends a line to the log.
    private func write(_ text: String) { log.append(text) }
}
