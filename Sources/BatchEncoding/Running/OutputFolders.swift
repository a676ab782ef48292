// SPDX-License-Identifier: Apache-2.0

internal import Synchronization
internal import SystemFiles

/// The folders of the outputs, each made once, and cleared of what killed batches left in it.
final class OutputFolders: Sendable {
    private let known = Mutex<Set<String>>([])

    /// Makes the folder of an output, with those that it is in.
    ///
    /// - Throws: ``BatchError/cannotCreate(path:code:)``.
    func prepare(for output: String) throws(BatchError) {
        guard let slash = output.lastIndex(of: "/"), slash != output.startIndex else { return }
        let folder = String(output[..<slash])
        try known.withLock { known throws(BatchError) in
            guard !known.contains(folder) else { return }
            try BatchError.creatingFolder(folder)
            known.insert(folder)
            AbandonedFiles.remove(in: folder)
        }
    }
}

extension BatchError {
    /// Creates a folder, with those that it is in.
    ///
    /// - Throws: ``cannotCreate(path:code:)``.
    static func creatingFolder(_ path: String) throws(BatchError) {
        try creating(path) { () throws(SystemFileError) in try Folder.create(path) }
    }

    /// Writes a file in one step.
    ///
    /// - Throws: ``cannotCreate(path:code:)``.
    static func writing(_ text: String, to path: String) throws(BatchError) {
        try creating(path) { () throws(SystemFileError) in try FileOutput.write(Array(text.utf8), to: path) }
    }

    /// Creates or writes a file or a folder.
    ///
    /// - Throws: ``cannotCreate(path:code:)``.
    static func creating(_ path: String, _ body: () throws(SystemFileError) -> Void) throws(BatchError) {
        do throws(SystemFileError) { try body() } catch { throw .cannotCreate(path: path, code: error.systemCode) }
    }

    /// Reads a file.
    ///
    /// - Throws: ``cannotRead(path:code:)``.
    static func reading<Value>(_ path: String, _ body: () throws(SystemFileError) -> Value) throws(BatchError) -> Value {
        do throws(SystemFileError) { return try body() } catch { throw .cannotRead(path: path, code: error.systemCode) }
    }
}
