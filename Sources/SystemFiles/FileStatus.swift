// SPDX-License-Identifier: Apache-2.0

internal import SystemLibrary

/// The status of a file, which need not be open.
package struct FileStatus: Hashable, Sendable {
    /// The file kinds that are handled differently.
    package enum Kind: Hashable, Sendable {
        /// A regular file, which has a size and is seekable.
        case regular
        case directory
        /// A symbolic link. Only reported if links are not followed.
        case link
        /// A pipe, terminal, socket or device.
        case stream
    }

    /// Device and inode number, which identify a file regardless of its path.
    package struct Identity: Hashable, Sendable {
        package let device: UInt64
        private let node: UInt64

        fileprivate init(_ status: stat) {
            device = UInt64(truncatingIfNeeded: status.st_dev)
            node = UInt64(truncatingIfNeeded: status.st_ino)
        }
    }

    package let kind: Kind
    /// The size in bytes, or `nil` unless the file is regular.
    package let byteCount: Int?
    /// The modification time, in nanoseconds since 1970.
    package let modified: Int
    package let identity: Identity

    /// Reads the status of a file.
    ///
    /// - Throws: ``SystemFileError/cannotOpen(code:)`` if the file is missing or inaccessible.
    package init(of path: String, followsLinks: Bool = true) throws(SystemFileError) {
        var status = stat()
        let path = PathName.bytes(path)
        guard (followsLinks ? stat(path, &status) : lstat(path, &status)) == 0 else { throw .cannotOpen(code: errno) }
        self.init(status)
    }

    init(_ status: stat) {
        switch status.st_mode & S_IFMT {
        case S_IFREG: kind = .regular
        case S_IFDIR: kind = .directory
        case S_IFLNK: kind = .link
        default: kind = .stream
        }
        byteCount = kind == .regular ? Int(status.st_size) : nil
        #if canImport(Darwin)
        let time = status.st_mtimespec
        #else
        let time = status.st_mtim
        #endif
        modified = Int(time.tv_sec) &* 1_000_000_000 &+ Int(time.tv_nsec)
        identity = Identity(status)
    }
}
