// SPDX-License-Identifier: Apache-2.0

public import PCMFiles
internal import SystemFiles

/// An audio file found in a folder.
public struct FoundFile: Hashable, Sendable {
    /// The file's path, including the folder.
    public var path: String
    /// The path relative to the folder.
    public var relativePath: String
    /// The size in bytes, or `nil` for a dangling link.
    public var byteCount: Int?
}

/// The audio files in a folder and its subfolders.
///
/// Files are selected by extension. The scan skips hidden files and folders, symbolic links to folders (which could form a cycle), and
/// special files. A dangling link is included, so that opening it reports an error.
public struct FolderScan: Sendable {
    /// The files, sorted by name.
    ///
    /// The files of a subfolder appear at its own position.
    public private(set) var files: [FoundFile] = []
    /// Errors of unreadable files and subfolders.
    public private(set) var errors: [AudioFileError] = []

    private let base: String
    private let excluded: FileStatus.Identity?
    private let isRecursive: Bool

    /// Scans a folder.
    ///
    /// - Parameters:
    ///   - folder: The folder.
    ///   - isRecursive: Whether to scan subfolders.
    ///   - excluded: A subfolder to skip, such as the output folder, or `nil` for none.
    /// - Throws: ``/PCMFiles/AudioFileError/Code/cannotOpen(systemCode:)`` or ``/PCMFiles/AudioFileError/Code/cannotRead(systemCode:)`` for
    ///   the folder itself.
    public init(_ folder: String, isRecursive: Bool = true, excluding excluded: String? = nil) throws(AudioFileError) {
        base = PathName.folder(folder)
        self.isRecursive = isRecursive
        self.excluded = excluded.flatMap { (try? FileStatus(of: $0))?.identity }
        try addFiles(below: "")
    }

    /// Adds the files of a subfolder.
    ///
    /// Its relative path ends with a slash, or is empty for the folder itself.
    private mutating func addFiles(below subfolder: String) throws(AudioFileError) {
        let path = base + subfolder
        let names = try AudioFileError.attempt(path.count > 1 ? String(path.dropLast()) : path) { try Folder.names(in: path) }
        for name in names where !name.hasPrefix(".") { add(subfolder + name) }
    }

    /// Adds a file or the files of a subfolder.
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
