// SPDX-License-Identifier: Apache-2.0

internal import SystemLibrary

/// The hidden files of outputs whose writers were killed.
///
/// A writer holds a lock on its hidden file (`flock`), which the system releases when the process ends in whatever way. On file systems
/// without locks nothing is ever taken for abandoned.
package enum AbandonedFiles {
    /// The beginning of the names of hidden files.
    static let prefix = ".linnet-"

    /// Locks a file that was just created.
    ///
    /// - Returns: False if ``remove(in:)`` has removed it in between.
    static func claim(_ file: OpenFile) -> Bool {
        var status = stat()
        return file.lock() && (fstat(file.descriptor, &status) != 0 || status.st_nlink > 0)
    }

    /// Removes the hidden files in a folder that no process writes any more.
    ///
    /// - Returns: Their number.
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
