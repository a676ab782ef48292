// SPDX-License-Identifier: Apache-2.0

internal import SystemFiles
internal import SystemLibrary

/// The files in a stream's folder.
struct HLSFiles {
    let folder: String

    func path(_ name: String) -> String { PathName.folder(folder) + name }

    /// Creates the folder and its missing parents, and locks it until the result is released.
    ///
    /// - Throws: ``StreamingError/cannotWrite(path:code:)``, with `EWOULDBLOCK` if another stream holds the lock.
    func lockFolder() throws(StreamingError) -> OpenFile {
        let opened: OpenFile
        do throws(SystemFileError) {
            try Folder.create(folder)
            opened = try OpenFile(reading: folder)
        } catch {
            throw .cannotWrite(path: folder, code: error.systemCode)
        }
        guard opened.lock() else { throw .cannotWrite(path: folder, code: EWOULDBLOCK) }
        return opened
    }

    /// Writes or atomically replaces a file.
    ///
    /// - Throws: ``StreamingError/cannotWrite(path:code:)``.
    func write(_ bytes: [UInt8], to name: String) throws(StreamingError) {
        do throws(SystemFileError) {
            try FileOutput.write(bytes, to: path(name))
        } catch {
            throw .cannotWrite(path: path(name), code: error.systemCode)
        }
    }

    /// Tests for free space by writing and removing a hidden file.
    ///
    /// - Throws: ``StreamingError/cannotWrite(path:code:)`` if a file of this size cannot be written.
    func probe(byteCount: Int) throws(StreamingError) {
        do throws(SystemFileError) {
            let output = try FileOutput(path: path(HLSFileNames.playlist), overwrites: true)
            defer { output.discard() }
            try output.write([UInt8](repeating: 0, count: byteCount))
        } catch {
            throw .cannotWrite(path: folder, code: error.systemCode)
        }
    }

    /// Returns a file's text, or `nil` if it cannot be read or exceeds `limit` bytes.
    func text(_ name: String, limit: Int) -> String? {
        guard let file = try? OpenFile(reading: path(name)), let status = try? file.status(), status.kind == .regular,
            let byteCount = status.byteCount, byteCount <= limit, let bytes = try? file.bytes(in: 0..<byteCount)
        else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }

    func contains(_ name: String) -> Bool { access(path(name), F_OK) == 0 }

    /// Deletes a file, if it exists.
    func delete(_ name: String) { unlink(path(name)) }

    var names: [String] { (try? Folder.names(in: folder)) ?? [] }
}
