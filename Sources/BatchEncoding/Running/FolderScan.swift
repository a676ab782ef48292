// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

internal import AudioFiles

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Darwin)
internal import Darwin
#endif

/// An audio file that was found in a folder.
public struct FoundFile: Hashable, Sendable {
    /// The path of the file, the folder's included.
    public var path: String
    /// The path below the folder.
    public var relativePath: String
    /// The size in bytes.
    public var byteCount: Int
}

/// Finds audio files in a folder and all folders in it.
public enum FolderScan {
    /// The levels of folders that are entered.
    private static let depthLimit = 64

    /// Returns the files with the extensions of audio, in the order of their names.
    ///
    /// Hidden files and folders, symbolic links to folders, and one excluded folder are left out.
    ///
    /// - Parameters:
    ///   - folder: The folder.
    ///   - excluded: A folder that is not entered, such as that of the outputs; nil for none.
    /// - Throws: ``BatchError/cannotRead(path:code:)``.
    public static func files(in folder: String, excluding excluded: String? = nil) throws(BatchError) -> [FoundFile] {
        var files: [FoundFile] = []
        let base = folder.hasSuffix("/") ? folder : folder + "/"
        try collect(base, "", depth: 0, except: excluded.flatMap(identity), &files)
        return files
    }

    /// Adds the files of a folder and of those in it.
    private static func collect(
        _ base: String, _ subfolder: String, depth: Int, except excluded: Identity?, _ files: inout [FoundFile]
    ) throws(BatchError) {
        guard let stream = opendir(base + subfolder) else { throw .cannotRead(path: base + subfolder, code: errno) }
        defer { closedir(stream) }
        var names: [(name: String, status: stat)] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: $0.pointee)) { String(cString: $0) }
            }
            var status = stat()
            guard !name.hasPrefix("."), fstatat(dirfd(stream), name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { continue }
            if status.st_mode & S_IFMT == S_IFLNK {
                // A link to a file counts as one, a link to a folder could lead back.
                guard fstatat(dirfd(stream), name, &status, 0) == 0, status.st_mode & S_IFMT == S_IFREG else { continue }
            }
            names.append((name, status))
        }
        for (name, status) in names.sorted(by: { $0.name < $1.name }) {
            if status.st_mode & S_IFMT == S_IFDIR {
                guard depth < depthLimit, Identity(status) != excluded else { continue }
                try collect(base, subfolder + name + "/", depth: depth + 1, except: excluded, &files)
            } else if ReadableFiles.hasAudioExtension(name) {
                files.append(FoundFile(path: base + subfolder + name, relativePath: subfolder + name, byteCount: Int(status.st_size)))
            }
        }
    }

    /// The numbers by which the system knows a file.
    private struct Identity: Equatable {
        var device: dev_t
        var inode: ino_t

        /// Takes the numbers from what the system knows about a file.
        init(_ status: stat) {
            device = status.st_dev
            inode = status.st_ino
        }
    }

    /// Returns the identity of a file; nil if there is none.
    private static func identity(_ path: String) -> Identity? {
        var status = stat()
        return stat(path, &status) == 0 ? Identity(status) : nil
    }
}
