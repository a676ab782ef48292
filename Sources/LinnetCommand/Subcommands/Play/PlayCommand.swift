// SPDX-License-Identifier: Apache-2.0

import AudioDevices
import AudioFiles
import AudioPrimitives
import JSONText
import LiveAudio
import LiveStreaming

/// `linnet play`: plays files on an output device.
enum PlayCommand: Subcommand {
    static let name = "play"
    static let summary = "play audio files"
    static let usage = "FILE... [--device NAME] [--range A-B]"
    static let options = [
        CommandOption.device,
        BackendOption.option,
        .range,
        RTPInput.latency,
        .json,
        .quiet,
    ]
    static let details = """
        FILE is AAC (ADTS, M4A, LOAS), Opus, Apple Lossless, WAV, AIFF, CAF, FLAC, MP3 or Ogg, or the session description (.sdp)
        of an RTP stream; - is standard input. On a terminal a line shows the position;
        space pauses, the arrow keys seek by 5 seconds, n goes to the next file, q stops.
        """
    static let examples = [
        (command: "linnet play song.aac", meaning: "play a file, with keys to pause and seek"),
        (command: "linnet play *.m4a", meaning: "several files, one after another"),
        (command: "curl -s https://example.org/radio.aac | linnet play -", meaning: "play a stream"),
        (command: "linnet play call.sdp", meaning: "an RTP stream, as the description tells"),
        (command: "sox -n -t wav - synth 2 sine 440 | linnet play -", meaning: "play the output of another program"),
    ]

    /// The step of an arrow key.
    private static let seekStep = Duration.seconds(5)

    /// The audio of a stream that waits in the device: less than in that of a file, since it adds to the delay.
    private static let streamBuffer = Duration.milliseconds(40)

    /// The reason why a file's playback ended.
    private enum End: String {
        case finished, skipped, stopped
    }

    /// Plays all inputs, one after another.
    static func run(_ arguments: ParsedArguments) throws -> ExitCode {
        guard !arguments.operands.isEmpty else { throw arguments.failure("no file to play") }
        try arguments.exclude("json", "quiet")
        let stopSignal = StopSignal()
        SignalWatcher.start { stopSignal.record($0) }
        var results: [JSONValue] = []
        for path in arguments.operands {
            let (end, seconds) = try play(path, arguments, stopSignal)
            results.append(.object([("input", .string(path)), ("seconds", .rounded(seconds, digits: 3)), ("end", .string(end.rawValue))]))
            if end == .stopped { break }
        }
        if arguments.has("json") { try StandardOutput.print(JSONValue.array(results).text()) }
        return .success
    }

    /// Plays one file; returns the reason for its end and the position reached, in seconds.
    private static func play(_ path: String, _ arguments: ParsedArguments, _ stopSignal: StopSignal) throws -> (End, Double) {
        let range = try arguments.range()
        let stream = try RTPInput.source(path, arguments, isPaced: true)
        let source: any PlayableSource = if let stream { stream } else { try AudioFile(path: path) }
        let player = try AudioPlayer(
            source, bufferDuration: stream == nil ? .milliseconds(500) : streamBuffer, device: arguments.text("device"),
            backend: try BackendOption.named(arguments)?.kind)
        if let start = range?.lowerBound, start > 0, try !player.seek(to: .seconds(start)) {
            throw CommandFailure(.unsuitableInput, "\(path) can't be read from the middle")
        }
        let keys = arguments.operands.contains("-") ? nil : KeyReader()
        defer { keys?.restore() }
        let isShown = StandardError.isTerminal && !arguments.has("quiet") && !arguments.has("json")
        let end = try play(player, until: range?.upperBound ?? .infinity, keys: keys, stopSignal: stopSignal, isShown: isShown)
        let position = player.position.inSeconds
        if end == .finished, range == nil || position < range?.upperBound ?? 0 { player.finish() } else { player.stop() }
        if isShown { StandardError.write("\r\u{1B}[K") }
        if let stream {
            for warning in RTPInput.warnings(stream.statistics, input: path) { StandardError.complain("warning: \(warning)") }
        }
        return (end, end == .finished ? min(player.duration?.inSeconds ?? position, range?.upperBound ?? .infinity) : position)
    }

    /// Plays to the end, to a time in seconds, or until a key or a signal ends it.
    private static func play(
        _ player: AudioPlayer, until end: Double, keys: KeyReader?, stopSignal: StopSignal, isShown: Bool
    ) throws -> End {
        while stopSignal.signal == nil {
            guard player.position.inSeconds < end, try player.step(timeout: .milliseconds(50)) else { return .finished }
            switch keys?.next(within: player.isPaused ? 50 : 0) {
            case "q", "Q", "\u{4}": return .stopped
            case "n", "N": return .skipped
            case " ", "p", "P": player.isPaused.toggle()
            case "<": _ = try player.seek(to: player.position - seekStep)
            case ">": _ = try player.seek(to: player.position + seekStep)
            default: break
            }
            if isShown { StandardError.write("\r\(line(player))\u{1B}[K") }
        }
        return .stopped
    }

    /// Returns the line with position, duration and state.
    private static func line(_ player: AudioPlayer) -> String {
        let state = player.isPaused ? "  paused" : player.isInterrupted ? "  interrupted by another program" : ""
        return " " + Format.clock(player.position.inSeconds) + (player.duration.map { " of " + Format.clock($0.inSeconds) } ?? "") + state
    }
}
