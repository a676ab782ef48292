// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

import AudioFiles

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// A file to work on: named on the command line, or found in a folder.
struct InputFile: Sendable {
    /// The file's path; `-` is standard input.
    var path: String
    /// The folder between the one that was named and the file, with a slash at its end or empty; nil for a file that was named itself.
    var subfolder: String?
}

/// Finds the audio files in folders.
enum FolderContents {
    /// The levels of folders that are entered.
    private static let depthLimit = 64

    /// Returns all files that the operands name, folders replaced by the audio files in them, in the order of their names.
    ///
    /// Hidden files and folders, symbolic links to folders, and the folder of the output are left out.
    ///
    /// - Throws: An error if a folder can't be read, or holds no audio file.
    static func files(of operands: [String], _ arguments: ParsedArguments) throws -> [InputFile] {
        let output = arguments.text("output").flatMap(identity)
        var files: [InputFile] = []
        for operand in operands {
            guard operand != "-", isFolder(operand) else {
                files.append(InputFile(path: operand))
                continue
            }
            let before = files.count
            let base = PathName.folder(operand)
            try collect(base, "", depth: arguments.has("recursive") ? depthLimit : 0, except: output, &files)
            if files.count == before {
                let hint = arguments.has("recursive") ? "" : "; --recursive looks into the folders in it"
                throw CommandFailure(.unsuitableInput, "\(operand) holds no audio files\(hint)")
            }
        }
        return files
    }

    /// Adds the files of a folder, and of those in it down to a depth.
    private static func collect(
        _ base: String, _ subfolder: String, depth: Int, except output: Identity?, _ files: inout [InputFile]
    ) throws {
        for name in try names(in: base + subfolder) {
            let path = base + subfolder + name
            if isFolder(path) {
                guard depth > 0, !isLink(path), identity(path) != output else { continue }
                try collect(base, subfolder + name + "/", depth: depth - 1, except: output, &files)
            } else if ReadableFiles.hasAudioExtension(name) {
                files.append(InputFile(path: path, subfolder: subfolder))
            }
        }
    }

    /// Returns the names in a folder in order, without hidden ones.
    private static func names(in folder: String) throws -> [String] {
        guard let stream = opendir(folder) else { throw AudioFileError(.cannotOpen(systemCode: errno), path: folder) }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: $0.pointee)) { String(cString: $0) }
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names.sorted()
    }

    /// The numbers by which the system knows a file.
    private struct Identity: Equatable {
        var device: dev_t
        var inode: ino_t
    }

    /// Returns the identity of a file; nil if there is none.
    private static func identity(_ path: String) -> Identity? {
        var status = stat()
        return stat(path, &status) == 0 ? Identity(device: status.st_dev, inode: status.st_ino) : nil
    }

    /// Whether a path names a folder.
    static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// Whether a path names a symbolic link.
    private static func isLink(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
    }
}
