// SPDX-License-Identifier: Apache-2.0

import AudioMetadata
import AudioPrimitives
import LiveAudio
import SystemFiles

/// The sinks of one output, by the layout of its sources.
struct SinkArrangement {
    private let output: String
    private let names: [String]
    private let layout: RecordSources.Layout

    /// Creates an arrangement for the output with an index on the command line.
    init(_ output: String, _ sources: RecordSources, index: Int) {
        self.output = output
        names = sources.sources.map(\.name)
        layout = sources.areSeveral ? sources.layout(ofOutput: index) : .channels
    }

    /// Returns a live sink with the signal that it receives.
    func wrap(_ sink: RecorderSink, _ arguments: ParsedArguments) throws(CommandFailure) -> RecorderSink {
        try checkChannels(isCoded: true, arguments)
        switch layout {
        case .channels: return sink
        case .mix: return .signal(.mix, sink)
        case .tracks, .files: throw arguments.failure("\(sink.name) receives one signal; use --layout mix or channels for it")
        }
    }

    /// Returns the sinks of a file.
    ///
    /// - Parameters:
    ///   - makeSink: Returns the sink for a path.
    ///   - makeTracks: Returns the sinks of one file for the sources with these names.
    func sinks(
        _ format: AudioFileFormat, isCoded: Bool, _ arguments: ParsedArguments, _ makeSink: (_ path: String) throws -> RecorderSink,
        makeTracks: (_ names: [String]) -> [RecorderSink]
    ) throws -> [RecorderSink] {
        try checkChannels(isCoded: isCoded, arguments)
        switch layout {
        case .channels: return [try makeSink(output)]
        case .mix: return [.signal(.mix, try makeSink(output))]
        case .files:
            guard output != "-" else { throw arguments.failure("--layout files needs a file name; standard output takes one file") }
            return try zip(names, paths).map { .signal(.source($0), try makeSink($1)) }
        case .tracks:
            let isOneFile = ["split", "split-at", "start-level"].allSatisfy { !arguments.has($0) }
            guard isOneFile, try !SplitOptions.path(output, arguments).isPattern else {
                throw arguments.failure(
                    "--layout tracks writes one file from the start; use --layout files with --split, --start-level or a dated name")
            }
            guard format == .m4a || format == .fragmentedM4A else {
                throw arguments.failure("--layout tracks needs M4A; use -o NAME.m4a, or --layout files for \(output)")
            }
            return makeTracks(names)
        }
    }

    /// The paths of the output's files, if it is not a server.
    var paths: [String] {
        layout == .files ? names.map { PathName.inserting("-\($0)", beforeExtensionOf: output) } : [output]
    }

    /// A lossy codec assigns speakers to more than two channels, and cuts off the high frequencies of some.
    private func checkChannels(isCoded: Bool, _ arguments: ParsedArguments) throws(CommandFailure) {
        guard isCoded, layout == .channels, names.count > 2 else { return }
        throw arguments.failure("--layout channels of \(names.count) sources needs WAV, FLAC or AIFF; use --layout tracks, files or mix")
    }
}
