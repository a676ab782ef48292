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
internal import SystemLibrary

/// `linnet decode`: decodes files of coded audio to PCM files.
enum DecodeCommand: Subcommand {
    static let name = "decode"
    static let summary = "decode AAC, Opus and Apple Lossless to WAV, FLAC, CAF or AIFF"
    static let usage = "IN... [-o OUT] [--sample-format F] [--range A-B] [OPTIONS]"
    static let options =
        [
            CommandOption.output.with(
                ": a file, a folder for several inputs, or - for standard output; else IN with the format's extension"),
            .format.with(": wav (default), flac, oga (FLAC in Ogg), caf, aiff or raw"),
            .force,
            .sampleFormat.with(": s16, s24 or f32 (default: s16, or s24 if a lossless input has more bits)"),
            .range,
            .channels.with(" (default: the input's); 1 and 2 mix more channels down"),
            LoudnessOptions.stated,
            RTPInput.latency,
            CommandOption("keep-delay", "keep the encoder delay and padding"),
            .jobs,
            .json,
            .quiet,
        ] + TagOptions.options
    static let details = """
        IN is ADTS, LOAS, M4A, MP4, 3GP, QuickTime, CAF, MPEG-TS, ADIF, DAB+ (.dabp), Ogg Opus or iLBC (.lbc), with AAC, Opus, Apple Lossless or iLBC;
        a session description (.sdp) is that of an RTP stream, which is decoded until it ends;
        - is standard input; linnet convert decodes any other file. Damaged access units are concealed, reported, and make the exit status 6.
        Tags and pictures are kept, and a note names those that OUT can't hold. A stream that changes its sample rate or channels is converted to those that it begins with.
        """
    static let examples = [
        (command: "linnet decode song.m4a", meaning: "decode to song.wav"),
        (command: "linnet decode *.m4a -o album/ --format flac", meaning: "several files at a time into a folder"),
        (command: "linnet decode song.aac -o - | aplay", meaning: "listen without a file"),
        (command: "linnet decode film.m4a --channels 2 --sample-format s24 -o film.flac", meaning: "5.1 to stereo, 24 bits"),
        (command: "linnet decode talk.m4a --range 1:30-2:00 -o part.wav", meaning: "a part of it"),
    ]

    /// The options that say nothing about a stream of RTP, which has no tags, no stated loudness and no end that is known.
    private static let optionsOfFiles = ["range", "channels", "keep-delay", "loudness"] + TagOptions.options.map(\.name)

    /// The part of a configuration that all inputs share.
    private struct Settings: Sendable {
        let decoder: FileDecoderConfiguration
        let file: PCMFileFormat?
        let sampleFormat: SampleFormat?
        let overwrites: Bool
        let loudness: Double?
        let tags: TagOptions
    }

    /// Decodes all inputs.
    static func run(_ arguments: ParsedArguments) throws -> ExitCode {
        guard !arguments.operands.isEmpty else { throw arguments.failure("no file to decode") }
        try OutputPlan.checkLastOperand(arguments) { PCMFileFormat(path: $0) != nil }
        let settings = try settings(arguments)
        let plan = OutputPlan(arguments: arguments, fileExtension: (settings.file ?? .wav).rawValue) { path throws(CommandFailure) in
            guard settings.file == nil, PathName.fileExtension(path) != nil, PCMFileFormat(path: path) == nil else { return }
            throw arguments.failure("\(path) has an unknown extension: use .wav, .flac, .caf, .aiff or .raw, or --format")
        }
        let outputs = try plan.outputs(for: arguments.operands.map { InputFile(path: $0) })
        if outputs.contains("-"), let file = settings.file, file == .aiff || file == .caf {
            throw arguments.failure("\(file.rawValue) can't be written to a pipe: use --format wav, flac or raw, or -o FILE")
        }
        let jobCount = min(try arguments.integer("jobs", in: 1...1024) ?? WorkerThreads.processorCount, arguments.operands.count)
        let jobs = try zip(arguments.operands, outputs).map { input, output in
            if let stream = try RTPInput.source(input, arguments) {
                for option in optionsOfFiles where arguments.has(option) {
                    throw arguments.failure("--\(option) is about a file; \(input) is the description of a stream")
                }
                return FileJob(input: input, output: output) {
                    let format = PCMOutputFormat(
                        settings.file ?? PCMFileFormat(path: output) ?? .wav, sampleFormat: settings.sampleFormat ?? .int16,
                        sampleRate: stream.sampleRate, channelCount: stream.channelCount)
                    return try StreamDecoding.decode(stream, input, to: output, format, overwrites: settings.overwrites, $0)
                }
            }
            return FileJob(input: input, output: output) { try decode(input, to: output, settings, $0) }
        }
        return try FileJobRunner(jobs, arguments, verb: "decoded").run(threadCount: jobCount)
    }

