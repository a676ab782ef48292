// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

import AudioContainers
import Linnet
import PCMFiles

/// Where `linnet record` writes to, each file in the format of its name.
enum RecordOutputs {
    /// Endings of formats that somebody could expect, and that can't be written.
    private static let foreign = ["mp3", "ogg", "opus", "mkv", "webm", "mov", "3gp", "ts"]

    static func sinks(_ arguments: ParsedArguments, output: String) throws -> [any RecorderSink] {
        let container = try arguments.choice(
            "container", [("adts", WritableContainer.adts), ("m4a", .m4a), ("caf", .caf), ("loas", .loas)])
        var paths: [String] = []
        for path in [output] + arguments.texts("also") {
            guard !paths.contains(path) else { throw arguments.failure("\(path) is named twice") }
            paths.append(path)
        }
        if arguments.has("json"), paths.contains("-") { throw arguments.failure("--json and sound would both go to standard output") }
        return try paths.map { try sink($0, container: $0 == output ? container : nil, arguments) }
    }

    private static func sink(_ path: String, container: WritableContainer?, _ arguments: ParsedArguments) throws -> any RecorderSink {
        let overwrites = arguments.has("force")
        let ending = path.split(separator: "/").last?.split(separator: ".", omittingEmptySubsequences: false).dropFirst().last
        let named = ending.map(String.init).flatMap { WritableContainer(fileExtension: $0) }
        if container == nil, named == nil, path != "-" {
            if let file = PCMFileFormat(path: path) { return PCMFileSink(path: path, file: file, overwrites: overwrites) }
            if let ending, foreign.contains(ending.lowercased()) {
                throw arguments.failure("\(path) has the name of a format that can't be written: use .aac, .m4a, .caf, .loas or .wav")
            }
        }
        let chosen = container ?? named ?? .adts
        if chosen == .caf, path == "-" { throw arguments.failure("a CAF file can't go to a pipe") }
        if chosen == .adts { return ADTSFileSink(path: path, overwrites: overwrites) }
        return ContainerFileSink(path: path, container: chosen, overwrites: overwrites)
    }
}
