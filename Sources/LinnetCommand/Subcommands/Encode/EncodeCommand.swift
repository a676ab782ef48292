// SPDX-License-Identifier: Apache-2.0

import AACCodec
import AudioContainers
import AudioConversion
package import AudioFiles
import AudioMetadata
import AudioPrimitives
import PCMFiles
import SystemFiles

/// `linnet encode`: encodes audio files as AAC or Opus.
package enum EncodeCommand: Subcommand {
    package static let name = "encode"
    package static let summary = "encode audio files as AAC or Opus"
    package static let usage = "IN... [-o OUT] [-b RATE | -q QUALITY] [OPTIONS]"
    package static let options =
        [
            CommandOption.output.with(
                ": a file, a folder for several inputs, or - for standard output (default: IN with the new extension)"),
            .format.with(": \(ContainerOption.names) (extensions .aac, .m4a, .caf, .loas, .ts, .opus, .dabp; without an extension ADTS)"),
            .force,
            OpusOptions.codec,
        ]
        + EncoderOptions.options([
            "bitrate": " (default: 64k per channel at 48 kHz, less at lower sample rates: 120k for stereo at 44.1 kHz; he: 64k for "
                + "stereo; he-v2: 32k; Opus: 96k for stereo, 64k for mono)",
            "quality": ", see below", "low-delay": ", and with --cbr without a bit reservoir",
        ]) + [
            .preset.with(":\n" + AudioPreset.help),
            .range,
            .rate.with(" (default: the preset's or the input's, or the next higher supported one)"),
            .channels.with(" (default: the input's): 1 (also --mono) or 2, mixed from more channels"),
            CommandOption(
                "scale-bitrate", "treat --bitrate as the rate for stereo: mono gets half of it, 5.1 two and a half times"),
            CommandOption("crc", "write a checksum in every ADTS frame"),
            DABOptions.labels,
            .noDelay,
            CommandOption("mpeg2", "mark ADTS headers as MPEG-2 (ISO/IEC 13818-7)"),
            AudioTrackOption.option,
            RawInputOption.option,
            .gain,
            LoudnessOptions.normalize,
            LoudnessOptions.truePeak,
            LoudnessOptions.target,
            LoudnessOptions.control,
            LoudnessOptions.loudness,
            LoudnessOptions.album,
            .threads.with("; does not change the output"),
            .jobs,
            .json,
            .quiet,
            .verbose.with(": log formats, reads and writes to standard error"),
        ] + OpusOptions.options + TagOptions.options
    package static let details = """
        Bit rates of --quality for stereo music in kb/s, at 44.1 or 48 kHz; mono speech needs about 60 %:
          0: 41  10: 52  20: 64  30: 79  40: 99  50: 116  60: 141  70: 171  80: 208  90: 259  100: 338
        IN is WAV, AIFF, CAF, FLAC, Ogg, MP3, a file that linnet decode reads or, with --raw, PCM without a header; - is standard input.
        M4A, CAF and Opus also store encoder delay and padding, which players trim, and the tags of IN; M4A and Opus also its pictures. OUT
        appears only when it is complete. Existing files are kept unless --force is given.
        """
    package static let examples = [
        (command: "linnet encode song.wav", meaning: "encode to song.aac"),
        (command: "linnet encode song.flac -o small.aac -b 64k", meaning: "at 64 kb/s"),
        (command: "linnet encode song.wav -o song.m4a", meaning: "gapless, for phones and music players"),
        (command: "linnet encode song.wav -o stream.m4a -b 32k --profile he-v2", meaning: "HE-AAC v2, for low rates"),
        (command: "linnet encode talk.wav -o talk.opus -b 24k --application voice", meaning: "speech as Opus"),
        (command: "linnet encode news.wav -o news.dabp --dab 72k --dab-labels news.txt", meaning: "DAB+ superframes with labels"),
        (command: "linnet encode talk.wav --range 1:30-2:00 -o part.m4a", meaning: "a part"),
        (command: "linnet encode *.wav -o album/ -q 70 --effort best", meaning: "several files to a folder, in parallel"),
        (command: "linnet encode talk.wav -o talk.m4a --normalize -16LUFS", meaning: "at podcast loudness"),
        (
            command: "arecord -q -f cd -d 10 | linnet encode - -o take.aac",
            meaning: "from another program, without a length in the header"
        ),
        (
            command: "linnet encode --raw s16le,48000,1 - -o - <in.pcm >out.aac",
            meaning: "PCM without a header to ADTS, through pipes"
        ),
    ]

    package static func run(_ arguments: ParsedArguments) throws -> ExitCode {
        guard !arguments.operands.isEmpty else { throw arguments.failure("missing input file") }
        try OutputPlan.checkLastOperand(arguments) { path in
            PathName.fileExtension(path).flatMap { AudioFileFormat(writableFileExtension: $0) } != nil
        }
        var options = try encoderOptions(arguments)
        let isOpus = arguments.text("codec") == "opus"
        if options.format == nil, isOpus, OutputPlan.isUnnamed(arguments) { options.format = .oggOpus }
        if options.format == nil, arguments.text("codec") == "alac", OutputPlan.isUnnamed(arguments) { options.format = .m4a }
        options.format = options.format ?? ContainerOption.oggOpus(arguments.text("output"), arguments)
        if options.format == nil, DABOptions.isGiven(arguments), OutputPlan.isUnnamed(arguments) || arguments.text("output") == "-" {
            options.format = .dab
        }
        try OpusOptions.setCodec(of: &options, arguments, container: try container(arguments, options))
        let plan = OutputPlan(arguments: arguments, fileExtension: (options.format ?? .adts).fileExtension) {
            path throws(CommandFailure) in
            if options.format == nil, try ContainerOption.container(of: path, arguments) != .adts { try refuseADTSOptions(arguments) }
        }
        if let container = options.format, container != .adts { try refuseADTSOptions(arguments) }
        let outputs = try plan.outputs(for: arguments.operands.map { InputFile(path: $0) })
        let threads = try arguments.integer("threads", in: 1...1024) ?? WorkerThreads.processorCount
        let jobCount = min(try arguments.integer("jobs", in: 1...1024) ?? threads, arguments.operands.count)
        options.threadCount = max(1, threads / jobCount)
        let measured = options
        try LoudnessOptions.setAlbum(
            of: &options, arguments,
            zip(arguments.operands, outputs).map { FileEncoder(input: $0, output: $1, configuration: measured).converter })
        let jobs = zip(arguments.operands, outputs).map { [options] input, output in job(input: input, output: output, options) }
        return try FileJobRunner(jobs, arguments, verb: "encoded", logs: true).run(threadCount: jobCount)
    }

    /// Returns the output container, if the command line determines it.
    private static func container(
        _ arguments: ParsedArguments, _ options: FileConverterConfiguration
    ) throws(CommandFailure) -> AudioFileFormat? {
        if let container = options.format { return container }
        guard let output = arguments.text("output"), !OutputPlan.isUnnamed(arguments) else { return nil }
        return try ContainerOption.container(of: output, arguments)
    }

    private static func job(input: String, output: String, _ options: FileConverterConfiguration) -> FileJob {
        FileJob(input: input, output: output) { monitor in
            var encoder = FileEncoder(input: input, output: output, configuration: options)
            encoder.converter.log = monitor.log
            if output == "-", options.format == .m4a, !OpenFile.standardOutput.canOverwrite {
                monitor.note("M4A in a pipe is fragmented; -o FILE writes it with an index")
            }
            let text = ConversionText(input: PathName.inputName(input), summary: try monitor.run(encoder.converter))
            var result = text.encoded
            if options.settings.profile == nil, options.preset == nil, let hint = text.profileHint { result.notes.append(hint) }
            return result
        }
    }

    /// Returns the encoder configuration of the command line, without the codec.
    package static func encoderOptions(_ arguments: ParsedArguments) throws -> FileConverterConfiguration {
        for other in ["bitrate", "quality"] { try arguments.exclude("preset", other) }
        try arguments.exclude("normalize", LoudnessOptions.target.name)
        var options = try FileConverterConfiguration(arguments)
        options.preset = try AudioPreset.chosen(arguments)
        options.settings = try EncoderOptions.settings(arguments, presetProfile: options.preset?.profile)
        (options.channelCount, options.addsChannels) = (try arguments.integer("channels", in: 1...2), false)
        options.scalesBitRate = arguments.has("scale-bitrate")
        if options.scalesBitRate, !arguments.has("bitrate") { throw arguments.failure("--scale-bitrate needs --bitrate") }
        if let name = arguments.text("format"), SampleEncoding(name: name) != nil {
            throw arguments.failure("--format is the output format; for input without a header use --raw \(name)")
        }
        options.format = try ContainerOption.named(arguments)
        options.dab = try DABOptions.writerOptions(arguments)
        options.adts.hasCRC = arguments.has("crc")
        options.adts.isMPEG2 = arguments.has("mpeg2")
        try arguments.exclude("no-delay", "dab")
        options.omitsDelay = arguments.has("no-delay")
        options.storesLoudness = arguments.has("loudness")
        return options
    }

    /// Throws if ADTS options were given for another container.
    static func refuseADTSOptions(_ arguments: ParsedArguments) throws(CommandFailure) {
        if arguments.has("crc") || arguments.has("mpeg2") { throw arguments.failure("--crc and --mpeg2 apply to ADTS (.aac) only") }
    }
}
