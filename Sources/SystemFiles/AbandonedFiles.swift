// SPDX-License-Identifier: Apache-2.0

internal import SystemLibrary

/// Hidden output files whose writers were killed.
///
/// A writer holds a lock (`flock`) on its hidden file, which the system releases when the process ends for any reason. On file systems
/// without locks, no file is considered abandoned.
package enum OrphanedFiles {
    /// The prefix of hidden file names.
    static let prefix = ".linnet-"

    /// Locks a newly created file.
    ///
    /// - Returns: False if ``remove(in:)`` deleted the file in the meantime.
    static func claim(_ file: OpenFile) -> Bool {
        var status = stat()
        return file.lock() && (fstat(file.descriptor, &status) != 0 || status.st_nlink > 0)
    }

    /// Removes the hidden files in `folder` that no process is writing.
    ///
    /// - Returns: The number of removed files.
    @discardableResult
    package static func remove(in folder: String) -> Int {
        let names = (try? Folder.names(in: folder.isEmpty ? "." : folder)) ?? []
        var count = 0
        for name in names where name.hasPrefix(prefix) {
            let path = PathName.bytes(folder.isEmpty ? name : PathName.folder(folder) + name)
            let descriptor = open(path, O_RDWR | O_CLOEXEC)
            guard descriptor >= 0 else { continue }
            if flock(descriptor, LOCK_EX | LOCK_NB) == 0, unlink(path) == 0 { count += 1 }
            close(descriptor)
        }
        return count
    }
}
