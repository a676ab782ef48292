// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import PCMFiles
import SystemFiles

/// An input file, named on the command line or found in a folder.
struct InputFile: Sendable {
    /// The file's path; `-` is standard input.
    var path: String
    /// The path below the named folder; `nil` for a file named directly.
    var relativePath: String?
}

/// The input files of a command.
///
/// Folders are replaced by the audio files in them.
struct InputFiles {
    /// The files, sorted by name within a folder.
    var files: [InputFile] = []
    /// The errors of unreadable subfolders.
    var errors: [AudioFileError] = []

    /// Finds the files.
    ///
    /// `--recursive` includes subfolders, except the output folder.
    ///
    /// - Throws: An error if a named folder cannot be read or has no audio files.
    init(_ arguments: ParsedArguments) throws {
        let isRecursive = arguments.has("recursive")
        for operand in arguments.operands {
            guard operand != "-", Folder.exists(operand) else {
                files.append(InputFile(path: operand))
                continue
            }
            let scan = try FolderScan(operand, isRecursive: isRecursive, excluding: arguments.text("output"))
            if scan.files.isEmpty, scan.errors.isEmpty {
                let hint = isRecursive ? "" : "; --recursive includes subfolders"
                throw CommandFailure(.unsuitableInput, "no audio files in \(operand)\(hint)")
            }
            files += scan.files.map { InputFile(path: $0.path, relativePath: $0.relativePath) }
            errors += scan.errors
        }
    }
}
