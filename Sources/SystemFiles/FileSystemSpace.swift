// SPDX-License-Identifier: Apache-2.0

internal import SystemLibrary

package struct FileSystemSpace: Hashable, Sendable {
    /// The number of bytes that this user can still write.
    package let availableByteCount: Int

    /// Reads the free space of the file system that holds a file or folder.
    ///
    /// Returns `nil` if the path does not exist, or the system does not report free space.
    package init?(of path: String) {
        #if os(WASI)
        return nil
        #else
        var status = statvfs()
        guard statvfs(PathName.bytes(path), &status) == 0 else { return nil }
        let (byteCount, overflow) = Int(clamping: status.f_bavail).multipliedReportingOverflow(by: Int(clamping: status.f_frsize))
        availableByteCount = overflow ? Int.max : byteCount
        #endif
    }
}
