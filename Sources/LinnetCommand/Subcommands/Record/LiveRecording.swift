// SPDX-License-Identifier: Apache-2.0

import AACCodec
import AudioDevices
import AudioPrimitives
import Dispatch
import LiveAudio
import LiveStreaming
import Synchronization
import SystemFiles
internal import SystemLibrary

/// A recording controlled from a terminal or a program: status line, keys, messages and summary.
final class LiveRecording {
    /// The messages during the recording.
    enum Style {
        /// A status line on a terminal, and messages.
        case terminal
        /// Lines of JSON on standard output.
        case json
        /// Errors only.
        case quiet
    }

    /// Milliseconds between updates.
    private static let interval: Int32 = 100
    /// Seconds between lines of JSON with levels.
    private static let levelInterval = 1.0

    private let recorder: Recorder
    private let stopSignal: StopSignal
    private let mutes: [Range<Double>]
    private let outputs: RecordOutputs
    private let titles: TitleWatcher?
    private let adaptiveRange: ClosedRange<Int>?
    private let style: Style
    private let input: String?
    private let takesKeys: Bool
    private let hasEnded = EndFlag()
    private let messages = MessageQueue()
    private let levels = LatestLevels()
    private var mutedByKey = false
    private var hasReportedClipping = false
    private var nextLevels = levelInterval
    /// The number of files whose names were chosen during the recording.
    private var fileCount = 0
    private let service = ServiceNotification()
    /// The time and position of the last watchdog message.
    private var signOfLife = (time: ContinuousClock.now, position: Duration.zero)

    /// Whether the recorder has ended, shared with the task that waits for it.
    private final class EndFlag: Sendable {
        let value = Atomic<Bool>(false)
    }

    /// Prepares a recording.
    ///
    /// Creates the recorder after checking all options, without starting it.
    private init(
        _ arguments: ParsedArguments, _ outputs: RecordOutputs, stopSignal: StopSignal, input: String?, takesKeys: Bool,
        _ makeRecorder: () throws -> Recorder
    ) throws {
        self.stopSignal = stopSignal
        self.outputs = outputs
        self.input = input
        self.takesKeys = takesKeys
        mutes = try RecordOptions.mutes(arguments)
        adaptiveRange = try StreamingOptions.adaptiveRange(arguments)
        titles = arguments.text("title-file").map { TitleWatcher(path: $0, streams: outputs.streams) }
        try arguments.exclude("json", "quiet")
        style = arguments.has("json") ? .json : arguments.has("quiet") ? .quiet : .terminal
        recorder = try makeRecorder()
    }

    /// Records until the recorder, a key or a signal ends it.
    ///
    /// - Parameters:
    ///   - arguments: The command line.
    ///   - input: The name of the file to send; `nil` for a recording.
    ///   - takesKeys: Whether keys of the terminal control the recording.
    ///   - makeRecorder: Creates the recorder. Called after signals are masked, since threads inherit the mask.
    static func run(
        _ arguments: ParsedArguments, _ outputs: RecordOutputs, input: String? = nil, takesKeys: Bool = true,
        _ makeRecorder: () throws -> Recorder
    ) throws -> ExitCode {
        let stopSignal = StopSignal()
        SignalWatcher.start(also: SignalWatcher.mark) { stopSignal.record($0) }
        return try LiveRecording(arguments, outputs, stopSignal: stopSignal, input: input, takesKeys: takesKeys, makeRecorder).run()
    }

    /// Records until the end, and returns the exit code.
    private func run() throws -> ExitCode {
        let listeners = [listen()] + outputs.streams.map(listen)
        let levelReader = readLevels()
        defer { levelReader?.cancel() }
        mute(at: 0)
        try Blocking.run { [recorder] in try await recorder.start() }
        announce()
        service?.send("READY=1")
        watchEnd()
        let line = style == .terminal && StandardError.canRedraw ? RecordLine(outputs, takesKeys: takesKeys && isatty(0) == 1) : nil
        // The outputs are finished even if the loop throws.
        let outcome = Result {
            let adapter = try self.adaptBitRate()
            defer { adapter?.cancel() }
            try self.loop(line)
        }
        service?.send("STOPPING=1")
        let summary = try Blocking.run { [recorder] in await recorder.stop() }
        // A listener ends after the last event. All events are printed before the summary.
        try Blocking.run { for listener in listeners { await listener.value } }
        try outcome.get()
        try report(line)
        line?.clear()
        return try finish(summary)
    }

    // MARK: While it runs

    /// Handles keys, events and the status line until the end.
    private func loop(_ line: RecordLine?) throws {
        let keys = takesKeys ? KeyReader() : nil
        defer { KeyReader.restore() }
        var wantsStop = false
        while !wantsStop, !hasEnded.value.load(ordering: .acquiring), stopSignal.signal == nil {
            if let keys {
                wantsStop = handle(keys.next(within: Self.interval))
            } else {
                usleep(useconds_t(Self.interval) * 1000)
            }
            mute(at: recorder.summary.duration.inSeconds)
            for _ in 0..<stopSignal.dequeueMarks() { recorder.addMark() }
            titles?.poll()
            try report(line)
            line?.draw(recorder, levels.dequeue())
            showLife()
        }
    }

