// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

import AudioDevices
import AudioFiles
import LiveAudio

/// `linnet play`: a file to the loudspeaker.
enum PlayCommand: Subcommand {
    static let name = "play"
    static let summary = "play a sound file"
    static let usage = "FILE|- [--device NAME]"
    static let options = [
        CommandOption("device", short: "d", value: "NAME", help: "what to play to, as linnet devices lists it; else the default"),
        BackendOption.option,
        CommandOption("start", value: "SECONDS", help: "where to begin"),
        CommandOption("quiet", help: "no line with the position"),
    ]
    static let details = """
        FILE is AAC (ADTS, M4A, LOAS), WAV, AIFF, CAF or FLAC; - is standard input, AAC or PCM. On a terminal a line shows the
        position; space pauses, the arrow keys go back and forth by 5 seconds, q stops.
        """
    static let examples = [
        (command: "linnet play song.aac", meaning: "play a file, with keys to pause and seek"),
        (command: "curl -s https://example.org/radio.aac | linnet play -", meaning: "play a stream"),
        (command: "sox -n -t wav - synth 2 sine 440 | linnet play -", meaning: "play what another program makes"),
    ]

    /// How far an arrow key goes, in seconds.
    private static let stride = 5.0

    static func run(_ arguments: ParsedArguments) throws -> ExitCode {
        guard arguments.operands.count == 1 else {
            throw arguments.failure(arguments.operands.isEmpty ? "no file to play" : "only one file can be played at a time")
        }
        let path = arguments.operands[0]
        let file = try PlayableFile(path: path)
        let start = try arguments.number("start", in: 0...1e9)
        let stopSignal = StopSignal()
        SignalWatcher.start { stopSignal.note($0) }
        let player = try AudioPlayer(file, device: arguments.text("device"), backend: try BackendOption.named(arguments)?.kind)
        if let start, try !player.seek(toSeconds: start) { throw CommandFailure(.unsuitableInput, "\(path) can't be read from the middle") }
        let keys = path == "-" ? nil : KeyReader()
        let isShown = StandardError.isTerminal && !arguments.has("quiet")
        let hasStopped = try play(player, keys: keys, stopSignal: stopSignal, isShown: isShown)
        if hasStopped { player.stop() } else { player.finish() }
        keys?.restore()
        if isShown { StandardError.write("\r\u{1B}[K") }
        return .success
    }

    /// Plays to the end; true if somebody stopped it.
    private static func play(_ player: AudioPlayer, keys: KeyReader?, stopSignal: StopSignal, isShown: Bool) throws -> Bool {
        while stopSignal.signal == nil {
            guard try player.step(waiting: 0.05) else { return false }
            switch keys?.next(within: player.isPaused ? 50 : 0) {
            case "q", "Q", "\u{4}": return true
            case " ", "p", "P": player.isPaused.toggle()
            case "<": _ = try player.seek(toSeconds: player.position - stride)
            case ">": _ = try player.seek(toSeconds: player.position + stride)
            default: break
            }
            if isShown { StandardError.write("\r\(line(player))\u{1B}[K") }
        }
        return true
    }

    private static func line(_ player: AudioPlayer) -> String {
        let state = player.isPaused ? "  paused" : player.isInterrupted ? "  held back by another program" : ""
        return " " + Format.clock(player.position) + (player.duration.map { " of " + Format.clock($0) } ?? "") + state
    }
}
