// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

import AACCodec
import AudioContainers
import AudioFiles
import PCMFiles

/// `linnet encode`: makes AAC files of PCM files.
enum EncodeCommand: Subcommand {
    static let name = "encode"
    static let summary = "make AAC of sound files"
    static let usage = "IN... [-o OUT] [-b RATE | -q QUALITY] [OPTIONS]"
    static let options =
        [
            CommandOption("output", short: "o", value: "OUT", help: "file, folder for several inputs, or - for standard output"),
            CommandOption("bitrate", short: "b", value: "RATE", help: "bits a second: 128k, 96000 (64k a channel at 48 kHz)"),
            CommandOption("quality", short: "q", value: "0-100", help: "variable bit rate with this quality (table below)"),
            CommandOption("cbr", help: "constant bit rate, for links of fixed rate"),
            CommandOption("abr", help: "average bit rate (the default with -b)"),
            ProfileOption.profile,
            ProfileOption.signaling,
            CommandOption("effort", value: "EFFORT", help: "fast, balanced (default) or best"),
            CommandOption("preset", value: "NAME", help: AudioPreset.all.map { "\($0.name): \($0.summary)" }.joined(separator: "\n")),
            CommandOption(
                "container", value: "NAME", help: "adts, m4a, caf or loas, if not the one of OUT's extension\n(.aac .m4a .caf .loas)"),
            CommandOption("mono", help: "mix all channels to one"),
            CommandOption("resample", value: "HZ", help: "sample rate of the output, if not the preset's or the input's"),
            CommandOption("bandwidth", value: "HZ", help: "highest frequency coded, such as 16k"),
            CommandOption("crc", help: "put a checksum into every ADTS frame"),
            CommandOption("mpeg2", help: "call an ADTS stream MPEG-2 in its headers"),
            CommandOption("format", short: "f", value: "FORMAT", help: "input without a header: \(rawFormats)"),
            CommandOption("rate", short: "r", value: "HZ", help: "its sample rate (44100)"),
            CommandOption("channels", short: "c", value: "N", help: "its channels (2)"),
            CommandOption("silence-invalid", help: "take samples that are not a number for silence, not for an error"),
            CommandOption("force", help: "overwrite existing files"),
            CommandOption(
                "threads", value: "N", help: "threads in all (as many as there are processors); any number gives the\nsame bytes"),
            CommandOption("jobs", short: "j", value: "N", help: "inputs encoded at a time (as many as there are threads)"),
            CommandOption("json", help: "print the result as JSON"),
            CommandOption("quiet", help: "print nothing but errors"),
            CommandOption("verbose", short: "v", help: "log formats, reads and writes to standard error"),
        ] + TagOptions.options
    static let details = """
        Quality of stereo music in kb/s, at 44.1 or 48 kHz; mono speech takes about 60 %:
            0: 41   10: 52   20: 64   30: 79   40: 99   50: 116   60: 141   70: 171   80: 208   90: 259   100: 338
        IN is WAV, AIFF, CAF, FLAC, Ogg or, with --format, PCM without a header; - is standard input. OUT is ADTS, named after
        IN if nothing is said; M4A and CAF also tell players what to skip at the start and the end. OUT appears under its name
        only when it is whole, and replaces nothing without --force.
        """
    static let examples = [
        (command: "linnet encode song.wav", meaning: "makes song.aac"),
        (command: "linnet encode song.flac -o small.aac -b 64k", meaning: "at 64 kb/s"),
        (command: "linnet encode song.wav -o song.m4a", meaning: "gapless, for phones and music players"),
        (command: "linnet encode song.wav -o stream.m4a -b 32k --profile he-v2", meaning: "HE-AAC v2, for thin links"),
        (command: "linnet encode *.wav -o album/ -q 70 --effort best", meaning: "a whole folder, several files at a time"),
        (
            command: "arecord -q -f cd -d 10 | linnet encode - -o take.aac",
            meaning: "from another program, whatever length its header claims"
        ),
        (
            command: "linnet encode -f s16le -r 48000 -c 1 - -o - <in.pcm >out.aac",
            meaning: "raw PCM in, ADTS out, through pipes"
        ),
    ]

    private static var rawFormats: String { "u8, s8, s16, s24, s32, f32 or f64, with le or be" }

