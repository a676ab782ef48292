// SPDX-License-Identifier: Apache-2.0

internal import SystemFiles
internal import SystemLibrary

/// The files in the folder of a stream.
struct HLSFiles {
    /// The path of the folder.
    let folder: String

    /// Returns the path of a file.
    func path(_ name: String) -> String { PathName.folder(folder) + name }

    /// Creates the folder and those that it is in, as far as they are missing.
    ///
    /// - Throws: ``StreamingError/cannotWrite(path:code:)``.
    func createFolder() throws(StreamingError) {
        do throws(SystemFileError) { try Folder.create(folder) } catch { throw .cannotWrite(path: folder, code: error.systemCode) }
    }

    /// Writes a file, or replaces it in one step.
    ///
    /// - Throws: ``StreamingError/cannotWrite(path:code:)``.
    func write(_ bytes: [UInt8], to name: String) throws(StreamingError) {
        do throws(SystemFileError) {
            try FileOutput.write(bytes, to: path(name))
        } catch {
            throw .cannotWrite(path: path(name), code: error.systemCode)
        }
    }

    /// Writes a hidden file and removes it again.
    ///
    /// - Throws: ``StreamingError/cannotWrite(path:code:)`` if there is no room for a file of this size.
    func probe(byteCount: Int) throws(StreamingError) {
        do throws(SystemFileError) {
            let output = try FileOutput(path: path(HLSFileNames.playlist), overwrites: true)
            defer { output.discard() }
            try output.write([UInt8](repeating: 0, count: byteCount))
        } catch {
            throw .cannotWrite(path: folder, code: error.systemCode)
        }
    }

    /// Returns the text of a file; nil if it can't be read or is longer than a limit.
    func text(_ name: String, limit: Int) -> String? {
        guard let file = try? OpenFile(reading: path(name)), let status = try? file.status(), status.kind == .regular,
            let byteCount = status.byteCount, byteCount <= limit, let bytes = try? file.bytes(in: 0..<byteCount)
        else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Returns whether a file exists.
    func contains(_ name: String) -> Bool { access(path(name), F_OK) == 0 }

    /// Deletes a file; one that is missing is no error.
    func delete(_ name: String) { unlink(path(name)) }

    /// The names of the files in the folder.
    var names: [String] { (try? Folder.names(in: folder)) ?? [] }
}
