// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import AudioPrimitives
import PCMFiles
import SystemFiles

/// Chooses the output path of each input.
struct OutputPlan {
    /// The command line.
    ///
    /// It has the option `--output`.
    let arguments: ParsedArguments
    /// The extension, without the dot, of outputs named after their inputs; `nil` if the user must name them.
    let fileExtension: String?
    let check: (_ path: String) throws(CommandFailure) -> Void

    /// Returns the output path of each input, from `--output` or next to the input.
    ///
    /// For several inputs `--output` is a folder. Files found in folders keep their relative paths below it. Missing folders are created.
    func outputs(for files: [InputFile]) throws(CommandFailure) -> [String] {
        let inputs = files.map(\.path)
        guard inputs.filter({ $0 == "-" }).count <= 1 else { throw arguments.failure("standard input can be read only once") }
        let option = arguments.text("output")
        if files.count == 1, files[0].relativePath == nil {
            if let option, !option.hasSuffix("/"), !Folder.exists(option) {
                try checkAny(option)
                return [option]
            }
            if option == nil, inputs == ["-"] {
                try checkAny("-")
                return ["-"]
            }
        }
        if let option, AudioFileFormat(path: option) != nil, !option.hasSuffix("/"), !Folder.exists(option) {
            throw arguments.failure(
                "several inputs need an output folder; \(option) is a file name, \(option)/ a folder")
        }
        if inputs.contains("-") { throw arguments.failure("reading from standard input requires -o FILE and no other inputs") }
        guard let fileExtension else { throw arguments.failure("unknown output format; use --format") }
        if option == "-" { throw arguments.failure("cannot write several outputs to standard output") }
        let outputs = files.map { named($0, fileExtension) }
        try checkDistinct(outputs, of: inputs)
        if option != nil { for folder in Set(outputs.compactMap(PathName.parent)).sorted() { try createFolder(folder) } }
        return outputs
    }

    /// Returns the output of a file that is named after its input.
    private func named(_ file: InputFile, _ fileExtension: String) -> String {
        let name = PathName.replacingExtension(of: file.path, by: fileExtension)
        guard let option = arguments.text("output") else { return name }
        let relativeName = file.relativePath.map { PathName.replacingExtension(of: $0, by: fileExtension) }
        return PathName.folder(option) + (relativeName ?? PathName.lastComponent(name))
    }

    /// Throws if the last operand looks like an output path, as in other programs.
    ///
    /// That is the case if it has the extension of an output format and does not exist, or follows a single input of another format.
    static func checkLastOperand(_ arguments: ParsedArguments, isOutput: (String) -> Bool) throws(CommandFailure) {
        let operands = arguments.operands
        guard arguments.text("output") == nil, operands.count > 1, let last = operands.last, last != "-", isOutput(last) else { return }
        let isLonely = operands.count == 2 && PathName.fileExtension(operands[0]) != PathName.fileExtension(last)
        guard isLonely || (try? FileStatus(of: last)) == nil else { return }
        let inputs = operands.dropLast().joined(separator: " ")
        let command = operands.count == 2 ? "\(arguments.command) \(inputs) -o \(last)" : "-o FOLDER"
        throw arguments.failure("\(last) is read as an input; name the output with -o: \(command)")
    }

    private func checkDistinct(_ outputs: [String], of inputs: [String]) throws(CommandFailure) {
        var inputsByOutput: [String: String] = [:]
        let folder = Folder.current ?? "/"
        for (input, output) in zip(inputs, outputs) {
            if let other = inputsByOutput.updateValue(input, forKey: PathName.absolute(output, in: folder)) {
                throw arguments.failure("\(other) and \(input) would both become \(output)")
            }
        }
    }

    /// Whether no extension selects the output format: outputs are named after inputs or go to standard output.
    static func isUnnamed(_ arguments: ParsedArguments) -> Bool {
        guard let option = arguments.text("output"), option != "-" else { return true }
        return arguments.operands.count > 1 || option.hasSuffix("/") || Folder.exists(option)
    }

    /// Checks an output given by the user, or standard output.
    private func checkAny(_ output: String) throws(CommandFailure) {
        if output != "-" { try check(output) }
        try Self.checkStandardOutput(output, arguments)
    }

    /// Throws if an output is standard output and this is a terminal, or also gets the JSON.
    static func checkStandardOutput(_ output: String, _ arguments: ParsedArguments) throws(CommandFailure) {
        guard StandardOutput.isDestination(output) else { return }
        if StandardOutput.isTerminal { throw arguments.failure("cannot write audio to a terminal; use -o FILE, or a pipe") }
        if arguments.has("json") { throw arguments.failure("--json and -o \(output) would both write to standard output") }
    }

    /// Creates an output folder with its parents, if missing.
    static func make(folder path: String) throws(AudioFileError) {
        do throws(SystemFileError) {
            try Folder.create(path)
        } catch {
            throw AudioFileError(.cannotCreate(systemCode: error.systemCode), path: path)
        }
    }

    /// Creates a folder with its parents.
    private func createFolder(_ path: String) throws(CommandFailure) {
        do throws(AudioFileError) {
            try Self.make(folder: path)
        } catch {
            if (try? FileStatus(of: path)) != nil { throw arguments.failure("several inputs need an output folder; \(path) is a file") }
            throw CommandFailure(error)
        }
    }
}
