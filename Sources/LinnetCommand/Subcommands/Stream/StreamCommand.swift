// SPDX-License-Identifier: Apache-2.0

import AudioDevices
import AudioFiles
import LiveAudio
import LiveStreaming
import SystemFiles

/// `linnet stream`: sends a microphone, a file or standard input to live servers.
package enum StreamCommand: Subcommand {
    package static let name = "stream"
    package static let allowsSeveralOutputs = true
    package static let summary = "send a microphone or a file to live servers"
    package static let usage = "[IN] -o URL [-o URL]... [--also OUT]... [-b RATE]"
    /// The default duration of device buffers.
    ///
    /// Servers add seconds anyway, and the processor wakes half as often as with 20 ms. With three servers and a file it uses 12 to 15 ticks of
    /// 10 ms in 8 s instead of 16 to 22.
    private static let bufferMilliseconds = 40

    package static let options =
        [
            CommandOption.output.with(": a live server or a file (repeatable)"),
            RecordOutputs.also,
            .format.with(
                " of -o: \(ContainerOption.names), or wav, flac, oga, aiff or raw for PCM samples (without an extension: adts)"),
            .force,
            AudioTrackOption.option,
            RawInputOption.option,
            LoudnessOptions.target,
            LoudnessOptions.control,
            RTPInput.latency,
            CommandOption("loop", "repeat IN until Ctrl-C"),
            CommandOption("at-rate", "read IN in real time (default for a file to a server, but not for standard input)"),
            .json.with(": a line per event, and levels and server states once per second"),
            .quiet,
        ] + RecordOptions.options(bufferMilliseconds: bufferMilliseconds) + StreamingOptions.options
    package static let details =
        """
        IN is any file that linnet convert reads, or the session description of an RTP stream; - is standard input. Without IN, the
        microphone is sent. A terminal shows for each server its state, bytes and bit rate sent, and queued audio. Keys: m mute, p pause, k
        mark, q stop.
        """ + "\n\n" + SplitOptions.help + "\n\n" + StreamingOptions.addressHelp + "\n\n" + SecretArgument.help
    package static let examples = [
        (command: "linnet stream -o rtmp://live.example.com/app/{env:STREAM_KEY}", meaning: "the microphone, with the key from a variable"),
        (command: "linnet stream -o hls:/var/www/talk -o srt://host:9000 --also talk.m4a", meaning: "several at once, and a file"),
        (command: "linnet stream music.flac --loop -o icecast://source:{file:pw}@host:8000/radio.aac", meaning: "a radio station"),
        (command: "linnet stream music.flac --loop -o - --dab 96k >/run/radio.dabp", meaning: "DAB+ superframes for a multiplexer"),
        (command: "linnet stream --codec opus -o icecast://source:{file:pw}@host:8000/talk.opus", meaning: "the microphone as Ogg Opus"),
        (command: "linnet stream -o rtp://127.0.0.1:5004", meaning: "RTP, with rtp-5004.sdp as description"),
        (command: "linnet stream talk.wav -o hls:talk --hls-type vod", meaning: "a folder for a web server"),
    ]

    /// Streams until the end of the input.
    package static func run(_ arguments: ParsedArguments) throws -> ExitCode {
        guard arguments.has("output") else { throw arguments.failure("missing output; use -o with a server address or a file") }
        guard arguments.operands.count <= 1 else { throw arguments.failure("stream needs one input, not \(arguments.operands.count)") }
        let path = arguments.operands.first
        try refuseOptions(arguments, path)
        let sources = try RecordSources(arguments)
        let outputs = try RecordOutputs(arguments, defaultName: { _ in "-" }, sources: sources)
        var configuration = try RecordOptions.configuration(
            arguments, container: outputs.container, isFile: false, bufferMilliseconds: bufferMilliseconds)
        try outputs.check(configuration.codec, arguments)
        guard let path else {
            return try LiveRecording.run(arguments, outputs) { [configuration] in
                try RecordOptions.recorder(arguments, configuration, sources, outputs.sinks)
            }
        }
        let (source, file) = try source(path, arguments, isLive: outputs.isLive)
        if !outputs.isLive { configuration.sinkTimeout = StreamingOptions.unlimited }
        let exitCode = try LiveRecording.run(arguments, outputs, input: PathName.inputName(path), takesKeys: path != "-") {
            [configuration] in Recorder(configuration, source: source, sinks: outputs.sinks)
        }
        let damage = CheckedFile.report(file.map { [$0] } ?? [])
        return exitCode == .success ? damage : exitCode
    }

    /// Throws if an option of files was given for a microphone, or the reverse.
    private static func refuseOptions(_ arguments: ParsedArguments, _ path: String?) throws(CommandFailure) {
        if let path {
            for option in RecordOptions.microphoneOptions where arguments.has(option) {
                throw arguments.failure("--\(option) applies to microphones only, not to \(path)")
            }
        } else {
            let fileOptions = ["loop", "at-rate", "raw", "audio-track", "latency"] + LoudnessOptions.decoding.map(\.name)
            for option in fileOptions where arguments.has(option) { throw arguments.failure("--\(option) needs an input file") }
        }
    }

    /// Returns the source, and its file unless it is a stream.
    private static func source(
        _ path: String, _ arguments: ParsedArguments, isLive: Bool
    ) throws -> (CaptureSource, CheckedFile?) {
        if let stream = try RTPInput.source(path, arguments) {
            for option in ["loop", "raw", "at-rate"] + LoudnessOptions.decoding.map(\.name) where arguments.has(option) {
                throw arguments.failure("--\(option) applies to files only; \(path) describes a stream")
            }
            return (.program(stream), nil)
        }
        let repeats = arguments.has("loop")
        var decoding = FileDecoderConfiguration()
        decoding.audioTrack = try AudioTrackOption.choice(arguments)
        try LoudnessOptions.apply(arguments, to: &decoding)
        let isPaced = arguments.has("at-rate") || (isLive && path != "-") || repeats
        if arguments.has("mute-at"), !isPaced { throw arguments.failure("--mute-at needs input in real time; add --at-rate") }
        if repeats, path == "-" { throw arguments.failure("--loop needs a file instead of standard input") }
        let file = CheckedFile(try AudioFile(path: path, raw: RawInputOption.format(arguments), decoding: decoding))
        return (.file(file, pace: isPaced ? .realTime : .unpaced, repeats: repeats), file)
    }
}