    static func run(_ arguments: ParsedArguments) throws -> ExitCode {
        guard !arguments.operands.isEmpty else { throw arguments.failure("no input to encode") }
        var options = try encoderOptions(arguments)
        options.tags = try TagOptions.tags(arguments)
        let plan = OutputPlan(arguments: arguments, container: options.container)
        let outputs = try plan.outputs(for: arguments.operands, option: arguments.text("output"))
        let threads = try arguments.integer("threads", in: 1...1024) ?? ParallelWork.processorCount
        let jobCount = min(try arguments.integer("jobs", in: 1...1024) ?? threads, arguments.operands.count)
        options.threadCount = max(1, threads / jobCount)
        let jobs = zip(arguments.operands, outputs).map { [options] in EncodeJob(input: $0, output: $1, options: options) }
        let report = EncodeReport(
            jobs: jobs, asJSON: arguments.has("json"), isQuiet: arguments.has("quiet"), isVerbose: arguments.has("verbose"))
        SignalWatcher.start { number in
            PartialFileRegistry.removeAll()
            report.interrupt()
            SignalWatcher.die(of: number)
        }
        ParallelWork.run(count: jobs.count, threadCount: jobCount) { index in
            report.begin(index)
            let log: ((String) -> Void)? = report.isVerbose ? { report.log($0) } : nil
            report.end(index, jobs[index].run(log: log) { report.update(index, $0) })
        }
        return try report.finish()
    }

    private static func encoderOptions(_ arguments: ParsedArguments) throws(CommandFailure) -> FileEncoderConfiguration {
        for (first, second) in [("bitrate", "quality"), ("cbr", "abr"), ("quality", "cbr"), ("quality", "abr")] {
            try arguments.exclude(first, second)
        }
        for (first, second) in [("preset", "bitrate"), ("preset", "quality"), ("json", "quiet")] { try arguments.exclude(first, second) }
        var options = FileEncoderConfiguration()
        options.rateControl = try rateControl(arguments)
        options.preset = try arguments.choice("preset", AudioPreset.all.map { ($0.name, $0) })
        options.profile = try ProfileOption.profile(arguments)
        options.signaling = try ProfileOption.signaling(arguments)
        try ProfileOption.checkSignaling(arguments, profile: options.profile ?? options.preset?.profile ?? .lowComplexity)
        options.effort = try arguments.choice("effort", [("fast", .fast), ("balanced", .balanced), ("best", .best)]) ?? .balanced
        options.bandwidth = try arguments.perSecond("bandwidth", example: "16000 or 16k")
        options.sampleRate = try arguments.perSecond("resample", example: "48000 or 48k")
        options.mixesToMono = arguments.has("mono")
        options.invalidSamples = arguments.has("silence-invalid") ? .silence : .throwError
        options.container = try arguments.choice("container", [("adts", .adts), ("m4a", .m4a), ("caf", .caf), ("loas", .loas)])
        options.adts.hasCRC = arguments.has("crc")
        options.adts.isMPEG2 = arguments.has("mpeg2")
        options.overwrites = arguments.has("force")
        options.raw = try rawInput(arguments)
        return options
    }

    private static func rateControl(_ arguments: ParsedArguments) throws(CommandFailure) -> AACEncoderConfiguration.RateControl? {
        if let quality = try arguments.number("quality", in: 0...100) { return .variable(quality: quality) }
        guard let bitRate = try arguments.perSecond("bitrate", example: "128k") else {
            if arguments.has("cbr") { throw arguments.failure("--cbr needs --bitrate") }
            return nil
        }
        if bitRate < 1000 { throw arguments.failure("--bitrate is in bits a second; \(bitRate) kb/s is written \(bitRate)k") }
        return arguments.has("cbr") ? .constant(bitRate: bitRate) : .average(bitRate: bitRate)
    }

    private static func rawInput(_ arguments: ParsedArguments) throws(CommandFailure) -> RawPCMInput? {
        let rate = try arguments.perSecond("rate", example: "44100 or 44.1k")
        let channels = try arguments.integer("channels", in: 1...256)
        guard let name = arguments.text("format") else {
            if rate != nil || channels != nil {
                throw arguments.failure("--rate and --channels describe an input without a header: add --format")
            }
            return nil
        }
        guard let encoding = SampleEncoding(name: name) else {
            throw arguments.failure("--format \(name) can't be used; it takes \(rawFormats)")
        }
        return RawPCMInput(encoding: encoding, sampleRate: rate ?? 44_100, channelCount: channels ?? 2)
    }
}