    /// Sends a watchdog message to the service manager, unless the recording has stalled.
    private func showLife() {
        guard let service, let interval = service.interval, .now - signOfLife.time >= interval else { return }
        let position = recorder.summary.duration
        let isWaiting = recorder.isPaused || recorder.summary.isWaitingForLevel || RecordLine.isInterrupted(recorder)
        // Piped input can stall.
        guard position != signOfLife.position || isWaiting || !takesKeys else { return }
        service.send("WATCHDOG=1")
        signOfLife = (.now, position)
    }

    /// Starts a task that stores the latest levels: ten per second for the status line, one per second for JSON.
    ///
    /// - Returns: `nil` if levels are not shown.
    private func readLevels() -> Task<Void, Never>? {
        guard style == .json || (style == .terminal && StandardError.canRedraw) else { return nil }
        let stream = recorder.levels(every: style == .json ? .seconds(Self.levelInterval) : .milliseconds(Int(Self.interval)))
        return Task.detached { [levels] in
            for await value in stream { levels.enqueue(value) }
        }
    }

    private func listen() -> Task<Void, Never> {
        let events = recorder.events
        return Task.detached { [messages, recorder] in
            for await event in events { messages.append(.recorder(event), seconds: recorder.summary.duration.inSeconds) }
        }
    }

    /// Starts a task that queues the destination's events.
    private func listen(_ stream: StreamingSink) -> Task<Void, Never> {
        let events = stream.events
        return Task.detached { [messages, recorder] in
            for await event in events { messages.append(.stream(stream, event), seconds: recorder.summary.duration.inSeconds) }
        }
    }

    /// Starts a task that adapts the bit rate to the live destinations, if requested.
    private func adaptBitRate() throws -> Task<Void, Never>? {
        guard let adaptiveRange else { return nil }
        for bitRate in [adaptiveRange.lowerBound, adaptiveRange.upperBound] where recorder.supportedBitRates?.contains(bitRate) != true {
            let limits = recorder.supportedBitRates.map { "\($0.lowerBound) to \($0.upperBound)" } ?? "one bit rate"
            throw CommandFailure(.refusedSettings, "--adaptive \(bitRate): this format has \(limits)")
        }
        return Task.detached { [recorder, streams = outputs.streams] in
            do throws(DeviceError) { try await recorder.adaptBitRate(in: adaptiveRange, to: streams) } catch {
                StandardError.complain(error.description)
            }
        }
    }

    private func watchEnd() {
        Task.detached { [recorder, hasEnded] in
            await recorder.waitUntilFinished()
            hasEnded.value.store(true, ordering: .releasing)
        }
    }

    private func announce() {
        guard style == .terminal, let capture = recorder.captureFormat, let format = recorder.format else { return }
        let rate = capture.sampleRate == format.sampleRate ? "" : " (device: \(capture.sampleRate) Hz)"
        let devices = recorder.captureFormats.compactMap { $0.map { PathName.inputName($0.deviceName) } }.joined(separator: " and ")
        let what = input.map { "Sending \($0)" } ?? "Recording \(devices)"
        StandardError.inform("\(what) to \(outputs.name): \(format.sampleRate) Hz\(rate), \(Format.channels(format.channelCount))")
        if takesKeys, isatty(0) == 1, StandardError.isTerminal, !StandardError.canRedraw { StandardError.inform(RecordScreen.keys) }
    }

    /// Handles a key.
    ///
    /// - Returns: Whether to stop.
    private func handle(_ key: Character?) -> Bool {
        switch key {
        case "q", "Q", "\u{4}": return true
        case "p", "P", " ": recorder.isPaused.toggle()
        case "m", "M":
            mutedByKey = !recorder.isMuted
            recorder.isMuted = mutedByKey
        case "k", "K": recorder.addMark()
        default: break
        }
        return false
    }

    /// Mutes or unmutes the recorder by key and `--mute-at`.
    private func mute(at seconds: Double) {
        guard !mutes.isEmpty else { return }
        let isMuted = mutedByKey || mutes.contains { $0.contains(seconds) }
        if recorder.isMuted != isMuted { recorder.isMuted = isMuted }
    }

    /// Prints the events so far.
    private func report(_ line: RecordLine?) throws {
        for message in messages.removeAll() {
            if case .recorder(.fileStarted) = message.event { fileCount += 1 }
            switch style {
            case .terminal, .quiet:
                if style == .quiet && message.event.level != .warning { continue }
                guard let text = message.event.text(sampleRate: recorder.captureRate(recorder.summary)) else { continue }
                line?.clear()
                StandardError.complain(text, message.event.level)
            case .json:
                guard let text = message.event.json(seconds: message.seconds) else { continue }
                try StandardOutput.print(text)
            }
        }
        if style == .json { try reportLevels() }
        if style != .json { reportClipping(line) }
    }

