// SPDX-License-Identifier: Apache-2.0

internal import SystemLibrary

/// The properties that the system knows of a file, which need not be open.
package struct FileStatus: Hashable, Sendable {
    /// The kinds of files that are treated differently.
    package enum Kind: Hashable, Sendable {
        /// A regular file: it has a size, and any part of it can be read.
        case regular
        /// A directory.
        case directory
        /// A symbolic link; only where links are not followed.
        case link
        /// A pipe, a terminal, a socket or a device.
        case stream
    }

    /// The numbers by which the system knows a file, whatever its path.
    package struct Identity: Hashable, Sendable {
        private let device: UInt64
        private let node: UInt64

        /// Takes the numbers from a status of the system.
        fileprivate init(_ status: stat) {
            device = UInt64(truncatingIfNeeded: status.st_dev)
            node = UInt64(truncatingIfNeeded: status.st_ino)
        }
    }

    /// The kind.
    package let kind: Kind
    /// The size in bytes; nil unless it is a regular file.
    package let byteCount: Int?
    /// The time of the last change in nanoseconds since 1970.
    package let modified: Int
    /// The identity.
    package let identity: Identity

    /// Reads the status of a file.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - followsLinks: Whether a symbolic link stands for the file that it names.
    /// - Throws: ``SystemFileError/cannotOpen(code:)`` if there is none, or it can't be reached.
    package init(of path: String, followsLinks: Bool = true) throws(SystemFileError) {
        var status = stat()
        let path = PathName.bytes(path)
        guard (followsLinks ? stat(path, &status) : lstat(path, &status)) == 0 else { throw .cannotOpen(code: errno) }
        self.init(status)
    }

    /// Takes over a status of the system.
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
