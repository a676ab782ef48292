// SPDX-License-Identifier: Apache-2.0

import JSONText

/// `linnet play`: plays files on an output device.
enum PlayCommand: Subcommand {
    static let name = "play"
    static let summary = "play audio files"
    static let usage = "FILE... [--device NAME] [--range A-B]"
    static let options = [
        CommandOption.device,
        BackendOption.option,
        AudioTrackOption.option,
        .range,
        LoudnessOptions.target,
        LoudnessOptions.control,
        RTPInput.latency,
        .json,
        .quiet,
    ]
    static let details = """
        FILE is any file that linnet convert reads, or the session description (.sdp) of an RTP stream; - is standard input. A terminal
        shows the position. Keys: space pause, arrows seek by 5 seconds, n next file, q stop.
        """
    static let examples = [
        (command: "linnet play song.aac", meaning: "play a file, with keys to pause and seek"),
        (command: "linnet play *.m4a", meaning: "several files, without a gap between them"),
        (command: "curl -s https://example.org/radio.aac | linnet play -", meaning: "play a stream"),
        (command: "linnet play call.sdp", meaning: "an RTP stream"),
        (command: "sox -n -t wav - synth 2 sine 440 | linnet play -", meaning: "play the output of another program"),
    ]

    static func run(_ arguments: ParsedArguments) throws -> ExitCode {
        guard !arguments.operands.isEmpty else { throw arguments.failure("missing input file") }
        try arguments.exclude("json", "quiet")
        let stopSignal = StopSignal()
        SignalWatcher.start { stopSignal.record($0) }
        let isShown = StandardError.isTerminal && !arguments.has("quiet") && !arguments.has("json")
        let keys = arguments.operands.contains("-") ? nil : KeyReader()
        defer { KeyReader.restore() }
        var results: [JSONValue] = []
        var files: [CheckedFile] = []
        var failure: (any Error)?
        var isStopped = false
        while results.count < arguments.operands.count, !isStopped, failure == nil {
            let session = try PlaySession(
                arguments.operands[results.count...], arguments, keys: keys, stopSignal: stopSignal, isShown: isShown)
            results += session.run()
            files += session.files
            (isStopped, failure) = (session.isStopped, session.failure)
        }
        if arguments.has("json") { try StandardOutput.print(JSONValue.array(results).text()) }
        let exitCode = CheckedFile.report(files)
        if let failure { throw failure }
        return exitCode
    }
}
