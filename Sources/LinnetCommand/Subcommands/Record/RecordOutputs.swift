// SPDX-License-Identifier: Apache-2.0

import AudioContainers
import AudioMetadata
import AudioPrimitives
import LiveAudio
import LiveStreaming
import PCMFiles

/// The outputs of `linnet record` and `linnet stream`: files, standard output and live servers.
struct RecordOutputs {
    /// The option for further outputs.
    static let also = CommandOption(
        "also", value: "OUT",
        "also write to this file or server (repeatable); .wav, .flac, .aiff and .raw files get PCM samples")

    let sinks: [RecorderSink]
    /// The live destinations among them.
    let streams: [StreamingSink]
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
    ///   - defaultName: The output without `--output`.
    init(_ arguments: ParsedArguments, defaultName: String) throws {
        // CAF holds AAC here.
        let pcmFormat = arguments.text("format").flatMap { name in
            AudioFileFormat.pcmFormats.first { $0.fileExtension == name && $0 != .caf }
        }
        let named = try pcmFormat ?? ContainerOption.named(arguments)
        let outputs = arguments.has("output") ? arguments.texts("output") : [defaultName]
        let texts = outputs + arguments.texts("also")
        if arguments.has("json"), let text = texts.first(where: { !StreamingAddress.isAddress($0) && StandardOutput.isDestination($0) }) {
            throw arguments.failure("--json and -o \(text) would both write to standard output")
        }
        var sinks: [RecorderSink] = []
        var containers: [AudioFileFormat?] = []
        var streams: [StreamingSink] = []
        let tags = try RecordTags(arguments)
        for (index, text) in texts.enumerated() {
            if StreamingAddress.isAddress(text) {
                let (sink, parts) = try StreamingOptions.sink(text, arguments)
                sinks.append(sink)
                streams += parts
            } else {
                let isNamed = index < outputs.count && named != nil
                let format = isNamed ? named : try Self.container(of: text, arguments)
                let container = isNamed && pcmFormat != nil ? nil : format
                containers.append(container)
                sinks.append(try Self.sink(text, container, isNamed ? pcmFormat : nil, tags, arguments))
            }
        }
        for (index, text) in texts.enumerated() where texts[..<index].contains(text) {
            throw arguments.failure("duplicate output \(sinks[index].name)")
        }
        if arguments.has("signaling"), !containers.contains(where: { $0?.supportsExplicitSignaling ?? false }) {
            throw arguments.failure("ADTS and MPEG-TS cannot signal HE-AAC explicitly; omit --signaling, or write M4A, CAF or LOAS")
        }
        self.sinks = sinks
        self.streams = streams
        container = containers.compactMap { $0 }.first
        name = sinks.first?.name ?? ""
        isLive =
            texts.contains { StreamingAddress.isAddress($0) && !$0.lowercased().hasPrefix("hls:") }
            || (!streams.isEmpty && arguments.text("hls-type") != "vod")
    }

    /// Returns the container for a path; `nil` for PCM files.
    private static func container(of path: String, _ arguments: ParsedArguments) throws(CommandFailure) -> AudioFileFormat? {
        // A CAF file holds AAC here.
        if let file = AudioFileFormat(pcmPath: path), file != .caf { return nil }
        return try ContainerOption.container(of: path, arguments)
    }

    private static func sink(
        _ path: String, _ container: AudioFileFormat?, _ pcmFormat: AudioFileFormat?, _ tags: RecordTags, _ arguments: ParsedArguments
    ) throws -> RecorderSink {
        let overwrites = arguments.has("force")
        guard let container else {
            let file = pcmFormat ?? AudioFileFormat(pcmPath: path) ?? .wav
            if file == .aiff, path == "-" { throw arguments.failure("cannot write AIFF to a pipe; use -f wav, flac or raw") }
            return .samples(
                to: PCMFileSink(path: path, file: file, tags: tags.tags(of: path, file.tagStorage), overwrites: overwrites))
        }
        if container == .caf, path == "-" { throw arguments.failure("cannot write CAF to a pipe") }
        let outputTags = tags.tags(of: path, container.tagStorage)
        let dab = container == .dab ? try DABOptions.writerOptions(arguments) : nil
        return .accessUnits(to: ContainerFileSink(path: path, container: container, tags: outputTags, dab: dab, overwrites: overwrites))
    }
}
