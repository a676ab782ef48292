// SPDX-License-Identifier: Apache-2.0

import AudioContainers
import AudioConversion
import AudioMetadata
import AudioPrimitives
import LiveAudio
import LiveStreaming
import PCMFiles
import SystemFiles

/// The outputs of `linnet record` and `linnet stream`: files, standard output and live servers.
struct RecordOutputs {
    /// The option for further outputs.
    static let also = CommandOption(
        "also", value: "OUT",
        "also write to this file or server (repeatable); .wav, .flac, .aiff and .raw files get PCM samples")

    let sinks: [RecorderSink]
    /// The live destinations among them.
    let streams: [StreamingSink]
    let files: [String]
    /// The name of the first output for messages, without secrets.
    let name: String
    /// The container of the first encoded file, if any.
    let container: AudioFileFormat?
    /// Whether an output is written in real time: a server or a live playlist.
    let isLive: Bool

    /// Creates the sinks after checking all outputs.
    ///
    /// - Parameters:
    ///   - arguments: The command line.
    ///   - defaultName: Returns the output without `--output`, for a format.
    init(_ arguments: ParsedArguments, defaultName: (AudioFileFormat) -> String, sources: RecordSources) throws {
        let named =
            try arguments.text("format").flatMap { name in
                AudioFileFormat.pcmFormats.first { $0.fileExtension == name && Self.holdsSamples($0) }
            } ?? ContainerOption.named(arguments)
        let outputs = arguments.has("output") ? arguments.texts("output") : [defaultName(named ?? .adts)]
        let texts = outputs + arguments.texts("also")
        if arguments.has("json"), let text = texts.first(where: { !StreamingAddress.isAddress($0) && StandardOutput.isDestination($0) }) {
            throw arguments.failure("--json and -o \(text) would both write to standard output")
        }
        try StreamingOptions.refuse(arguments, for: outputs, also: arguments.texts("also"))
        var sinks: [RecorderSink] = []
        var sampleFormats: [AudioFileFormat] = []
        var containers: [AudioFileFormat] = []
        var streams: [StreamingSink] = []
        var files: [String] = []
        var written: Set<String> = []
        let tags = try RecordTags(arguments)
        for (index, text) in texts.enumerated() {
            let arrangement = SinkArrangement(text, sources, index: index)
            let isAddress = StreamingAddress.isAddress(text)
            let isDuplicate = (isAddress ? [text] : arrangement.paths).map(Self.fullName).contains { !written.insert($0).inserted }
            if isAddress {
                let (sink, parts) = try StreamingOptions.sink(text, arguments)
                // The sink's name has no secrets.
                if isDuplicate { throw arguments.failure("duplicate output \(sink.name)") }
                sinks.append(try arrangement.wrap(sink, arguments))
                streams += parts
            } else {
                if isDuplicate { throw arguments.failure("duplicate output \(text)") }
                files += arrangement.paths.filter { $0 != "-" }
                let format = try (index < outputs.count ? named : nil) ?? Self.format(of: text, arguments)
                if Self.holdsSamples(format) { sampleFormats.append(format) } else { containers.append(format) }
                sinks += try arrangement.sinks(format, isCoded: !Self.holdsSamples(format), arguments) { path throws in
                    try Self.sink(path, format, tags, arguments)
                } makeTracks: { names in
                    let tags = tags.tags(of: text, format.tagStorage)
                    return RecorderSink.tracks(text, names: names, format: format, tags: tags, overwrites: arguments.has("force"))
                }
            }
        }
        if containers.isEmpty, streams.isEmpty, let format = sampleFormats.first {
            try EncoderOptions.refuse(arguments, for: format, others: [])
        }
        if arguments.has("signaling"), !containers.contains(where: \.supportsExplicitSignaling) {
            throw arguments.failure("ADTS and MPEG-TS cannot signal HE-AAC explicitly; omit --signaling, or write M4A, CAF or LOAS")
        }
        for option in ["split", "split-at"] where arguments.has(option) && texts.allSatisfy({ $0 == "-" || StreamingAddress.isAddress($0) })
        {
            throw arguments.failure("--\(option) needs an output file; use -o FILE or --also FILE")
        }
        self.sinks = sinks
        self.streams = streams
        self.files = files
        container = containers.first
        name = sinks.first?.name ?? ""
        isLive =
            texts.contains { StreamingAddress.isAddress($0) && !$0.lowercased().hasPrefix("hls:") }
            || (!streams.isEmpty && arguments.text("hls-type") != "vod")
    }

    /// Checks the addresses of live servers against the codec.
    func check(_ codec: FileCodec, _ arguments: ParsedArguments) throws(CommandFailure) {
        if case .alac = codec, !streams.isEmpty { throw arguments.failure("live servers receive AAC or Opus; use --codec aac or opus") }
        let isOpus = if case .opus = codec { true } else { false }
        do throws(StreamingError) {
            for stream in streams { try stream.check(isOpus: isOpus) }
        } catch {
            throw arguments.failure(error.description)
        }
    }

    /// Returns an output with its absolute path if it is a file or an HLS folder, or `-` if it leads to standard output.
    private static func fullName(_ output: String) -> String {
        if output.lowercased().hasPrefix("hls:") { return "hls:" + fullName(String(output.dropFirst(4))) }
        if StreamingAddress.isAddress(output) { return output }
        return StandardOutput.isDestination(output) ? "-" : PathName.absolute(output, in: Folder.current ?? "/")
    }

    /// Whether a format records PCM samples.
    ///
    /// CAF records AAC here.
    private static func holdsSamples(_ format: AudioFileFormat) -> Bool { format.isPCM && format != .caf }

    private static func format(of path: String, _ arguments: ParsedArguments) throws(CommandFailure) -> AudioFileFormat {
        if let format = AudioFileFormat(pcmPath: path), holdsSamples(format) { return format }
        return try ContainerOption.container(of: path, arguments)
    }

    private static func sink(
        _ text: String, _ format: AudioFileFormat, _ tags: RecordTags, _ arguments: ParsedArguments
    ) throws -> RecorderSink {
        let (path, isPattern) = try SplitOptions.path(text, arguments)
        let overwrites = arguments.has("force")
        let outputTags = tags.tags(of: path, format.tagStorage)
        if holdsSamples(format) {
            if format == .aiff, path == "-" { throw arguments.failure("cannot write AIFF to a pipe; use -f wav, flac or raw") }
            return .samples(
                to: PCMFileSink(path: path, file: format, tags: outputTags, overwrites: overwrites, isPattern: isPattern))
        }
        if format == .caf, path == "-" { throw arguments.failure("cannot write CAF to a pipe") }
        let dab = format == .dab ? try DABOptions.writerOptions(arguments) : nil
        return .accessUnits(
            to: ContainerFileSink(
                path: path, container: format, tags: outputTags, dab: dab, overwrites: overwrites, isPattern: isPattern))
    }
}
