// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

import Linnet

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Decides where the output of each input goes.
enum OutputPlan {
    private static let encodedExtensions = ["aac", "adts"]

    /// One output an input, by the value of `--output`; makes the folder for several inputs if it is missing.
    static func outputs(
        for inputs: [String], option: String?, _ arguments: ParsedArguments
    ) throws(CommandFailure) -> [String] {
        guard inputs.filter({ $0 == "-" }).count <= 1 else { throw arguments.failure("standard input can be read only once") }
        if let option, inputs.count == 1, !option.hasSuffix("/"), !isFolder(option) {
            try check(option, arguments)
            return [option]
        }
        if option == nil, inputs == ["-"] {
            try check("-", arguments)
            return ["-"]
        }
        if inputs.contains("-") { throw arguments.failure("standard input has no name for its output: say -o FILE, and encode it alone") }
        if let option { try makeFolder(option, arguments) }
        let outputs = inputs.map { input in
            let name = withoutExtension(input) + ".aac"
            return option.map { ($0.hasSuffix("/") ? $0 : $0 + "/") + lastComponent(name) } ?? name
        }
        for (index, output) in outputs.enumerated() {
            if let other = outputs[..<index].firstIndex(of: output) {
                throw arguments.failure("\(inputs[other]) and \(inputs[index]) would both become \(output)")
            }
        }
        return outputs
    }

    private static func check(_ output: String, _ arguments: ParsedArguments) throws(CommandFailure) {
        if output == "-" {
            if StandardOutput.isTerminal { throw arguments.failure("AAC is nothing for a terminal: say -o FILE, or pipe it on") }
            if arguments.has("json") { throw arguments.failure("--json and -o - would both go to standard output") }
            return
        }
        let name = lastComponent(output)
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return }
        let ending = name[name.index(after: dot)...].lowercased()
        let others = ["m4a", "mp4", "m4b", "mov", "3gp", "caf", "loas", "latm", "wav", "flac", "mp3", "ogg", "opus", "aiff"]
        if others.contains(ending), !encodedExtensions.contains(ending) {
            throw arguments.failure("\(output) would be an ADTS stream under the name of another format: use .aac")
        }
    }

    private static func makeFolder(_ path: String, _ arguments: ParsedArguments) throws(CommandFailure) {
        if path == "-" { throw arguments.failure("several inputs can't go to standard output") }
        if isFolder(path) || mkdir(path, 0o777) == 0 { return }
        let code = errno
        if code == EEXIST { throw arguments.failure("\(path) is a file; several inputs need a folder") }
        throw CommandFailure(.unwritableOutput, OutputError.cannotCreate(path: path, code: code).description)
    }

    private static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    private static func lastComponent(_ path: String) -> String { path.split(separator: "/").last.map(String.init) ?? path }

    private static func withoutExtension(_ path: String) -> String {
        let name = lastComponent(path)
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return path }
        return String(path.dropLast(name.distance(from: dot, to: name.endIndex)))
    }
}