    /// Warns once when clipping begins.
    private func reportClipping(_ line: RecordLine?) {
        guard !hasReportedClipping else { return }
        let summary = recorder.summary
        let counts = summary.clippedSampleCounts
        guard counts.contains(where: { $0 > 0 }) else { return }
        hasReportedClipping = true
        let labels = zip(RecordScreen.labels(channelCount: counts.count), counts).filter { $1 > 0 }.map { $0.0 }
        line?.clear()
        StandardError.complain(RecordMessage.clipping(at: summary.duration.inSeconds, labels: labels), .warning)
    }

    /// Prints the levels once per second of the recording.
    private func reportLevels() throws {
        let summary = recorder.summary.counting(outputs.streams)
        let seconds = summary.duration.inSeconds
        guard seconds >= nextLevels, let levels = levels.dequeue() else { return }
        nextLevels = (seconds / Self.levelInterval).rounded(.down) * Self.levelInterval + Self.levelInterval
        let state = RecordLine.state(recorder)
        try StandardOutput.print(RecordJSON.levels(levels, summary, state: state.isEmpty ? "recording" : state))
        for stream in outputs.streams { try StandardOutput.print(RecordJSON.stream(stream, seconds: seconds)) }
    }

    // MARK: The end

    private func finish(_ summary: RecordingSummary) throws -> ExitCode {
        if style == .json {
            for stream in outputs.streams { try StandardOutput.print(RecordJSON.stream(stream, seconds: summary.duration.inSeconds)) }
            try StandardOutput.print(RecordJSON.finished(summary.counting(outputs.streams)))
        }
        if style == .terminal {
            let seconds = Format.fixed(summary.duration.inSeconds, digits: 1)
            let isSent = !outputs.streams.contains { $0.name == outputs.name && $0.statistics.sentUnitCount == 0 }
            var text = "\(input == nil ? "Recorded" : isSent ? "Sent" : "Encoded") \(seconds) s" + (isSent ? " to \(outputs.name)" : "")
            if fileCount > 1 { text += " (\(fileCount) files)" }
            if summary.isWaitingForLevel { text = "Recorded nothing: no sample exceeded the start level" }
            if summary.sinkFailures[outputs.name] != nil, outputs.streams.isEmpty { text += ", but only the start is stored" }
            let isEncoded = summary.accessUnitCount > 0 && !summary.isWaitingForLevel
            if isEncoded, summary.profile != .lowComplexity {
                text += ", \(summary.profile?.description ?? RecordMessage.codec(recorder.format))"
            }
            if isEncoded { text += ", \(Format.bitRate(summary.bitRate))" }
            let areSeveral = summary.sources.count > 1
            if !areSeveral { text += RecordMessage.losses(summary.capture, sampleRate: recorder.captureRate(summary)) }
            if let clipped = RecordMessage.clipped(summary) { text += ", \(clipped)" }
            StandardError.inform(text)
            for (source, format) in zip(summary.sources, recorder.captureFormats) where areSeveral {
                StandardError.inform(RecordMessage.text(for: source, sampleRate: format?.sampleRate ?? summary.sampleRate))
            }
            for sink in outputs.sinks {
                guard let marks = sink.markable?.lostMarks, !marks.isEmpty else { continue }
                StandardError.complain(RecordMessage.lostMarks(marks, of: sink.name), .information)
            }
            for stream in outputs.streams { StandardError.inform(StreamText.summary(stream)) }
        }
        var codes = summary.sinkFailures.sorted { $0.key < $1.key }.map { name, reason in
            let code = CommandFailure(reason).exitCode
            // On a terminal it is already printed.
            if code != .brokenPipe, style != .terminal { StandardError.complain("\(name): \(RecordMessage.text(for: reason))") }
            return code
        }
        if let error = summary.failure {
            StandardError.complain(error.description)
            codes.append(CommandFailure(error).exitCode)
        }
        for source in summary.sources where summary.sources.count > 1 {
            guard let error = source.failure else { continue }
            StandardError.complain("\(source.name): \(error.description)")
            codes.append(CommandFailure(error).exitCode)
        }
        return codes.first ?? .success
    }
}

/// The latest levels, from the reading task to the printing thread.
private final class LatestLevels: Sendable {
    private let latest = Mutex<AudioLevels?>(nil)

    func enqueue(_ levels: AudioLevels) { latest.withLock { $0 = levels } }

    /// Returns new levels once.
    func dequeue() -> AudioLevels? {
        latest.withLock { latest in
            defer { latest = nil }
            return latest
        }
    }
}
