// SPDX-License-Identifier: Apache-2.0

import AudioConversion
import AudioFiles
import AudioPrimitives
import PCMFiles
import SystemFiles

/// `linnet convert`: converts audio files between formats.
package enum ConvertCommand: Subcommand {
    package static let name = "convert"
    package static let summary = "convert audio files of any format to any other: PCM, FLAC, AAC, Opus, iLBC"
    package static let usage = "IN... -o OUT [OPTIONS]"
    package static let options =
        [
            CommandOption.output.with(
                ": a file, a folder for several inputs (with --format), or - for standard output (with --format)"),
            .format.with(": wav, aiff, caf, flac, oga (FLAC in Ogg), raw, adts, m4a, loas, ts, opus or lbc"),
            .force,
            .codec.with(": pcm (default for .wav, .aiff, .caf, .flac and .raw), aac, opus (default for .opus) or ilbc"),
            .sampleFormat.with(
                ": u8, s8, s16, s24, s32, f32 or f64, in raw with le or be (default: what keeps all bits of the input)"),
            .rate.with(" (default: the input's, or the next higher one that the codec supports)"),
            CommandOption(
                "rate-quality", value: "NAME", "precision of a change of the sample rate: minimum, low, medium, high (default) or maximum"),
            .channels.with(" (default: the input's); channels are mixed by their speakers"),
            CommandOption(
                "channel-map", value: "LIST", "the input's channel, counted from 1, for each one of the output: 2,1 swaps two; 0 is silence"
            ),
            CommandOption(
                "dither", value: "NAME",
                "noise where bits are lost: none, triangular (default for 16 and 8 bits) or shaped, which is less audible"),
        ] + EncoderOptions.options(["bitrate": " (default: the codec's)"]) + [
            .range,
            LoudnessOptions.normalize,
            LoudnessOptions.truePeak,
            RawInputOption.option,
            CommandOption(
                "join",
                "all inputs as one file without gaps, a chapter each, with the tags of the first; of AAC, an interrupted run is continued"),
            CommandOption("split", value: "chapters", "a file for each chapter of the input, into the folder OUT"),
            CommandOption("recursive", "convert the files in folders within folders too"),
            .jobs,
            .json,
            .quiet,
        ] + TagOptions.options
    package static let details = """
        IN is WAV, AIFF, CAF, FLAC, MP3, Ogg, Opus, M4A, MP4, 3GP, QuickTime, ADTS, LOAS, MPEG-TS, DAB+, a format that libsndfile reads, PCM
        without a header (--raw), or a folder of them, whose files keep their places below OUT; - is standard input.

        Where nothing has to be lost, samples are exact to the bit, and lengths to the sample. Samples from a lossy codec become f32, in FLAC
        s16, unless --sample-format says otherwise. Tags and pictures are kept, and a note names those that OUT can't hold. A damaged input is converted with
        its damage concealed, which is reported and makes the exit status 6.

        A --join to AAC that was interrupted, also by a crash, is continued by the same command, with the same result: OUT.linnet-partial keeps what is
        done until OUT is complete.
        """
    package static let examples = [
        (command: "linnet convert song.flac -o song.wav", meaning: "exact to the bit, with the tags"),
        (command: "linnet convert take.wav -o cd.wav --rate 44100 --sample-format s16", meaning: "for a CD, with dither"),
        (command: "linnet convert film.m4a -o film.flac --channels 2", meaning: "5.1 to stereo"),
        (command: "linnet convert music -o phone/ --recursive --format m4a -b 128k", meaning: "a folder of folders"),
        (command: "linnet convert part*.mp3 --join -o book.m4b", meaning: "a book with a chapter for each file"),
        (command: "linnet convert album.flac -o tracks/ --split chapters --chapters album.cue", meaning: "an album as tracks"),
        (command: "linnet convert song.m4a -o song.opus", meaning: "from one codec to another"),
        (command: "linnet convert talk.flac -o talk.wav --normalize -16LUFS", meaning: "with the loudness of podcasts"),
        (command: "linnet convert --raw s24be,48000,2 - -o - --format wav <in.pcm | aplay", meaning: "through pipes"),
        (command: "linnet convert talk.wav -o talk.lbc", meaning: "iLBC, for telephony"),
    ]

    /// Converts all inputs.
    package static func run(_ arguments: ParsedArguments) throws -> ExitCode {
        guard !arguments.operands.isEmpty else { throw arguments.failure("no file to convert") }
        try OutputPlan.checkLastOperand(arguments) { AudioFileFormat(path: $0) != nil }
        let configuration = try ConvertOptions.configuration(arguments)
        try arguments.exclude("join", "split")
        _ = try arguments.choice("split", [("chapters", true)])
        let threads = WorkerThreads.processorCount
        if arguments.has("join") {
            let jobs = try joiningJobs(arguments, configuration)
            return try FileJobRunner(jobs, arguments, verb: "converted").run(threadCount: 1, continuing: arguments.text("output"))
        }
        if arguments.text("split") != nil {
            let jobs = try splittingJobs(arguments, configuration)
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
        let unreadable = inputs.errors.map { error in FileJob(input: error.path, output: nil) { _ in throw error } }
        let jobs = zip(inputs.files, outputs).map { [settings] file, output in
            FileJob(input: file.path, output: output) { monitor in
                let converter = FileConverter(input: file.path, output: output, configuration: settings)
                return try convert(converter, PathName.inputName(file.path), monitor)
            }
        }
        return try FileJobRunner(unreadable + jobs, arguments, verb: "converted").run(threadCount: jobCount)
    }

    /// Converts an input.
    ///
    /// - Parameter name: The name of the input in messages.
    static func convert(_ converter: FileConverter, _ name: String, _ monitor: FileJobMonitor) throws -> FileResult {
        ConversionText(input: name, summary: try monitor.run(converter)).converted
    }
}