    /// Returns what the command line says for all inputs.
    private static func settings(_ arguments: ParsedArguments) throws(CommandFailure) -> Settings {
        var options = FileDecoderConfiguration()
        options.keepsFormat = true
        options.keepsDelay = arguments.has("keep-delay")
        options.range = try arguments.durationRange()
        switch try arguments.integer("channels", in: 1...2) {
        case 1: options.decoder.downmix = .mono
        case 2: options.decoder.downmix = .stereo
        default: break
        }
        let sampleFormats = [("s16", SampleFormat.int16), ("s24", .int24), ("f32", .float32)]
        if let name = arguments.text("format"), sampleFormats.contains(where: { $0.0 == name }) {
            throw arguments.failure("--format is the file format; the sample format is --sample-format \(name)")
        }
        return Settings(
            decoder: options, file: try arguments.choice("format", PCMFileFormat.allCases.map { ($0.rawValue, $0) }),
            sampleFormat: try arguments.choice("sample-format", sampleFormats), overwrites: arguments.has("force"),
            loudness: try LoudnessOptions.statedTarget(arguments),
            tags: try TagOptions(arguments))
    }

    /// Decodes one file.
    private static func decode(
        _ input: String, to output: String, _ settings: Settings, _ monitor: FileJobMonitor
    ) throws -> FileResult {
        let clock = ContinuousClock()
        let start = clock.now
        let decoder = try FileDecoder(path: input, configuration: settings.decoder)
        let format = settings.file ?? PCMFileFormat(path: output) ?? .wav
        let tags = OutputTags(
            settings.tags.tags, input: settings.tags.inheritsTags ? decoder.description.tags : nil, storage: format.tagStorage,
            range: settings.decoder.range)
        var buffer = PCMBuffer(sampleRate: 1, channelCount: 1, frameCapacity: 0)
        // An input without audio is named before an output that can't be written.
        var hasMore = try decoder.read(into: &buffer)
        let file = try OutputFile(path: output, overwrites: settings.overwrites, input: input)
        let target = DecodingTarget(output: file, file: format, sampleFormat: settings.sampleFormat, tags: tags.tags)
        var gain: Float?
        while hasMore {
            // In LOAS the stream states its loudness with the first access unit.
            if let loudness = settings.loudness, gain == nil { gain = try Self.gain(to: loudness, decoder, input) }
            if let gain { buffer.scale(by: gain) }
            try target.append(buffer, from: decoder)
            let seconds = Double(decoder.statistics.frameCount) / Double(max(1, buffer.sampleRate))
            let length = decoder.description.gaplessInfo?.validFrames
            monitor.progress(
                JobProgress(
                    seconds: seconds,
                    fraction: settings.decoder.range == nil
                        ? length.map { min(1, Double(decoder.statistics.frameCount) / Double(max(1, $0))) } : nil))
            hasMore = try decoder.read(into: &buffer)
        }
        if settings.decoder.range != nil, decoder.statistics.frameCount == 0 { throw AudioFileError(.emptyRange, path: input) }
        // All that was decoded may have been priming and padding; the buffer has the format nevertheless.
        try target.finish(buffer, from: decoder)
        return DecodeText(
            input: PathName.inputName(input), output: file.path, file: format, decoder: decoder, format: target.format,
            namesOfLostTags: tags.namesLost, elapsedSeconds: (clock.now - start) / .seconds(1)
        ).result
    }

    /// Returns the factor that gives a file a loudness by the one that it states; no more than its stated peak has room for.
    private static func gain(to target: Double, _ decoder: FileDecoder, _ input: String) throws(CommandFailure) -> Float {
        let stated = decoder.statedLoudness
        let tagged = decoder.description.tags.replayGain
        guard let integrated = stated?.integratedLoudness ?? tagged.map({ -18 - $0.gain }) else {
            throw CommandFailure(
                .refusedSettings, "\(PathName.inputName(input)) states no loudness; linnet convert --normalize measures it")
        }
        let room = stated?.peak.map { -$0 } ?? .infinity
        return Float(pow(10, min(target - integrated, max(0, room)) / 20))
    }
}

extension PCMBuffer {
    /// Multiplies all samples.
    fileprivate mutating func scale(by factor: Float) {
        let count = frameCount
        for channel in 0..<channelCount {
            var samples = mutableChannel(channel)
            for index in 0..<count { samples[index] *= factor }
        }
    }
}
