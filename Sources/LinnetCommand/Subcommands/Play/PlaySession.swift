// SPDX-License-Identifier: Apache-2.0

import AudioDevices
import AudioPrimitives
import Dispatch
import JSONText
import LiveAudio
import LiveStreaming

/// The playback of consecutive inputs by one player, with keys and a progress line.
///
/// Files of one format follow each other without a gap. A stream has a separate player with a short buffer.
final class PlaySession {
    /// The reason for the end of an input's playback.
    private enum End: String {
        case finished, skipped, stopped, failed
    }

    /// The seek distance of an arrow key.
    private static let seekStep = Duration.seconds(5)
    /// The device buffer of a stream, short because it adds to the delay.
    private static let streamBuffer = Duration.milliseconds(40)
    /// The number of files to open ahead, so that short files also follow without a gap.
    private static let openAhead = 2

    private let arguments: ParsedArguments
    private let paths: ArraySlice<String>
    private let keys: KeyReader?
    private let stopSignal: StopSignal
    private let isShown: Bool
    private let player: AudioPlayer
    private var inputs: [PlayInput] = []
    /// The inputs that did not play to their end, with the end time.
    private var ends: [Int: (end: End, time: Duration)] = [:]
    /// The error of an input that could not be opened or played, if the session was not stopped.
    private(set) var failure: (any Error)?

    /// Creates a session.
    ///
    /// - Parameters:
    ///   - paths: The remaining inputs. The session plays the first ones: one stream, or all files before a stream.
    ///   - arguments: The command line.
    ///   - keys: The terminal's keys, if available.
    ///   - stopSignal: Receives the signal that ends the program.
    ///   - isShown: Whether to show the progress.
    init(
        _ paths: ArraySlice<String>, _ arguments: ParsedArguments, keys: KeyReader?, stopSignal: StopSignal, isShown: Bool
    ) throws {
        self.arguments = arguments
        self.keys = keys
        self.stopSignal = stopSignal
        self.isShown = isShown
        let isStream = paths.first.map(RTPSource.isDescription) ?? false
        self.paths = isStream ? paths.prefix(1) : paths.prefix { !RTPSource.isDescription(path: $0) }
        player = AudioPlayer(
            bufferDuration: isStream ? Self.streamBuffer : .milliseconds(500), device: arguments.text("device"),
            backend: try BackendOption.named(arguments)?.kind)
    }

    /// Whether the user or a signal stopped playback.
    var isStopped: Bool { ends.values.contains { $0.end == .stopped } }

    var files: [CheckedFile] { inputs.compactMap(\.file) }

    /// Plays the inputs up to an error, and returns the result of each.
    func run() -> [JSONValue] {
        var playedCount = 0
        repeat {
            openNext()
            playedCount = inputs.count
            do {
                try play()
            } catch {
                failure = error
                if !isStopped { ends[player.currentIndex] = (.failed, player.position) }
            }
            // An input can be enqueued just after the last one ended.
        } while failure == nil && inputs.count > playedCount && !isStopped
        if isShown { StandardError.write("\r\u{1B}[K") }
        for case (let stream?, let path) in zip(inputs.map(\.stream), paths) {
            for warning in RTPInput.warnings(stream.statistics, input: path) { StandardError.complain("warning: \(warning)") }
        }
        if isStopped { failure = nil }
        return results
    }

    private var results: [JSONValue] {
        // The following inputs were only opened.
        let lastIndex = ends.first { $0.value.end == .stopped || $0.value.end == .failed }?.key ?? inputs.count - 1
        return inputs.indices.prefix(lastIndex + 1).map { index in
            let (end, time) = ends[index] ?? (.finished, inputs[index].endTime)
            return .object([
                ("input", .string(paths[paths.startIndex + index])), ("seconds", .rounded(time.inSeconds, digits: 3)),
                ("end", .string(end.rawValue)),
            ])
        }
    }

    /// Opens the next inputs if they are due.
    private func openNext() {
        while failure == nil, inputs.count < paths.count, inputs.count <= player.currentIndex + Self.openAhead {
            do {
                let input = try PlayInput(paths[paths.startIndex + inputs.count], arguments)
                inputs.append(input)
                player.enqueue(input)
            } catch {
                failure = error
            }
        }
    }

    /// Plays the queue until its end, a key or a signal.
    private func play() throws {
        let ended = DispatchSemaphore(value: 0)
        let playing = Task { [player] in
            defer { ended.signal() }
            try await player.play()
        }
        while ended.wait(timeout: .now() + 0.05) == .timedOut {
            if !isStopped { openNext() }
            if stopSignal.signal != nil { stop() }
            switch keys?.next(within: 0) {
            case "q", "Q", "\u{4}": stop()
            case "n", "N": skip()
            case " ", "p", "P": player.isPaused.toggle()
            case "<": player.seek(to: player.position - Self.seekStep)
            case ">": player.seek(to: player.position + Self.seekStep)
            default: break
            }
            if isShown { StandardError.write("\r\(line)\u{1B}[K") }
        }
        try Blocking.run { try await playing.value }
    }

    private func stop() {
        guard !isStopped else { return }
        ends[player.currentIndex] = (.stopped, player.position)
        player.stop()
    }

    private func skip() {
        // The player may not have performed the last skip yet.
        let index = max(player.currentIndex, (ends.keys.max() ?? -1) + 1)
        guard index < inputs.count else { return }
        ends[index] = (.skipped, index == player.currentIndex ? player.position : .zero)
        player.skip()
    }

    /// The progress line: position, duration and state.
    private var line: String {
        let state = player.isPaused ? "  paused" : player.isInterrupted ? "  interrupted by another program" : ""
        return " " + Format.clock(player.position.inSeconds) + (player.duration.map { " of " + Format.clock($0.inSeconds) } ?? "") + state
    }
}
