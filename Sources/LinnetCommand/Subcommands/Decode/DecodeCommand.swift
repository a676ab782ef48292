// SPDX-License-Identifier: Apache-2.0

import AACCodec
import AudioContainers
import AudioFiles
import AudioMetadata
import AudioPrimitives
import LiveStreaming
import MPEG4Audio
import PCMFiles
import SystemFiles

/// `linnet decode`: decodes files to PCM.
enum DecodeCommand: Subcommand {
    static let name = "decode"
    static let summary = "decode AAC, Opus and Apple Lossless to WAV, FLAC, CAF or AIFF"
    static let usage = "IN... [-o OUT] [--sample-format F] [--range A-B] [OPTIONS]"
    static let options =
        [
            CommandOption.output.with(
                ": a file, a folder for several inputs, or - for standard output (default: IN with the new extension)"),
            .format.with(": wav (default), flac, oga (FLAC in Ogg), caf, aiff or raw"),
            .force,
            .sampleFormat.with(": s16, s24 or f32 (default: s16, or s24 for lossless input of more bits)"),
            AudioTrackOption.option,
            .range,
            .channels.with(" (default: the input's): 1 or 2, mixed from more channels"),
            LoudnessOptions.formerTarget,
            RTPInput.latency,
            CommandOption("keep-delay", "keep encoder delay and padding"),
            .jobs,
            .json,
            .quiet,
        ] + LoudnessOptions.decoding + TagOptions.options
    static let details = """
        IN is ADTS, LOAS, M4A, MP4, 3GP, QuickTime, Matroska, WebM, CAF, MPEG-TS, ADIF, DAB+ (.dabp), Ogg Opus or iLBC (.lbc), with AAC,
        Opus, Apple Lossless or iLBC. A session description (.sdp) stands for an RTP stream, decoded until it ends; - is standard input.
        linnet convert decodes other files.

        Damaged access units are concealed and reported, with exit status 6. Tags and pictures are kept; a note lists those that OUT cannot
        store. A stream that changes its sample rate or channels is converted to its initial format.
        """
    static let examples = [
        (command: "linnet decode song.m4a", meaning: "decode to song.wav"),
        (command: "linnet decode *.m4a -o album/ --format flac", meaning: "several files to a folder, in parallel"),
        (command: "linnet decode song.aac -o - | aplay", meaning: "play without a file"),
        (command: "linnet decode film.m4a --channels 2 --sample-format s24 -o film.flac", meaning: "5.1 to stereo, 24 bits"),
        (command: "linnet decode film.aac --drc on --target-loudness -23LUFS", meaning: "quieter at night"),
        (command: "linnet decode talk.m4a --range 1:30-2:00 -o part.wav", meaning: "a part"),
    ]

    /// The options that do not apply to RTP streams, which have no tags, stored loudness or known end.
    private static let optionsOfFiles =
        ["range", "channels", "keep-delay", "loudness", "target-loudness", "drc"] + TagOptions.options.map(\.name)

    static func run(_ arguments: ParsedArguments) throws -> ExitCode {
        guard !arguments.operands.isEmpty else { throw arguments.failure("missing input file") }
        try OutputPlan.checkLastOperand(arguments) { AudioFileFormat(pcmPath: $0) != nil }
        let (settings, sampleFormat) = try settings(arguments)
        let named = settings.format
        let plan = OutputPlan(arguments: arguments, fileExtension: (named ?? .wav).fileExtension) { path throws(CommandFailure) in
            guard named == nil, PathName.fileExtension(path) != nil, AudioFileFormat(pcmPath: path) == nil else { return }
            throw ContainerOption.refusal(
                of: path, arguments, known: ".wav, .flac, .caf, .aiff or .raw", isWritten: { AudioFileFormat(path: $0) != nil },
                by: "linnet convert")
        }
        let outputs = try plan.outputs(for: arguments.operands.map { InputFile(path: $0) })
        if outputs.contains("-"), let named, named == .aiff || named == .caf {
            throw arguments.failure("cannot write \(named.name) to a pipe; use --format wav, flac or raw, or -o FILE")
        }
        let jobCount = min(try arguments.integer("jobs", in: 1...1024) ?? WorkerThreads.processorCount, arguments.operands.count)
        let jobs = try zip(arguments.operands, outputs).map { input, output in
            let file = named ?? AudioFileFormat(pcmPath: output) ?? .wav
            if let stream = try RTPInput.source(input, arguments) {
                for option in optionsOfFiles where arguments.has(option) {
                    throw arguments.failure("--\(option) applies to files only; \(input) describes a stream")
                }
                let format = PCMOutputFormat(
                    file, sampleFormat: sampleFormat ?? .int16, sampleRate: stream.sampleRate, channelCount: stream.channelCount)
                return FileJob(input: input, output: output) {
                    try StreamDecoding.decode(stream, input, to: output, format, overwrites: settings.overwrites, $0)
                }
            }
            var configuration = settings
            configuration.format = file
            configuration.encoding = sampleFormat.map { file.encoding(of: $0) }
            let converter = FileConverter(decoding: input, output: output, configuration: configuration)
            return FileJob(input: input, output: output) { monitor in
                ConversionText(input: PathName.inputName(input), summary: try monitor.run(converter)).decoded
            }
        }
        return try FileJobRunner(jobs, arguments, verb: "decoded").run(threadCount: jobCount)
    }

    /// Returns the settings of all inputs.
    ///
    /// The sample format is `nil` to follow the input.
    private static func settings(_ arguments: ParsedArguments) throws -> (FileConverterConfiguration, SampleFormat?) {
        var result = try FileConverterConfiguration(arguments)
        result.decoding.keepsDelay = arguments.has("keep-delay")
        (result.channelCount, result.addsChannels) = (try arguments.integer("channels", in: 1...2), false)
        // AAC signals its downmix.
        result.decoding.decoder.downmix = result.channelCount.map { $0 == 1 ? .mono : .stereo } ?? AACDecoderOptions.Downmix.none
        let sampleFormats = [("s16", SampleFormat.int16), ("s24", .int24), ("f32", .float32)]
        if let name = arguments.text("format"), sampleFormats.contains(where: { $0.0 == name }) {
            throw arguments.failure("--format is the file format; for the sample format use --sample-format \(name)")
        }
        result.format = try arguments.choice("format", AudioFileFormat.pcmFormats.map { ($0.fileExtension, $0) })
        let sampleFormat = try arguments.choice("sample-format", sampleFormats)
        return (result, sampleFormat)
    }
}
