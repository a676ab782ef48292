// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

internal import SystemFiles

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Darwin)
internal import Darwin
#endif

/// The files in the folder of a stream.
struct HLSFiles {
    /// The path of the folder.
    let folder: String

    /// Returns the path of a file.
    func path(_ name: String) -> String { folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)" }

    /// Creates the folder and those around it, where they are missing.
    ///
    /// - Throws: ``StreamingError/cannotWrite(path:code:)``.
    func createFolder() throws(StreamingError) {
        var path = folder.hasPrefix("/") ? "/" : ""
        for component in folder.split(separator: "/") {
            path += component
            // Folders around it may exist without permission to write, which is no error.
            if mkdir(path, 0o777) != 0, errno != EEXIST, !Self.isFolder(path) { throw .cannotWrite(path: path, code: errno) }
            path += "/"
        }
        guard Self.isFolder(folder) else { throw .cannotWrite(path: folder, code: ENOTDIR) }
    }

    /// Writes a file, or replaces it in one step.
    ///
    /// - Throws: ``StreamingError/cannotWrite(path:code:)``.
    func write(_ bytes: [UInt8], to name: String) throws(StreamingError) {
        do throws(SystemFileError) {
            let output = try FileOutput(path: path(name), overwrites: true)
            try output.write(bytes)
            try output.commit()
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
    var names: [String] {
        guard let directory = opendir(folder) else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                // The name ends with a zero byte inside the entry.
                String(cString: UnsafeRawPointer(pointer).assumingMemoryBound(to: CChar.self))
            }
            names.append(name)
        }
        return names
    }

    /// Returns whether a path names a folder.
    private static func isFolder(_ path: String) -> Bool {
        var status = stat()
        let code = errno
        defer { errno = code }
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }
}
