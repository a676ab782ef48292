// SPDX-License-Identifier: Apache-2.0

import AACCodec
import AudioConversion
import AudioFiles
import AudioPrimitives
import PCMFiles
import SystemFiles

/// `linnet convert`: converts audio files between formats.
package enum ConvertCommand: Subcommand {
    package static let name = "convert"
    package static let summary = "convert audio files between formats: PCM, FLAC, Apple Lossless, AAC, Opus, iLBC"
    package static let usage = "IN... -o OUT [OPTIONS]"
    package static let options =
        [
            CommandOption.output.with(
                ": a file, a folder for several inputs (with --format), or - for standard output (with --format)"),
            .format.with(": wav, aiff, caf, flac, oga (FLAC in Ogg), raw, adts, m4a, loas, ts, dabp, opus or lbc"),
            .force,
            .codec.with(
                ": pcm (default for .wav, .aiff, .caf, .flac and .raw), aac, opus (default for .opus), ilbc or alac (Apple Lossless)"),
            .sampleFormat.with(
                ": u8, s8, s16, s24, s32, f32 or f64, in raw with le or be (default: keeps all input bits)"),
            .rate.with(" (default: the input's, or the next higher supported one)"),
            CommandOption(
                "rate-quality", value: "NAME", "resampling quality: minimum, low, medium, high (default) or maximum"),
            .channels.with(" (default: the input's); channels are mixed by speaker position"),
            CommandOption(
                "channel-map", value: "LIST", "input channel, from 1, of each output channel: 2,1 swaps two; 0 is silence"
            ),
            CommandOption(
                "dither", value: "NAME",
                "dither when reducing bits: none, triangular (default for 16 and 8 bits) or shaped (less audible)"),
        ] + EncoderOptions.options(["bitrate": " (default: the codec's)"]) + [
            .range,
            .gain,
            LoudnessOptions.normalize,
            LoudnessOptions.truePeak,
            LoudnessOptions.loudness,
            LoudnessOptions.album,
            LoudnessOptions.target,
            LoudnessOptions.control,
            AudioTrackOption.option,
            RawInputOption.option,
            CommandOption.join.with(", without gaps; a join to AAC can be resumed"),
            SplitRule.option.with(", in the folder OUT; SIZE applies to PCM and FLAC, which counts as uncompressed"),
            SplitParts.silenceLevel,
            CommandOption("recursive", "include subfolders"),
            .jobs,
            .json,
            .quiet,
        ] + TagOptions.options
    package static let details = """
        IN is WAV, AIFF, CAF, FLAC, MP3, Ogg, Opus, M4A, MP4, 3GP, QuickTime, Matroska, WebM, ADTS, LOAS, MPEG-TS, DAB+, iLBC, a format that
        libsndfile reads, PCM without a header (--raw), or a folder, whose files keep their relative paths below OUT; - is standard input.

        Lossless conversions are bit-exact, and lengths are exact to the sample. Lossy input becomes f32, or s16 in FLAC and Apple Lossless,
        unless --sample-format is given. Tags and pictures are kept; a note lists those that OUT cannot store. Damage in the input is
        concealed and reported, with exit status 6.

        A --join of different sample rates or channel counts needs --rate or --channels. The same command resumes a --join to AAC after an
        interruption or a crash, with the same result: OUT.linnet-partial keeps the finished work until OUT is complete.
        """
    package static let examples = [
        (command: "linnet convert song.flac -o song.wav", meaning: "bit-exact, with the tags"),
        (command: "linnet convert take.wav -o cd.wav --rate 44100 --sample-format s16", meaning: "for a CD, with dither"),
        (command: "linnet convert song.flac -o song.m4a --codec alac", meaning: "Apple Lossless"),
        (command: "linnet convert film.m4a -o film.flac --channels 2", meaning: "5.1 to stereo"),
        (command: "linnet convert music -o phone/ --recursive --format m4a -b 128k", meaning: "a folder with its subfolders"),
        (command: "linnet convert part*.mp3 --join -o book.m4b", meaning: "a book with a chapter per file"),
        (command: "linnet convert intro.wav talk.mp3 --join -r 44100 -c 2 -o talk.m4a", meaning: "files of different formats"),
        (command: "linnet convert album.flac -o tracks/ --split chapters --chapters album.cue", meaning: "an album as tracks"),
        (command: "linnet convert song.m4a -o song.opus", meaning: "from one codec to another"),
        (command: "linnet convert talk.flac -o talk.wav --normalize -16LUFS", meaning: "at podcast loudness"),
        (command: "linnet convert --raw s24be,48000,2 - -o - --format wav <in.pcm | aplay", meaning: "through pipes"),
        (command: "linnet convert talk.wav -o talk.lbc", meaning: "iLBC, for telephony"),
    ]

    package static func run(_ arguments: ParsedArguments) throws -> ExitCode {
        guard !arguments.operands.isEmpty else { throw arguments.failure("missing input file") }
        try OutputPlan.checkLastOperand(arguments) { AudioFileFormat(path: $0) != nil }
        let configuration = try ConvertOptions.configuration(arguments)
        for option in ["split", "jobs"] + LoudnessOptions.decoding.map(\.name) { try arguments.exclude("join", option) }
        try arguments.exclude("normalize", LoudnessOptions.target.name)
        let rule = try SplitParts.rule(arguments)
        let threads = WorkerThreads.processorCount
        if arguments.has("join") {
            let jobs = try joiningJobs(arguments, configuration)
            return try FileJobRunner(jobs, arguments, verb: "converted").run(threadCount: 1, continuing: arguments.text("output"))
        }
        if let rule {
            let jobs = try splittingJobs(rule, arguments, configuration)
            let count = min(try arguments.integer("jobs", in: 1...1024) ?? threads, jobs.count)
            return try FileJobRunner(jobs, arguments, verb: "converted").run(threadCount: count)
        }
        let plan = OutputPlan(arguments: arguments, fileExtension: configuration.format?.fileExtension) { path throws(CommandFailure) in
            guard configuration.format == nil, AudioFileFormat(path: path) == nil else { return }
            throw ContainerOption.refusal(
                of: path, arguments, known: ".wav, .aiff, .caf, .flac, .oga, .raw, .aac, .m4a, .loas, .ts, .dabp, .opus or .lbc",
                isWritten: { _ in false }, by: "")
        }
        let inputs = try InputFiles(arguments)
        let outputs = try plan.outputs(for: inputs.files)
        if outputs.contains("-") { try ConvertOptions.checkPipe(arguments, configuration) }
        let jobCount = min(try arguments.integer("jobs", in: 1...1024) ?? threads, max(1, inputs.files.count))
        var settings = configuration
        settings.threadCount = max(1, threads / jobCount)
        let measured = settings
        try LoudnessOptions.setAlbum(
            of: &settings, arguments, zip(inputs.files, outputs).map { FileConverter(input: $0.path, output: $1, configuration: measured) })
        let unreadable = inputs.errors.map { error in FileJob(input: error.path, output: nil) { _ in throw error } }
        let jobs = zip(inputs.files, outputs).map { [settings] file, output in
            FileJob(input: file.path, output: output) { monitor in
                let converter = FileConverter(input: file.path, output: output, configuration: settings)
                return try convert(converter, PathName.inputName(file.path), monitor)
            }
        }
        return try FileJobRunner(unreadable + jobs, arguments, verb: "converted").run(threadCount: jobCount)
    }

    /// Converts an input and returns the text of its result.
    static func text(_ converter: FileConverter, _ name: String, _ monitor: FileJobMonitor) throws -> ConversionText {
        ConversionText(
            input: name, summary: try monitor.run(converter), isNormalized: converter.configuration.loudnessTarget != nil)
    }

    /// Converts an input.
    static func convert(_ converter: FileConverter, _ name: String, _ monitor: FileJobMonitor) throws -> FileResult {
        let text = try text(converter, name, monitor)
        var result = text.converted
        if converter.configuration.settings.profile == nil, let hint = text.profileHint { result.notes.append(hint) }
        return result
    }
}
