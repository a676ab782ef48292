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
        do throws(SystemFileError) {
            try known.withLock { known throws(SystemFileError) in
                guard !known.contains(folder) else { return }
                try Folder.create(folder)
                known.insert(folder)
                AbandonedFiles.remove(in: folder)
            }
        } catch {
            throw .cannotCreate(path: folder, code: error.systemCode)
        }
    }
}

extension BatchError {
    /// Creates a folder, with those that it is in.
    ///
    /// - Throws: ``cannotCreate(path:code:)``.
    static func creatingFolder(_ path: String) throws(BatchError) {
        do throws(SystemFileError) { try Folder.create(path) } catch { throw .cannotCreate(path: path, code: error.systemCode) }
    }
}
