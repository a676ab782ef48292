// SPDX-License-Identifier: Apache-2.0

internal import Synchronization
internal import SystemFiles
internal import SystemLibrary

/// Creates each output folder once, and removes files of killed batches from it.
final class OutputFolders: Sendable {
    private struct State {
        var known: Set<String> = []
        /// The folders that did not exist before.
        var created: Set<String> = []
    }

    private let state = Mutex(State())

    /// Creates the folder of an output and its missing parents.
    ///
    /// - Throws: ``BatchError/cannotCreate(path:code:)``.
    func prepare(for output: String) throws(BatchError) {
        guard let folder = PathName.parent(output), folder != "/" else { return }
        try state.withLock { state throws(BatchError) in
            guard !state.known.contains(folder) else { return }
            var missing: [String] = []
            var path: String? = folder
            while let next = path, !Folder.exists(next) {
                missing.append(next)
                path = PathName.parent(next)
            }
            try BatchError.creatingFolder(folder)
            state.known.insert(folder)
            state.created.formUnion(missing)
            OrphanedFiles.remove(in: folder)
        }
    }

    /// Removes the created folders that are empty, such as those of failed files.
    func removeEmpty() {
        // Longer paths are deeper folders. The system keeps folders with contents.
        let created = state.withLock { $0.created }.sorted { $1.utf8.count < $0.utf8.count }
        for folder in created { _ = rmdir(PathName.bytes(folder)) }
    }
}

extension BatchError {
    /// Creates a folder and its missing parents.
    ///
    /// - Throws: ``cannotCreate(path:code:)``.
    static func creatingFolder(_ path: String) throws(BatchError) {
        try creating(path) { () throws(SystemFileError) in try Folder.create(path) }
    }

    /// Writes a file atomically.
    ///
    /// - Throws: ``cannotCreate(path:code:)``.
    static func writing(_ text: String, to path: String) throws(BatchError) {
        try creating(path) { () throws(SystemFileError) in try FileOutput.write(Array(text.utf8), to: path) }
    }

    /// Runs `body`, which creates or writes a file or folder, and converts its errors.
    ///
    /// - Throws: ``cannotCreate(path:code:)``.
    static func creating(_ path: String, _ body: () throws(SystemFileError) -> Void) throws(BatchError) {
        do throws(SystemFileError) { try body() } catch { throw .cannotCreate(path: path, code: error.systemCode) }
    }

    /// Runs `body`, which reads a file, and converts its errors.
    ///
    /// - Throws: ``cannotRead(path:code:)``.
    static func reading<Value>(_ path: String, _ body: () throws(SystemFileError) -> Value) throws(BatchError) -> Value {
        do throws(SystemFileError) { return try body() } catch { throw .cannotRead(path: path, code: error.systemCode) }
    }
}
