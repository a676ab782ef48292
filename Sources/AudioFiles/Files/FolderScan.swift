// SPDX-License-Identifier: Apache-2.0

public import PCMFiles
internal import SystemFiles

/// An audio file that was found in a folder.
public struct FoundFile: Hashable, Sendable {
    /// The path of the file, the folder's included.
    public var path: String
    /// The path below the folder.
    public var relativePath: String
    /// The size in bytes; nil for a link whose file is missing.
    public var byteCount: Int?
}

/// The audio files in a folder, and in all folders in it.
///
/// Files are known by their extensions. Hidden files and folders, symbolic links to folders, which could lead back, and what is neither a file
/// nor a folder are left out. A link to a missing file counts as one, so that the error of opening it is seen.
public struct FolderScan: Sendable {
    /// The files, in the order of their names; those of a folder stand where its own name does.
    public private(set) var files: [FoundFile] = []
    /// The errors of what can't be read in the folder.
    public private(set) var errors: [AudioFileError] = []

    private let base: String
    private let excluded: FileStatus.Identity?
    private let isRecursive: Bool

    /// Reads a folder.
    ///
    /// - Parameters:
    ///   - folder: The folder.
    ///   - isRecursive: Whether the folders in it are read too.
    ///   - excluded: A folder that is left out, such as that of the outputs; nil for none.
    /// - Throws: ``/PCMFiles/AudioFileError/Code/cannotOpen(systemCode:)`` or ``/PCMFiles/AudioFileError/Code/cannotRead(systemCode:)`` for the folder itself.
    public init(_ folder: String, isRecursive: Bool = true, excluding excluded: String? = nil) throws(AudioFileError) {
        base = PathName.folder(folder)
        self.isRecursive = isRecursive
        self.excluded = excluded.flatMap { (try? FileStatus(of: $0))?.identity }
        try addFiles(below: "")
    }

    /// Adds the files of the folder, or of one in it, whose path below it ends with a slash.
    private mutating func addFiles(below subfolder: String) throws(AudioFileError) {
        let path = base + subfolder
        let names = try AudioFileError.attempt(path.count > 1 ? String(path.dropLast()) : path) { try Folder.names(in: path) }
        for name in names where !name.hasPrefix(".") { add(subfolder + name) }
    }

    /// Adds a file, or those in a folder.
    private mutating func add(_ relativePath: String) {
        let path = base + relativePath
        let entry: FileStatus
        do throws(SystemFileError) {
            entry = try FileStatus(of: path, followsLinks: false)
        } catch {
            errors.append(AudioFileError(reading: path, error))
            return
        }
        if entry.kind == .directory {
            guard isRecursive, entry.identity != excluded else { return }
            do throws(AudioFileError) { try addFiles(below: relativePath + "/") } catch { errors.append(error) }
        } else if ReadableFiles.hasAudioExtension(relativePath) {
            let target = entry.kind == .link ? try? FileStatus(of: path) : entry
            guard (target?.kind ?? .regular) == .regular else { return }
            files.append(FoundFile(path: path, relativePath: relativePath, byteCount: target?.byteCount))
        }
    }
}
