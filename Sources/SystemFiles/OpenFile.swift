// SPDX-License-Identifier: Apache-2.0

internal import Synchronization
internal import SystemLibrary

/// An open file, pipe or device of the system.
///
/// The object owns its descriptor and closes it exactly once: in ``close()`` or when the object is released. Standard input and standard
/// output stay open. Only this type retries interrupted system calls (`EINTR`).
package final class OpenFile: Sendable {
    /// The file descriptor; -1 after closing, when the system may reuse the number.
    package var descriptor: Int32 { isClosed.load(ordering: .relaxed) ? -1 : openDescriptor }

    /// Whether this is standard input.
    ///
    /// False for a file that got descriptor 0 because standard input was closed.
    package var isStandardInput: Bool { openDescriptor == 0 && !ownsDescriptor }

    private let openDescriptor: Int32
    private let ownsDescriptor: Bool
    private let isClosed = Atomic<Bool>(false)
    private let isLocked = Atomic<Bool>(false)
    /// Whether a borrowed descriptor has bytes of others before its first byte.
    private let continuesFile: Bool

    package static var standardInput: OpenFile { OpenFile(descriptor: 0, ownsDescriptor: false) }

    package static var standardOutput: OpenFile { OpenFile(descriptor: 1, ownsDescriptor: false) }

    /// Wraps a descriptor, which is closed at the end if it is owned.
    private init(descriptor: Int32, ownsDescriptor: Bool) {
        openDescriptor = descriptor
        self.ownsDescriptor = ownsDescriptor
        continuesFile = !ownsDescriptor && lseek(descriptor, 0, SEEK_CUR) > 0
    }

    /// Takes ownership of an open descriptor.
    package convenience init(owning descriptor: Int32) { self.init(descriptor: descriptor, ownsDescriptor: true) }

    /// Borrows an open descriptor, which the caller closes later.
    package convenience init(borrowing descriptor: Int32) { self.init(descriptor: descriptor, ownsDescriptor: false) }

    package convenience init(reading path: String) throws(SystemFileError) {
        self.init(owning: try Self.repeatedly(SystemFileError.cannotOpen(code:)) { open(PathName.bytes(path), O_RDONLY | O_CLOEXEC) })
    }

    /// Creates an unnamed temporary file, which is deleted when it is closed.
    ///
    /// - Throws: ``SystemFileError/cannotCreate(code:)``.
    package static func temporary() throws(SystemFileError) -> OpenFile {
        var template = PathName.bytes(temporaryFolder + "/linnet-XXXXXX")
        let descriptor = mkstemp(&template)
        guard descriptor >= 0 else { throw .cannotCreate(code: errno) }
        let file = OpenFile(owning: descriptor)
        unlink(template)
        return file
    }

    /// The directory for temporary files: `TMPDIR`, or else `/var/tmp` (on Android, its shell's directory).
    package static var temporaryFolder: String {
        #if os(Android)
        let systemFolder = "/data/local/tmp"
        #else
        let systemFolder = "/var/tmp"
        #endif
        return getenv("TMPDIR").map { PathName.decoding($0) }.flatMap { $0.isEmpty ? nil : $0 } ?? systemFolder
    }

    deinit { _ = closeOnce() }

    /// Closes the file.
    ///
    /// Later calls do nothing.
    ///
    /// - Parameter keepsLock: Whether another descriptor of the file keeps its lock.
    /// - Throws: ``SystemFileError/cannotWrite(code:)`` if earlier writes could not be stored.
    package func close(keepsLock: Bool = false) throws(SystemFileError) {
        let code = closeOnce(keepsLock: keepsLock)
        guard code == 0 else { throw .cannotWrite(code: code) }
    }

    /// Closes an owned, open descriptor.
    ///
    /// Returns `errno`, or 0.
    private func closeOnce(keepsLock: Bool = false) -> Int32 {
        guard ownsDescriptor, !isClosed.exchange(true, ordering: .relaxed) else { return 0 }
        // A child process started by another thread shares the descriptor, and so the lock, until it calls `exec`.
        if isLocked.load(ordering: .relaxed), !keepsLock { _ = flock(openDescriptor, LOCK_UN) }
        let result = SystemLibrary.close(openDescriptor)
        // After `EINTR` the descriptor is closed. Closing again could close another thread's file.
        return result == 0 || errno == EINTR ? 0 : errno
    }

    /// Locks the file (`flock`) until it is closed or the process ends.
    ///
    /// - Returns: False if another process holds the lock. True on file systems without locks.
    package func lock() -> Bool {
        guard flock(descriptor, LOCK_EX | LOCK_NB) != 0 else {
            isLocked.store(true, ordering: .relaxed)
            return true
        }
        return errno != EWOULDBLOCK
    }

    // MARK: Properties

    package func status() throws(SystemFileError) -> FileStatus {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .cannotOpen(code: errno) }
        return FileStatus(status)
    }

    /// The current file offset, or `nil` if the file is not seekable.
    package var offset: Int? {
        let offset = lseek(descriptor, 0, SEEK_CUR)
        return offset >= 0 ? Int(offset) : nil
    }

    /// Whether written bytes can be replaced: true for regular files that belong to this program from their first byte on.
    ///
    /// A shell's `>>`, and the second program that writes to the same standard output, append to the bytes of others.
    package var canOverwrite: Bool {
        (try? status())?.kind == .regular && offset != nil && !continuesFile && fcntl(descriptor, F_GETFL) & O_APPEND == 0
    }

    package var canRead: Bool { fcntl(descriptor, F_GETFL) & (O_WRONLY | O_RDWR) != O_WRONLY }

    // MARK: Reading

    /// Reads once: the available bytes, at most the size of `target`.
    ///
    /// Returns 0 at the end.
    package func read(into target: UnsafeMutableRawBufferPointer) throws(SystemFileError) -> Int {
        guard let start = target.baseAddress else { return 0 }
        return try Self.repeatedly(SystemFileError.cannotRead(code:)) { SystemLibrary.read(descriptor, start, target.count) }
    }

    /// Reads until `target` is full or the file ends.
    ///
    /// Returns the number of bytes read.
    package func readFully(into target: UnsafeMutableRawBufferPointer) throws(SystemFileError) -> Int {
        var count = 0
        while count < target.count {
            let more = try read(into: UnsafeMutableRawBufferPointer(rebasing: target[count...]))
            if more == 0 { break }
            count += more
        }
        return count
    }

    /// Reads a byte range of a regular file without moving ``offset``.
    ///
    /// The result is shorter at the end of the file.
    package func bytes(in range: Range<Int>) throws(SystemFileError) -> [UInt8] {
        var failure: SystemFileError?
        let bytes = [UInt8](unsafeUninitializedCapacity: range.count) { buffer, count in
            count = 0
            guard let start = buffer.baseAddress else { return }
            do throws(SystemFileError) {
                while count < range.count {
                    let got = try Self.repeatedly(SystemFileError.cannotRead(code:)) {
                        pread(descriptor, start + count, range.count - count, off_t(range.lowerBound + count))
                    }
                    if got == 0 { break }
                    count += got
                }
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        return bytes
    }

    /// Returns all bytes of a regular file, or `nil` if it is missing or unreadable.
    package static func contents(of path: String) -> [UInt8]? {
        guard let file = try? OpenFile(reading: path), let size = try? file.status().byteCount else { return nil }
        return try? file.bytes(in: 0..<size)
    }

    /// Waits until the file is readable or at its end.
    ///
    /// - Returns: False after `milliseconds` without data, or if a signal arrives first.
    package func waitUntilReadable(milliseconds: Int32) -> Bool {
        var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        let count = poll(&request, 1, milliseconds)
        // A signal is not an event of the file. The next read reports other errors.
        return count > 0 || (count < 0 && errno != EINTR)
    }

    // MARK: Writing

    /// Writes all of `bytes`.
    package func write(_ bytes: UnsafeRawBufferPointer) throws(SystemFileError) {
        try writeAll(bytes) { start, count in
            SystemLibrary.write(descriptor, start, count)
        }
    }

    /// Writes all of `bytes`.
    package func write(_ bytes: ArraySlice<UInt8>) throws(SystemFileError) {
        try bytes.withUnsafeBufferPointer { (bytes) throws(SystemFileError) in try write(UnsafeRawBufferPointer(bytes)) }
    }

    /// Replaces bytes of a regular file without moving ``offset``.
    package func overwrite(_ bytes: [UInt8], at offset: Int) throws(SystemFileError) {
        try bytes.withUnsafeBufferPointer { (bytes) throws(SystemFileError) in
            var position = off_t(offset)
            try writeAll(UnsafeRawBufferPointer(bytes)) { start, count in
                let written = pwrite(descriptor, start, count, position)
                position += off_t(max(0, written))
                return written
            }
        }
    }

    /// Calls `step` with the remaining bytes until all are written.
    private func writeAll(
        _ bytes: UnsafeRawBufferPointer, _ step: (UnsafeRawPointer, Int) -> Int
    ) throws(SystemFileError) {
        guard let start = bytes.baseAddress else { return }
        var count = 0
        while count < bytes.count {
            let written = try Self.repeatedly(SystemFileError.cannotWrite(code:)) {
                step(start + count, bytes.count - count)
            }
            guard written > 0 else { throw .cannotWrite(code: EIO) }
            count += written
        }
    }

    // MARK: Offsets

    /// Seeks, as `lseek` does.
    ///
    /// - Parameters:
    ///   - offset: Bytes from the origin.
    ///   - origin: `SEEK_SET`, `SEEK_CUR` or `SEEK_END`.
    /// - Returns: The new offset from the start of the file.
    /// - Throws: ``SystemFileError/notSeekable``.
    @discardableResult
    package func seek(to offset: Int, from origin: Int32 = SEEK_SET) throws(SystemFileError) -> Int {
        let position = lseek(descriptor, off_t(offset), origin)
        guard position >= 0 else { throw .notSeekable }
        return Int(position)
    }

    /// Retries `body` while a signal interrupts it.
    ///
    /// For other negative results, throws `failure` with `errno`.
    private static func repeatedly<Count: SignedInteger>(
        _ failure: (Int32) -> SystemFileError, _ body: () -> Count
    ) throws(SystemFileError) -> Count {
        while true {
            let result = body()
            if result >= 0 { return result }
            let code = errno
            guard code == EINTR else { throw failure(code) }
        }
    }
}
