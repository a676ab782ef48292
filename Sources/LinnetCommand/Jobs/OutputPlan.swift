// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

import AudioFiles

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Decides where the output of each input goes.
struct OutputPlan {
    /// The command line, with the option `--output`.
    let arguments: ParsedArguments
    /// The extension of outputs that are named after their inputs, without the dot; nil if the user has to name them.
    let fileExtension: String?
    /// Checks a path that the user named.
    let check: (_ path: String) throws(CommandFailure) -> Void

    /// Returns the output of each input, from the value of `--output` or beside the input; makes the folder for several inputs if it is
    /// missing.
    func outputs(for inputs: [String]) throws(CommandFailure) -> [String] {
        guard inputs.filter({ $0 == "-" }).count <= 1 else { throw arguments.failure("standard input can be read only once") }
        let option = arguments.text("output")
        if let option, inputs.count == 1, !option.hasSuffix("/"), !FolderContents.isFolder(option) {
            try checkAny(option)
            return [option]
        }
        if option == nil, inputs == ["-"] {
            try checkAny("-")
            return ["-"]
        }
        if inputs.contains("-") { throw arguments.failure("standard input has no name for its output: use -o FILE, and no other input") }
        guard let fileExtension else { throw arguments.failure("no format for the outputs: use --format") }
        if let option { try makeFolder(option) }
        let outputs = inputs.map { input in
            let name = PathName.replacingExtension(of: input, by: fileExtension)
            return option.map { PathName.folder($0) + PathName.lastComponent(name) } ?? name
        }
        try checkDistinct(outputs, of: inputs)
        return outputs
    }

    /// Returns the output of each file, some of which can come from folders: those have the same places below the folder of the outputs,
    /// which is made with the folders in it.
    func outputs(for files: [InputFile]) throws(CommandFailure) -> [String] {
        guard files.contains(where: { $0.subfolder != nil }) else { return try outputs(for: files.map(\.path)) }
        guard let fileExtension else { throw arguments.failure("no format for the outputs: use --format") }
        guard let option = arguments.text("output") else { return try outputs(for: files.map(\.path)) }
        let folder = PathName.folder(option)
        try makeFolder(option)
        let outputs = files.map { file in
            folder + (file.subfolder ?? "") + PathName.lastComponent(PathName.replacingExtension(of: file.path, by: fileExtension))
        }
        try checkDistinct(outputs, of: files.map(\.path))
        for subfolder in Set(files.compactMap(\.subfolder)).sorted() {
            var path = folder
            for part in subfolder.split(separator: "/") {
                path += part
                try makeFolder(path)
                path += "/"
            }
        }
        return outputs
    }

    /// Throws if two inputs would become one output.
    private func checkDistinct(_ outputs: [String], of inputs: [String]) throws(CommandFailure) {
        var inputsByOutput: [String: String] = [:]
        for (input, output) in zip(inputs, outputs) {
            if let other = inputsByOutput.updateValue(input, forKey: output) {
                throw arguments.failure("\(other) and \(input) would both become \(output)")
            }
        }
    }

    /// Whether outputs are named after their inputs, or go to standard output, so that no extension chooses their format.
    static func isUnnamed(_ arguments: ParsedArguments) -> Bool {
        guard let option = arguments.text("output"), option != "-" else { return true }
        return arguments.operands.count > 1 || option.hasSuffix("/") || FolderContents.isFolder(option)
    }

    /// Checks an output that the user named, or standard output.
    private func checkAny(_ output: String) throws(CommandFailure) {
        guard output == "-" else { return try check(output) }
        if StandardOutput.isTerminal { throw arguments.failure("audio can't go to a terminal: use -o FILE, or a pipe") }
        if arguments.has("json") { throw arguments.failure("--json and -o - would both write to standard output") }
    }

    /// Makes a folder unless it is there.
    private func makeFolder(_ path: String) throws(CommandFailure) {
        if path == "-" { throw arguments.failure("several inputs can't go to standard output") }
        if FolderContents.isFolder(path) || mkdir(path, 0o777) == 0 { return }
        let code = errno
        if code == EEXIST { throw arguments.failure("\(path) is a file; several inputs need a folder") }
        throw CommandFailure(AudioFileError(.cannotCreate(systemCode: code), path: path))
    }
}
