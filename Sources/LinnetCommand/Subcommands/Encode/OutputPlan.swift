// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

import AudioContainers
import AudioFiles

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Decides where the output of each input goes.
struct OutputPlan {
    let arguments: ParsedArguments
    /// The container asked for by name.
    let container: ContainerFormat?

    /// One output an input, by the value of `--output`; makes the folder for several inputs if it is missing.
    func outputs(for inputs: [String], option: String?) throws(CommandFailure) -> [String] {
        guard inputs.filter({ $0 == "-" }).count <= 1 else { throw arguments.failure("standard input can be read only once") }
        if let option, inputs.count == 1, !option.hasSuffix("/"), !isFolder(option) {
            try check(option)
            return [option]
        }
        if option == nil, inputs == ["-"] {
            try check("-")
            return ["-"]
        }
        if inputs.contains("-") { throw arguments.failure("standard input has no name for its output: say -o FILE, and encode it alone") }
        if let option { try makeFolder(option) }
        let outputs = inputs.map { input in
            let name = withoutExtension(input) + fileExtension
            return option.map { ($0.hasSuffix("/") ? $0 : $0 + "/") + lastComponent(name) } ?? name
        }
        for (index, output) in outputs.enumerated() {
            if let other = outputs[..<index].firstIndex(of: output) {
                throw arguments.failure("\(inputs[other]) and \(inputs[index]) would both become \(output)")
            }
        }
        return outputs
    }

    private func check(_ output: String) throws(CommandFailure) {
        if output == "-" {
            if StandardOutput.isTerminal { throw arguments.failure("AAC is nothing for a terminal: say -o FILE, or pipe it on") }
            if arguments.has("json") { throw arguments.failure("--json and -o - would both go to standard output") }
            return
        }
        let name = lastComponent(output)
        guard container == nil, let dot = name.lastIndex(of: "."), dot != name.startIndex else { return }
        let ending = name[name.index(after: dot)...].lowercased()
        if ["wav", "flac", "mp3", "ogg", "opus", "aiff", "mkv", "webm", "mov", "3gp", "ts"].contains(ending) {
            throw arguments.failure("\(output) has the name of a format that can't be written: use .aac, .m4a, .caf or .loas")
        }
        if ContainerFormat(writableFileExtension: ending) ?? .adts != .adts, arguments.has("crc") || arguments.has("mpeg2") {
            throw arguments.failure("--crc and --mpeg2 are for ADTS (.aac)")
        }
    }

    private var fileExtension: String { "." + (container ?? .adts).fileExtension }

    private func makeFolder(_ path: String) throws(CommandFailure) {
        if path == "-" { throw arguments.failure("several inputs can't go to standard output") }
        if isFolder(path) || mkdir(path, 0o777) == 0 { return }
        let code = errno
        if code == EEXIST { throw arguments.failure("\(path) is a file; several inputs need a folder") }
        throw CommandFailure(.unwritableOutput, OutputError.cannotCreate(path: path, code: code).description)
    }

    private func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    private func lastComponent(_ path: String) -> String { path.split(separator: "/").last.map(String.init) ?? path }

    private func withoutExtension(_ path: String) -> String {
        let name = lastComponent(path)
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return path }
        return String(path.dropLast(name.distance(from: dot, to: name.endIndex)))
    }
}
