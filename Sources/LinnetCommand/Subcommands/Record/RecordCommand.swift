// SPDX-License-Identifier: Apache-2.0

import AACCodec
import AudioDevices
import AudioPrimitives
import LiveAudio
import PCMFiles

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
                ": a file, a live server, or - for standard output; else recording.aac, recording-2.aac and so on"),
            RecordOutputs.also,
            .format.with(
                " after -o: \(ContainerOption.names) (extensions .aac, .m4a, .caf, .loas, .ts, .opus; without an extension ADTS)"),
            .force,
            CommandOption(
                "input", value: "FILE",
                "record from a file or pipe in real time: 16-bit PCM without a header, with the sample rate and channels of --rate and --channels; or the RTP stream of a session description (.sdp)"
            ),
            RTPInput.latency,
            .json.with(": a line per event, and the levels once per second"),
            .quiet,
        ] + RecordOptions.options(bufferMilliseconds: bufferMilliseconds) + StreamingOptions.options
        // `StreamingOptions` has the title.
        + TagOptions.options.filter { !["title", "no-tags"].contains($0.name) }
        + [CommandOption("tags-from", value: "FILE", "the tags and pictures of this file, except for those that other options give")]
    package static let details = """
        On a terminal a line shows time, level, bit rate and lost frames; m mutes, p pauses, q stops. Ctrl-C and SIGTERM stop as well, and the
        file is complete. AAC, M4A, LOAS, MPEG-TS and Opus are playable at any moment of the recording, even if it is killed; so are WAV and
        FLAC, though the header of WAV is up to a second short then, and FLAC tells no length. CAF and AIFF have to be finished. If the device or the sound server disappears,
        recording waits until it returns, and fills the gap with silence.
        """ + "\n\n" + StreamingOptions.addressHelp + "\n\n" + SecretArgument.help
    package static let examples = [
        (command: "linnet record -o talk.aac", meaning: "record the default microphone until q or Ctrl-C"),
        (command: "linnet record --seconds 10 -b 96k -o - | ffplay -", meaning: "stream to another program while recording"),
        (command: "linnet record -o take.m4a --also take.wav", meaning: "M4A, and the samples that it was encoded from"),
        (command: "linnet record -o call.aac --echo-cancel --noise moderate", meaning: "a voice near a loudspeaker"),
        (command: "linnet record -o memo.m4a --preset voice-24", meaning: "a voice in 180 kB per minute"),
        (command: "linnet record -o talk.m4a --also rtmp://localhost/live/talk", meaning: "to a live server and a file"),
        (command: "linnet record --input call.sdp -o call.m4a", meaning: "an RTP stream; what is lost is concealed"),
        (command: "linnet record -o out.aac --json | jq .event", meaning: "events as they happen, for programs"),
    ]

    /// Records until the end of the recording.
    package static func run(_ arguments: ParsedArguments) throws -> ExitCode {
        guard arguments.operands.isEmpty else {
            throw arguments.failure("unexpected argument \(arguments.operands[0]); outputs are named with -o")
        }
        for option in ["device", "backend", "echo-cancel"] { try arguments.exclude("input", option) }
        let input = arguments.text("input")
        let outputs = try RecordOutputs(arguments, defaultName: RecordOptions.freeName())
        let configuration = try RecordOptions.configuration(
            arguments, container: outputs.container, isFile: input != nil, bufferMilliseconds: bufferMilliseconds)
        return try LiveRecording.run(arguments, outputs, takesKeys: input != "-") {
            if let input, let stream = try RTPInput.source(input, arguments) {
                return Recorder(configuration, source: .program(stream), sinks: outputs.sinks)
            }
            if arguments.has("latency") { throw arguments.failure("--latency is about an RTP stream: --input NAME.sdp") }
            return Recorder(configuration, source: try input.map { .rawFile($0) } ?? RecordOptions.source(arguments), sinks: outputs.sinks)
        }
    }
}
