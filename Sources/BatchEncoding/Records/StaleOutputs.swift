// SPDX-License-Identifier: Apache-2.0

internal import AudioFiles
package import PCMFiles
internal import SystemFiles
internal import SystemLibrary

/// The outputs in a folder that batches have made and that no file of the present batch becomes, since inputs were removed or renamed.
///
/// An output without a record, or one that differs from its record, is none of them.
package struct StaleOutputs: Sendable {
    /// The paths, in the order of their names.
    package let paths: [String]

    /// Finds the outputs in a folder and in all folders in it.
    ///
    /// - Parameters:
    ///   - folder: The folder; one that does not exist has no outputs.
    ///   - files: The files of the batch, whose outputs are left out.
    /// - Throws: ``BatchError`` or ``/PCMFiles/AudioFileError`` if the folder or a file in it can't be read.
    package init(in folder: String, besides files: [BatchFile]) throws {
        guard Folder.exists(folder) else {
            paths = []
            return
        }
        let scan = try FolderScan(folder)
        if let error = scan.errors.first { throw error }
        let names = Set(files.map(\.output))
        // A list can name an output by another path than the folder does.
        let identities = Set(files.compactMap { (try? FileStatus(of: $0.output))?.identity })
        paths = try scan.files.map(\.path).filter { path in
            guard !names.contains(path), let identity = (try? FileStatus(of: path))?.identity, !identities.contains(identity),
                case .intact(let record) = BatchRecord.read(beside: path)
            else { return false }
            return try record.output.matching(path, readsAlways: false) != nil
        }
    }

    /// Removes the outputs, and then their records.
    package func remove() throws(AudioFileError) {
        for path in paths {
            for name in [path, BatchRecord.path(of: path)] where unlink(PathName.bytes(name)) != 0 {
                throw AudioFileError(.cannotWrite(systemCode: errno), path: name)
            }
        }
    }
}
