// SPDX-License-Identifier: Apache-2.0

internal import JSONText
internal import SystemFiles

/// The size and modification time of a file, for detecting changes without reading it.
package struct FileStamp: Hashable, Sendable {
    var byteCount: Int
    /// The modification time, in nanoseconds since 1970.
    package var modified: Int

    package init(byteCount: Int, modified: Int) {
        self.byteCount = byteCount
        self.modified = modified
    }

    /// Reads the stamp of a regular file, or returns `nil` if there is no such file.
    package init?(of path: String) {
        guard let status = try? FileStatus(of: path), let byteCount = status.byteCount else { return nil }
        self.init(byteCount: byteCount, modified: status.modified)
    }
}

package struct RecordedFile: Hashable, Sendable {
    package var stamp: FileStamp
    /// The SHA-256 checksum, as 64 hexadecimal digits.
    var sha256: String

    package init(_ stamp: FileStamp, sha256: String) {
        self.stamp = stamp
        self.sha256 = sha256
    }

    /// Parses the JSON form, or returns `nil` if it is invalid.
    init?(_ json: JSONValue?) {
        guard let bytes = json?["bytes"]?.integer, let modified = json?["modified"]?.integer, let sum = json?["sha256"]?.text else {
            return nil
        }
        self.init(FileStamp(byteCount: bytes, modified: modified), sha256: sum)
    }

    var json: JSONValue {
        .object([("bytes", .integer(stamp.byteCount)), ("modified", .integer(stamp.modified)), ("sha256", .string(sha256))])
    }

    /// Compares a file with this one, first by size and time, then by contents if only the time differs.
    ///
    /// - Returns: The file with its current stamp if its contents are equal, or `nil` if they differ or the file is missing.
    func matching(_ path: String, readsAlways: Bool) throws(BatchError) -> RecordedFile? {
        guard let now = FileStamp(of: path), now.byteCount == stamp.byteCount else { return nil }
        if now == stamp, !readsAlways { return self }
        return try SHA256.hash(ofFile: path) == sha256 ? RecordedFile(now, sha256: sha256) : nil
    }
}
