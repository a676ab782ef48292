// SPDX-License-Identifier: Apache-2.0

internal import JSONText
internal import SystemFiles

/// The size and modification time of a file, by which a change is seen without reading it.
package struct FileStamp: Hashable, Sendable {
    /// The size in bytes.
    var byteCount: Int
    /// The modification time in nanoseconds since 1970.
    package var modified: Int

    /// Creates a stamp.
    package init(byteCount: Int, modified: Int) {
        self.byteCount = byteCount
        self.modified = modified
    }

    /// Reads the stamp of a regular file; nil if there is none.
    package init?(of path: String) {
        guard let status = try? FileStatus(of: path), let byteCount = status.byteCount else { return nil }
        self.init(byteCount: byteCount, modified: status.modified)
    }
}

/// A file as a record names it: its stamp and its checksum.
package struct RecordedFile: Hashable, Sendable {
    /// Size and modification time.
    package var stamp: FileStamp
    /// The SHA-256 checksum, 64 hexadecimal digits.
    var sha256: String

    /// Creates a description.
    package init(_ stamp: FileStamp, sha256: String) {
        self.stamp = stamp
        self.sha256 = sha256
    }

    /// Reads a description from a record; nil if it is none.
    init?(_ json: JSONValue?) {
        guard let bytes = json?["bytes"]?.integer, let modified = json?["modified"]?.integer, let sum = json?["sha256"]?.text else {
            return nil
        }
        self.init(FileStamp(byteCount: bytes, modified: modified), sha256: sum)
    }

    /// The description for a record.
    var json: JSONValue {
        .object([("bytes", .integer(stamp.byteCount)), ("modified", .integer(stamp.modified)), ("sha256", .string(sha256))])
    }

    /// Compares a file with this description: first size and time, and the contents where only the time differs.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - readsAlways: Whether the contents are compared in any case.
    /// - Returns: The description of the file as it is now if its contents are the same; nil if they differ, or there is no file.
    func matching(_ path: String, readsAlways: Bool) throws(BatchError) -> RecordedFile? {
        guard let now = FileStamp(of: path), now.byteCount == stamp.byteCount else { return nil }
        if now == stamp, !readsAlways { return self }
        return try SHA256.hash(ofFile: path) == sha256 ? RecordedFile(now, sha256: sha256) : nil
    }
}
