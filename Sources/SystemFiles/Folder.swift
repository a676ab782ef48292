// SPDX-License-Identifier: Apache-2.0

internal import SystemLibrary

/// Functions on folders of the file system.
package enum Folder {
    /// Whether `path` is a folder or a link to one.
    package static func exists(_ path: String) -> Bool { (try? FileStatus(of: path))?.kind == .directory }

    /// The absolute path of the current folder, or `nil` if it is unknown.
    package static var current: String? {
        guard let path = getcwd(nil, 0) else { return nil }
        defer { free(path) }
        return PathName.decoding(path)
    }

    /// Creates a folder and its missing parents.
    ///
    /// - Throws: ``SystemFileError/cannotCreate(code:)``.
    package static func create(_ path: String) throws(SystemFileError) {
        guard !exists(path), mkdir(PathName.bytes(path), 0o777) != 0 else { return }
        var code = errno
        if code == ENOENT, let parent = PathName.parent(path) {
            try create(parent)
            code = mkdir(PathName.bytes(path), 0o777) == 0 ? 0 : errno
        }
        // Another program may have created it in the meantime.
        guard code == 0 || exists(path) else { throw .cannotCreate(code: code == EEXIST ? ENOTDIR : code) }
    }

    /// Returns the sorted names in a folder, except `.` and `..`.
    ///
    /// - Throws: ``SystemFileError/cannotOpen(code:)`` or ``SystemFileError/cannotRead(code:)``.
    package static func names(in folder: String) throws(SystemFileError) -> [String] {
        guard let stream = opendir(PathName.bytes(folder)) else { throw .cannotOpen(code: errno) }
        defer { closedir(stream) }
        var names: [String] = []
        while true {
            errno = 0
            guard let entry = readdir(stream) else { break }
            let name = withUnsafePointer(to: entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: $0.pointee)) { PathName.decoding($0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        let code = errno
        guard code == 0 else { throw .cannotRead(code: code) }
        return names.sorted()
    }
}
