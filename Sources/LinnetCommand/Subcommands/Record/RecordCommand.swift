// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

import AACCodec
import AudioDevices
import AudioPrimitives
import LiveAudio
import PCMFiles

/// `linnet record`: a microphone to an AAC file or pipe.
enum RecordCommand: Subcommand {
    static let name = "record"
    static let summary = "record a microphone to AAC"
    static let usage = "[-o OUT|-] [--also OUT]... [--device NAME] [--seconds N] [-b RATE]"
    static let options = [
        CommandOption("output", short: "o", value: "FILE", help: "where to; - is standard output; else recording.aac, recording-2.aac ..."),
        CommandOption(
            "also", value: "FILE", help: "where to as well, any number of times;\nthe samples go to .wav, .flac and other PCM files"),
        CommandOption(
            "container", value: "NAME", help: "adts, m4a, caf or loas, if not the one of the name after -o\n(.aac .m4a .caf .loas)"),
        CommandOption("force", short: "f", help: "overwrite outputs that exist"),
        CommandOption("device", short: "d", value: "NAME", help: "what to record from, as linnet devices lists it; else the default"),
        BackendOption.option,
        CommandOption(
            "input", value: "FILE",
            help: "record headerless PCM (16-bit, or as --rate and --channels say)\nfrom a file or pipe, in real time"),
        CommandOption("seconds", short: "s", value: "N", help: "stop after N seconds of sound"),
        CommandOption("bitrate", short: "b", value: "RATE", help: "bits a second, as 128k"),
        CommandOption("quality", short: "q", value: "Q", help: "variable bit rate, 0 (small) to 100 (transparent)"),
        ProfileOption.profile,
        ProfileOption.signaling,
        CommandOption("preset", value: "NAME", help: RecordOptions.presetHelp),
        CommandOption("rate", value: "HZ", help: "sample rate of the recording; else the preset's or the device's own"),
        CommandOption("channels", value: "N", help: "1 or 2 and more; else the preset's or the device's own, at most 2"),
        CommandOption("pick", value: "N,N", help: "which of the device's channels to record, counted from 1"),
        CommandOption("gain", value: "DB", help: "louder or softer by so many decibels"),
        CommandOption("buffer", value: "MS", help: "sound that the device gives at a time; else the preset's or 20 ms"),
        CommandOption("echo-cancel", help: "take out what the loudspeaker plays"),
        CommandOption("noise", value: "HOW", help: "with --echo-cancel: off, low, moderate, high or very-high suppression of noise"),
        CommandOption("level", help: "with --echo-cancel: bring speech to one level"),
        CommandOption("mute-at", value: "A-B", help: "record silence from second A to second B"),
        CommandOption("gaps", value: "HOW", help: "fill (default: silence where the device gave nothing) or skip"),
        CommandOption("json", help: "tell everything that happens, and the level each second, in lines of JSON"),
        CommandOption("quiet", help: "no live line and no summary"),
    ]
    static let details = """
        On a terminal a line shows time, level, bit rate and lost frames; m mutes, p pauses, q stops, and so do Ctrl-C and SIGTERM:
        the file is whole. AAC, M4A and LOAS are playable at any moment of the recording, whatever ends it; CAF and WAV need an
        orderly end. When the device or the sound server goes away, recording waits until it is back, with silence in between.
        """
    static let examples = [
        (command: "linnet record -o talk.aac", meaning: "record the default microphone until q or Ctrl-C"),
        (command: "linnet record --seconds 10 -b 96k -o - | ffplay -", meaning: "stream to another program as it is recorded"),
        (command: "linnet record -o take.m4a --also take.wav", meaning: "M4A and the samples it was made from"),
        (command: "linnet record -o call.aac --echo-cancel --noise moderate", meaning: "a voice beside a loudspeaker"),
        (command: "linnet record -o memo.m4a --preset voice-24", meaning: "a voice in 180 kB a minute"),
        (command: "linnet record -o out.aac --json | jq .event", meaning: "for programs: what happens, as it happens"),
    ]

    static func run(_ arguments: ParsedArguments) throws -> ExitCode {
        guard arguments.operands.isEmpty else {
            throw arguments.failure("\(arguments.operands[0]) is too much; outputs are named by -o")
        }
        let configuration = try RecordOptions.configuration(arguments)
        let mutes = try RecordOptions.mutes(arguments)
        let output = arguments.text("output") ?? RecordOptions.freeName()
        try arguments.exclude("json", "quiet")
        let sinks = try RecordOutputs.sinks(arguments, output: output)
        let backend = try RecordOptions.backend(arguments)
        // Signals first: threads started later inherit that they are watched.
        let stopSignal = StopSignal()
        SignalWatcher.start { stopSignal.note($0) }
        let recorder = Recorder(configuration, backend: backend, sinks: sinks)
        let live = LiveRecording(
            recorder, stopSignal: stopSignal, mutes: mutes, output: output == "-" ? "standard output" : output,
            style: arguments.has("json") ? .json : arguments.has("quiet") ? .quiet : .terminal, takesKeys: arguments.text("input") != "-")
        return try live.run()
    }
}
