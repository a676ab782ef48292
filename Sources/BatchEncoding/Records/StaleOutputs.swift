// SPDX-License-Identifier: Apache-2.0

internal import AudioFiles
package import PCMFiles
internal import SystemFiles
internal import SystemLibrary

/// Batch outputs in a folder that do not belong to the current batch, because inputs were removed or renamed.
///
/// Excludes outputs without a record, and those that differ from their record.
package struct StaleOutputs: Sendable {
    /// The paths, sorted by name.
    package let paths: [String]

    /// Finds the stale outputs in a folder and its subfolders.
    ///
    /// - Parameters:
    ///   - folder: The folder. If it does not exist, there are no outputs.
    ///   - files: The files of the batch, whose outputs are excluded.
    /// - Throws: ``BatchError`` or ``/PCMFiles/AudioFileError`` if the folder or a file in it cannot be read.
    package init(in folder: String, besides files: [BatchFile]) throws {
        guard Folder.exists(folder) else {
            paths = []
            return
        }
        let scan = try FolderScan(folder)
        if let error = scan.errors.first { throw error }
        let names = Set(files.map(\.output))
        // A list can name an output by a different path than the folder.
        let identities = Set(files.compactMap { (try? FileStatus(of: $0.output))?.identity })
        paths = try scan.files.map(\.path).filter { path in
            guard !names.contains(path), let identity = (try? FileStatus(of: path))?.identity, !identities.contains(identity),
                case .intact(let record) = BatchRecord.read(beside: path)
            else { return false }
            return try record.output.matching(path, readsAlways: false) != nil
        }
    }

    /// Deletes the outputs and their records.
    package func remove() throws(AudioFileError) {
        for path in paths {
            for name in [path, BatchRecord.path(of: path)] where unlink(PathName.bytes(name)) != 0 {
                throw AudioFileError(.cannotWrite(systemCode: errno), path: name)
            }
        }
    }
}
