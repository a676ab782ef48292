// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

import AudioDevices
import Dispatch
import Linnet
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// A recording with somebody at the terminal: the live line, the keys, the messages, and the end.
final class LiveRecording {
    private static let interval: Int32 = 100

    private let recorder: Recorder
    private let stopSignal: StopSignal
    private let mutes: [ClosedRange<Double>]
    private let output: String
    private let isQuiet: Bool
    private let takesKeys: Bool
    private let hasEnded = Ended()
    private let messages = MessageQueue()
    private var mutedByKey = false

    private final class Ended: Sendable {
        let value = Atomic<Bool>(false)
    }

    init(_ recorder: Recorder, stopSignal: StopSignal, mutes: [ClosedRange<Double>], output: String, isQuiet: Bool, takesKeys: Bool) {
        self.recorder = recorder
        self.stopSignal = stopSignal
        self.mutes = mutes
        self.output = output
        self.isQuiet = isQuiet
        self.takesKeys = takesKeys
    }

    func run() throws -> ExitCode {
        listen()
        mute(at: 0)
        try Blocking.run { [recorder] in try await recorder.start() }
        announce()
        watchEnd()
        let keys = takesKeys ? KeyReader() : nil
        let line = isQuiet || !StandardError.isTerminal ? nil : RecordLine()
        var wantsStop = false
        while !wantsStop, !hasEnded.value.load(ordering: .acquiring), stopSignal.signal == nil {
            if let keys {
                wantsStop = act(on: keys.next(within: Self.interval))
            } else {
                usleep(useconds_t(Self.interval) * 1000)
            }
            mute(at: recorder.summary.seconds)
            tell(line)
            line?.draw(recorder)
        }
        keys?.restore()
        let summary = try Blocking.run { [recorder] in await recorder.stop() }
        tell(line)
        line?.clear()
        return report(summary)
    }

    // MARK: While it runs

    private func listen() {
        let events = recorder.events()
        Task.detached { [messages] in
            for await event in events { messages.append(event) }
        }
    }

    private func watchEnd() {
        Task.detached { [recorder, hasEnded] in
            await recorder.waitUntilFinished()
            hasEnded.value.store(true, ordering: .releasing)
        }
    }

    private func announce() {
        guard !isQuiet, let capture = recorder.captureFormat, let format = recorder.format else { return }
        let channels = format.channelCount == 1 ? "mono" : format.channelCount == 2 ? "stereo" : "\(format.channelCount) channels"
        let rate = capture.sampleRate == format.sampleRate ? "" : " (device: \(capture.sampleRate) Hz)"
        StandardError.write("Recording \(capture.deviceName) to \(output): \(format.sampleRate) Hz\(rate), \(channels)\n")
    }

    /// Does what a key says; true to stop.
    private func act(on key: Character?) -> Bool {
        switch key {
        case "q", "Q", "\u{4}": return true
        case "p", "P", " ": recorder.isPaused.toggle()
        case "m", "M":
            mutedByKey = !recorder.isMuted
            recorder.isMuted = mutedByKey
        default: break
        }
        return false
    }

    private func mute(at seconds: Double) {
        guard !mutes.isEmpty else { return }
        let isMuted = mutedByKey || mutes.contains { $0.contains(seconds) }
        if recorder.isMuted != isMuted { recorder.isMuted = isMuted }
    }

    private func tell(_ line: RecordLine?) {
        for message in messages.take() where !isQuiet {
            line?.clear()
            StandardError.complain(message)
        }
    }

    // MARK: The end

    private func report(_ summary: RecordingSummary) -> ExitCode {
        if !isQuiet {
            var text = "Recorded \(Format.fixed(summary.seconds, digits: 1)) s to \(output)"
            if summary.accessUnitCount > 0 { text += ", \(Format.bitRate(summary.bitRate))" }
            if summary.capture.filledFrames > 0 { text += ", \(summary.capture.filledFrames) frames of silence in gaps" }
            if summary.capture.lostFrames > 0 { text += ", \(summary.capture.lostFrames) frames lost" }
            StandardError.write(text + "\n")
        }
        for case .failed(let error) in summary.sinkFailures.values {
            let failure = CommandFailure(error)
            if failure.exitCode != .readerGone { StandardError.complain(failure.message) }
            return failure.exitCode
        }
        if let error = summary.captureFailure {
            StandardError.complain(error.description)
            return .noDevice
        }
        return .success
    }
}

/// Messages about a recording, from the thread that hears of them to the one that prints.
private final class MessageQueue: Sendable {
    private let waiting = Mutex<[String]>([])

    func append(_ event: RecorderEvent) {
        guard let text = RecordMessage.text(for: event) else { return }
        waiting.withLock { $0.append(text) }
    }

    func take() -> [String] {
        waiting.withLock { waiting in
            defer { waiting = [] }
            return waiting
        }
    }
}
