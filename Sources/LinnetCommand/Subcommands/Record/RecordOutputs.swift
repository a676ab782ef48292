// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

import AudioContainers
import LiveAudio
import PCMFiles

/// Where `linnet record` writes to, each file in the format of its name.
enum RecordOutputs {
    /// Endings of formats that somebody could expect, and that can't be written.
    private static let foreign = ["mp3", "ogg", "opus", "mkv", "webm", "mov", "3gp", "ts"]

    static func sinks(_ arguments: ParsedArguments, output: String) throws -> [any RecorderSink] {
        let container = try arguments.choice(
            "container", [("adts", ContainerFormat.adts), ("m4a", .m4a), ("caf", .caf), ("loas", .loas)])
        var paths: [String] = []
        for path in [output] + arguments.texts("also") {
            guard !paths.contains(path) else { throw arguments.failure("\(path) is named twice") }
            paths.append(path)
        }
        if arguments.has("json"), paths.contains("-") { throw arguments.failure("--json and sound would both go to standard output") }
        let containers = paths.map { self.container(of: $0, asked: $0 == output ? container : nil) }
        if arguments.has("signaling"), !containers.contains(where: { $0 != nil && $0 != .adts }) {
            throw arguments.failure(
                "ADTS has no place to signal HE-AAC, decoders find it in the stream: leave out --signaling, or take M4A, CAF or LOAS")
        }
        return try zip(paths, containers).map { try sink($0, $1, arguments) }
    }

    private static func ending(of path: String) -> String? {
        path.split(separator: "/").last?.split(separator: ".", omittingEmptySubsequences: false).dropFirst().last.map(String.init)
    }

    /// The container that was asked for or that the name stands for; nil for files of samples and foreign ones.
    private static func container(of path: String, asked: ContainerFormat?) -> ContainerFormat? {
        let ending = ending(of: path)
        if let found = asked ?? ending.flatMap({ ContainerFormat(writableFileExtension: $0) }) { return found }
        let isOther = PCMFileFormat(path: path) != nil || foreign.contains(ending?.lowercased() ?? "")
        return path != "-" && isOther ? nil : .adts
    }

    private static func sink(_ path: String, _ container: ContainerFormat?, _ arguments: ParsedArguments) throws -> any RecorderSink {
        let overwrites = arguments.has("force")
        guard let container else {
            if let file = PCMFileFormat(path: path) { return PCMFileSink(path: path, file: file, overwrites: overwrites) }
            throw arguments.failure("\(path) has the name of a format that can't be written: use .aac, .m4a, .caf, .loas or .wav")
        }
        if container == .caf, path == "-" { throw arguments.failure("a CAF file can't go to a pipe") }
        return ContainerFileSink(path: path, container: container, overwrites: overwrites)
    }
}
