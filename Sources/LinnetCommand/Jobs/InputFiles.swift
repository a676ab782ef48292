// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import PCMFiles
import SystemFiles

/// A file to work on: named on the command line, or found in a folder.
struct InputFile: Sendable {
    /// The file's path; `-` is standard input.
    var path: String
    /// The path below the folder that was named; nil for a file that was named itself.
    var relativePath: String?
}

/// The files that the operands of a command name, folders replaced by the audio files in them.
struct InputFiles {
    /// The files, those of a folder in the order of their names.
    var files: [InputFile] = []
    /// The errors of folders in a folder that can't be read.
    var errors: [AudioFileError] = []

    /// Finds the files; `--recursive` includes folders in folders, and the folder of the output is left out.
    ///
    /// - Throws: An error if a folder that was named can't be read, or holds no audio file.
    init(_ arguments: ParsedArguments) throws {
        let isRecursive = arguments.has("recursive")
        for operand in arguments.operands {
            guard operand != "-", Folder.exists(operand) else {
                files.append(InputFile(path: operand))
                continue
            }
            let scan = try FolderScan(operand, isRecursive: isRecursive, excluding: arguments.text("output"))
            if scan.files.isEmpty, scan.errors.isEmpty {
                let hint = isRecursive ? "" : "; --recursive looks into the folders in it"
                throw CommandFailure(.unsuitableInput, "\(operand) holds no audio files\(hint)")
            }
            files += scan.files.map { InputFile(path: $0.path, relativePath: $0.relativePath) }
            errors += scan.errors
        }
    }
}
