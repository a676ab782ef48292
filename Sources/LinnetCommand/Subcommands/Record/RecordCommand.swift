// SPDX-License-Identifier: Apache-2.0

import AACCodec
import AudioContainers
import AudioDevices
import AudioPrimitives
import LiveAudio
import PCMFiles
import SystemFiles

/// `linnet record`: records from a device to AAC files or pipes.
package enum RecordCommand: Subcommand {
    package static let name = "record"
    package static let allowsSeveralOutputs = true
    package static let summary = "record a microphone to AAC"
    package static let usage = "[-o OUT] [--also OUT]... [--device NAME] [--seconds N] [-b RATE]"
    private static let bufferMilliseconds = 20

    package static let options =
        [
            CommandOption.output.with(
                ": a file, a live server, or - for standard output (default: recording.aac, recording-2.aac and so on)"),
            RecordOutputs.also,
            .format.with(
                " of -o: \(ContainerOption.names), or wav, flac, oga, aiff or raw for PCM samples (without an extension: adts)"),
            .force,
            CommandOption(
                "input", value: "FILE",
                "record from a file or pipe in real time: 16-bit PCM without a header, at --rate and --channels, or the RTP stream of a session description (.sdp)"
            ),
            RTPInput.latency,
            .json.with(": a line per event, and levels once per second"),
            .quiet,
        ] + RecordOptions.options(bufferMilliseconds: bufferMilliseconds) + StreamingOptions.options
        // `StreamingOptions` has the title.
        + TagOptions.options.filter { !["title", "no-tags"].contains($0.name) }
        + [CommandOption("tags-from", value: "FILE", "copy tags and pictures from this file, except those set by other options")]
    package static let details = """
        A terminal shows time, bit rate, losses and free space, and for each channel the level, the peak of the last 3 s and the number of
        clipped samples. Keys: m mute, p pause, k mark, q stop. SIGUSR1 also marks. Marks are chapters of M4A, Opus, WAV, AIFF and FLAC files.
        Ctrl-C and SIGTERM also stop; the file is always finalized. Even after kill -9, AAC, M4A, LOAS, MPEG-TS, Opus, WAV, AIFF and FLAC files
        are playable: the headers of WAV and AIFF are up to a second short, and FLAC has no length. CAF needs a regular end. If the device or the
        sound server disappears, the recording waits for it, and fills the gap with silence.
        """ + "\n\n" + SplitOptions.help + "\n\n" + StreamingOptions.addressHelp + "\n\n" + SecretArgument.help
    package static let examples = [
        (command: "linnet record -o talk.aac", meaning: "record the default microphone until q or Ctrl-C"),
        (command: "linnet record --seconds 10 -b 96k -o - | ffplay -", meaning: "stream to another program while recording"),
        (command: "linnet record -o take.m4a --also take.wav", meaning: "M4A with its PCM samples"),
        (command: "linnet record -o call.aac --echo-cancel --noise moderate", meaning: "a voice near a loudspeaker"),
        (command: "linnet record -o call.m4a --source mic --source system", meaning: "your voice left, the others right"),
        (command: "linnet record -o call.m4a --source mic --source app:Firefox --layout tracks", meaning: "a track per source"),
        (command: "linnet record -o memo.m4a --preset voice-24", meaning: "a voice in 180 kB per minute"),
        (command: "linnet record -o talk.m4a --also rtmp://localhost/live/talk", meaning: "to a live server and a file"),
        (command: "linnet record -o %Y/%m-%d.m4a --split-at 00:00", meaning: "a file per day, without gaps"),
        (
            command: "linnet record -o talk.m4a --start-level -30 --stop-silence 60",
            meaning: "from the first word to a minute after the last"
        ),
        (command: "linnet record --input call.sdp -o call.m4a", meaning: "an RTP stream, with losses concealed"),
        (command: "linnet record -o out.aac --json | jq .event", meaning: "events for programs"),
    ]

    package static func run(_ arguments: ParsedArguments) throws -> ExitCode {
        guard arguments.operands.isEmpty else {
            throw arguments.failure("unexpected argument \(arguments.operands[0]); name outputs with -o")
        }
        for option in RecordOptions.microphoneOptions { try arguments.exclude("input", option) }
        let input = arguments.text("input")
        let sources = try RecordSources(arguments)
        let outputs = try RecordOutputs(arguments, defaultName: RecordOptions.freeName, sources: sources)
        let configuration = try RecordOptions.configuration(
            arguments, container: outputs.container, isFile: input != nil, bufferMilliseconds: bufferMilliseconds)
        try outputs.check(configuration.codec, arguments)
        if let input { try checkSamples(input) }
        return try LiveRecording.run(arguments, outputs, takesKeys: input != "-") {
            if let input, let stream = try RTPInput.source(input, arguments) {
                return Recorder(configuration, source: .program(stream), sinks: outputs.sinks)
            }
            if arguments.has("latency") { throw arguments.failure("--latency applies to RTP streams only; use --input NAME.sdp") }
            if let input { return Recorder(configuration, source: .rawFile(input), sinks: outputs.sinks) }
            return try RecordOptions.recorder(arguments, configuration, sources, outputs.sinks)
        }
    }

    /// Throws if a regular file for `--input` starts with the signature of an audio format.
    private static func checkSamples(_ input: String) throws(CommandFailure) {
        // Opening a named pipe would wait for its writer, and take its bytes.
        guard input == "-" || (try? FileStatus(of: input))?.kind == .regular, let file = try? FileInput(path: input),
            file.fileSize != nil, let front = try? file.bytes(at: 0..<ContainerProbe.byteCount)
        else { return }
        let signature = Array(front.prefix(ContainerProbe.signatureByteCount))
        guard
            front.starts(with: "OggS".utf8) || ContainerProbe.tagByteCount(front) != nil
                || ContainerProbe.format(ofSignature: signature) != nil
        else { return }
        let name = AudioFileFormat(probing: front)?.name ?? "an audio file"
        throw CommandFailure(
            .refusedSettings,
            "--input reads 16-bit PCM without a header, and \(file.path) is \(name); use linnet convert, or extract its samples with -o NAME.raw"
        )
    }
}
