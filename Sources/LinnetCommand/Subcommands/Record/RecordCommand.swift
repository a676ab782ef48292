// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

import AACCodec
import AudioDevices
import AudioPrimitives
import LiveAudio
import PCMFiles

/// `linnet record`: records from a device to AAC files or pipes.
enum RecordCommand: Subcommand {
    static let name = "record"
    static let summary = "record a microphone to AAC"
    static let usage = "[-o OUT] [--also OUT]... [--device NAME] [--seconds N] [-b RATE]"
    static let options = [
        CommandOption.output.with(": a file, or - for standard output; else recording.aac, recording-2.aac and so on"),
        CommandOption(
            "also", value: "OUT", "write to this file too, any number of times; .wav, .flac, .aiff and .raw files get the PCM samples"),
        .format.with(" after -o: adts, m4a, caf, loas or ts (extensions .aac, .m4a, .caf, .loas, .ts; without an extension ADTS)"),
        .force,
        .device,
        BackendOption.option,
        CommandOption(
            "input", value: "FILE",
            "record from a file or pipe in real time: 16-bit PCM without a header, with the sample rate and channels of --rate and --channels"
        ),
        CommandOption("seconds", short: "s", value: "N", "stop after N seconds of audio"),
        .bitRate,
        .quality,
        ProfileOption.profile,
        ProfileOption.signaling,
        .preset.with(", of the capture or the encoder:\n" + RecordOptions.presetHelp),
        .rate.with(" (default: the preset's or the device's)"),
        .channels.with(" (default: the preset's or the device's, at most 2); --mono is 1"),
        CommandOption("pick", value: "N,N", "the device's channels to record, counted from 1"),
        CommandOption("gain", value: "DB", "gain in decibels"),
        CommandOption("buffer", value: "MS", "length of the device's buffers in milliseconds (default: the preset's or 20)"),
        CommandOption("echo-cancel", "remove what the loudspeaker plays"),
        CommandOption("noise", value: "LEVEL", "with --echo-cancel: noise suppression: off (default), low, moderate, high or very-high"),
        CommandOption("level", "with --echo-cancel: automatic gain control"),
        CommandOption("mute-at", value: "A-B", "record silence from second A to second B; several parts with commas"),
        CommandOption("gaps", value: "MODE", "where the device delivered nothing: fill (silence, default) or skip"),
        .json.with(": a line per event, and the levels once per second"),
        .quiet,
    ]
    static let details = """
        On a terminal a line shows time, level, bit rate and lost frames; m mutes, p pauses, q stops. Ctrl-C and SIGTERM stop as well, and the
        file is complete. AAC, M4A, LOAS and MPEG-TS are playable at any moment of the recording, even if it is killed; CAF and WAV have to be
        finished. If the device or the sound server disappears, recording waits until it returns, and fills the gap with silence.
        """
    static let examples = [
        (command: "linnet record -o talk.aac", meaning: "record the default microphone until q or Ctrl-C"),
        (command: "linnet record --seconds 10 -b 96k -o - | ffplay -", meaning: "stream to another program while recording"),
        (command: "linnet record -o take.m4a --also take.wav", meaning: "M4A, and the samples that it was encoded from"),
        (command: "linnet record -o call.aac --echo-cancel --noise moderate", meaning: "a voice near a loudspeaker"),
        (command: "linnet record -o memo.m4a --preset voice-24", meaning: "a voice in 180 kB per minute"),
        (command: "linnet record -o out.aac --json | jq .event", meaning: "events as they happen, for programs"),
    ]

    /// Records until the end of the recording.
    static func run(_ arguments: ParsedArguments) throws -> ExitCode {
        guard arguments.operands.isEmpty else {
            throw arguments.failure("unexpected argument \(arguments.operands[0]); outputs are named with -o")
        }
        let configuration = try RecordOptions.configuration(arguments)
        let mutes = try RecordOptions.mutes(arguments)
        let output = arguments.text("output") ?? RecordOptions.freeName()
        try arguments.exclude("json", "quiet")
        let sinks = try RecordOutputs.sinks(arguments, output: output)
        let backend = try RecordOptions.backend(arguments)
        // Threads that are started later inherit the signal mask.
        let stopSignal = StopSignal()
        SignalWatcher.start { stopSignal.record($0) }
        let recorder = Recorder(configuration, backend: backend, sinks: sinks)
        let live = LiveRecording(
            recorder, stopSignal: stopSignal, mutes: mutes, output: output == "-" ? "standard output" : output,
            style: arguments.has("json") ? .json : arguments.has("quiet") ? .quiet : .terminal, takesKeys: arguments.text("input") != "-")
        return try live.run()
    }
}
