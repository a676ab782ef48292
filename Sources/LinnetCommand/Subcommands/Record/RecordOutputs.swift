// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

import AudioContainers
import LiveAudio
import PCMFiles

/// The outputs of `linnet record`, each in the format of its name.
enum RecordOutputs {
    /// Returns a sink for each output; all outputs are checked before any is created.
    static func sinks(_ arguments: ParsedArguments, output: String) throws(CommandFailure) -> [RecorderSink] {
        let named = try ContainerOption.named(arguments)
        var paths: [String] = []
        for path in [output] + arguments.texts("also") {
            guard !paths.contains(path) else { throw arguments.failure("\(path) is named twice") }
            paths.append(path)
        }
        if arguments.has("json"), paths.contains("-") { throw arguments.failure("--json and -o - would both write to standard output") }
        var containers: [ContainerFormat?] = []
        for path in paths { containers.append(path == output && named != nil ? named : try container(of: path, arguments)) }
        if arguments.has("signaling"), !containers.contains(where: { $0?.supportsExplicitSignaling ?? false }) {
            throw arguments.failure("ADTS and MPEG-TS can't signal HE-AAC explicitly: leave out --signaling, or write M4A, CAF or LOAS")
        }
        var sinks: [RecorderSink] = []
        for (path, container) in zip(paths, containers) { sinks.append(try sink(path, container, arguments)) }
        return sinks
    }

    /// Returns the container that a name stands for; nil for PCM files.
    private static func container(of path: String, _ arguments: ParsedArguments) throws(CommandFailure) -> ContainerFormat? {
        // A CAF file holds AAC here.
        if let file = PCMFileFormat(path: path), file != .caf { return nil }
        return try ContainerOption.container(of: path, arguments)
    }

    /// Returns the sink for an output.
    private static func sink(
        _ path: String, _ container: ContainerFormat?, _ arguments: ParsedArguments
    ) throws(CommandFailure) -> RecorderSink {
        let overwrites = arguments.has("force")
        guard let container else {
            return .pcm(PCMFileSink(path: path, file: PCMFileFormat(path: path) ?? .wav, overwrites: overwrites))
        }
        if container == .caf, path == "-" { throw arguments.failure("a CAF file can't be written to a pipe") }
        return .coded(ContainerFileSink(path: path, container: container, overwrites: overwrites))
    }
}
