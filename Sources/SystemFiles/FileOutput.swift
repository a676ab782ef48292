// SPDX-License-Identifier: Apache-2.0

internal import Synchronization
internal import SystemLibrary

/// An output file, pipe or device.
///
/// With ``Visibility/whenCommitted``, bytes are written to a hidden file in the same directory. ``commit()`` renames it; otherwise it is
/// deleted. Pipes, devices and standard output (`-`) cannot be renamed and are written directly. Use an output from one thread at a time.
package final class FileOutput {
    /// When the file becomes visible under its final name.
    package enum Visibility: Hashable, Sendable {
        /// The file becomes visible when it is complete.
        case whenCommitted
        /// The file is visible from the start, for recordings that must survive a crash.
        case immediately
    }

    /// The requested path; `standard output` for `-`.
    package let path: String
    /// The file being written.
    package let file: OpenFile
    /// The number of bytes written with ``write(_:)``.
    package private(set) var byteCount = 0

    /// The path of the hidden file until it is renamed or deleted.
    package private(set) var partialPath: String?
    /// The path of a newly created visible file, until it is complete.
    private var createdPath: String?
    /// The destination of the hidden file, with symbolic links resolved.
    private let target: String
    private let overwrites: Bool
    /// The first error of writing.
    ///
    /// A part of the bytes may have been written, so that later bytes would have other offsets than ``byteCount``. The file ends there.
    private var failure: SystemFileError?

    private static let counter = Atomic<Int>(0)

    /// Creates an output.
    ///
    /// - Parameters:
    ///   - path: The file's path, or `-` for standard output.
    ///   - overwrites: Whether to replace an existing file.
    ///   - inputs: The paths of the inputs, which must be different files.
    ///   - visibility: When the file becomes visible under its final name.
    package init(
        path: String, overwrites: Bool = false, inputs: [String] = [], visibility: Visibility = .whenCommitted
    ) throws(SystemFileError) {
        self.overwrites = overwrites
        guard path != "-" else {
            self.path = PathName.outputName(path)
            target = path
            file = .standardOutput
            return
        }
        self.path = path
        target = try Self.resolved(path)
        var status = stat()
        let exists = stat(PathName.bytes(target), &status) == 0
        let kind = exists ? status.st_mode & S_IFMT : S_IFREG
        if kind == S_IFDIR { throw .isDirectory }
        guard kind == S_IFREG else {
            file = try Self.opened(target, O_WRONLY)
            return
        }
        let identity = FileStatus(status).identity
        for input in inputs where exists {
            let input = try? input == "-" ? OpenFile.standardInput.status() : FileStatus(of: input)
            if input?.identity == identity { throw .isInput }
        }
        if exists, !overwrites { throw .exists }
        switch visibility {
        case .whenCommitted:
            (file, partialPath) = try Self.createTemporary(for: target, mode: exists ? status.st_mode & 0o7777 : nil)
        case .immediately:
            file = try Self.opened(target, O_RDWR | O_CREAT | O_TRUNC | (overwrites ? 0 : O_EXCL))
            createdPath = exists ? nil : target
        }
    }

    deinit {
        try? file.close()
        removeTemporary()
    }

    /// Whether ``overwrite(_:at:)`` works.
    ///
    /// False for pipes.
    package var canOverwrite: Bool { file.canOverwrite }

    package func write(_ bytes: [UInt8]) throws(SystemFileError) {
        try attempt { () throws(SystemFileError) in try file.write(bytes[...]) }
        byteCount += bytes.count
    }

    /// Replaces bytes that were written before.
    package func overwrite(_ bytes: [UInt8], at offset: Int) throws(SystemFileError) {
        try attempt { () throws(SystemFileError) in try file.overwrite(bytes, at: offset) }
    }

    /// Writes, unless writing has failed before.
    private func attempt(_ write: () throws(SystemFileError) -> Void) throws(SystemFileError) {
        if let failure { throw failure }
        do throws(SystemFileError) {
            try write()
        } catch {
            failure = error
            throw error
        }
    }

    /// Writes a whole file, replacing an existing one atomically.
    package static func write(_ bytes: [UInt8], to path: String) throws(SystemFileError) {
        let file = try FileOutput(path: path, overwrites: true)
        try file.write(bytes)
        try file.commit()
    }

    /// Closes the output and renames the hidden file.
    ///
    /// On error, the hidden file is deleted.
    package func commit() throws(SystemFileError) {
        // A duplicate descriptor keeps the hidden file locked until it is renamed.
        let lock = partialPath == nil ? -1 : dup(file.descriptor)
        defer {
            if lock >= 0 {
                _ = flock(lock, LOCK_UN)
                close(lock)
            }
        }
        do throws(SystemFileError) {
            try file.close(keepsLock: lock >= 0)
        } catch {
            removeTemporary()
            throw error
        }
        createdPath = nil
        guard let temporary = partialPath else { return }
        partialPath = nil
        var code: Int32 = 0
        let result = try PartialFileRegistry.finish(temporary) {
            let result = move(temporary)
            code = errno
            if result != 0 { unlink(PathName.bytes(temporary)) }
            return result
        }
        guard result == 0 else { throw code == EEXIST ? .exists : .cannotCreate(code: code) }
    }

    /// Closes the output and deletes the file created for it.
    ///
    /// An overwritten file remains. Does nothing after ``commit()``.
    package func discard() {
        try? file.close()
        removeTemporary()
        if let createdPath { unlink(PathName.bytes(createdPath)) }
        createdPath = nil
    }

    private func removeTemporary() {
        guard let temporary = partialPath else { return }
        partialPath = nil
        _ = try? PartialFileRegistry.finish(temporary) { unlink(PathName.bytes(temporary)) }
    }

    /// Renames the hidden file to its final name.
    ///
    /// Unless overwriting is allowed, a file that was created there in the meantime is kept.
    private func move(_ temporary: String) -> Int32 {
        let (temporary, target) = (PathName.bytes(temporary), PathName.bytes(target))
        if overwrites { return rename(temporary, target) }
        if link(temporary, target) == 0 {
            // The final name exists now, even if deleting the hidden one fails.
            unlink(temporary)
            return 0
        }
        // Some file systems have no hard links.
        guard errno != EEXIST else { return -1 }
        guard access(target, F_OK) != 0 else {
            errno = EEXIST
            return -1
        }
        return rename(temporary, target)
    }

    /// Opens a file under its final name.
    private static func opened(_ path: String, _ flags: Int32) throws(SystemFileError) -> OpenFile {
        let descriptor = open(PathName.bytes(path), flags | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw errno == EEXIST ? .exists : .cannotCreate(code: errno) }
        return OpenFile(owning: descriptor)
    }

    /// Creates the hidden file with the permissions of the file to replace.
    private static func createTemporary(
        for target: String, mode: mode_t?
    ) throws(SystemFileError) -> (file: OpenFile, path: String?) {
        let slash = target.utf8.lastIndex(of: UInt8(ascii: "/"))
        let folder = slash.map { String(target[...$0]) } ?? ""
        while true {
            let number = counter.wrappingAdd(1, ordering: .relaxed).newValue
            let temporary = "\(folder)\(OrphanedFiles.prefix)\(getpid())-\(number)"
            var code: Int32 = 0
            let descriptor = try PartialFileRegistry.create(temporary) {
                let descriptor = open(PathName.bytes(temporary), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
                code = errno
                return descriptor
            }
            // Another machine's process, or a killed one, may have used the same number.
            if descriptor < 0, code == EEXIST { continue }
            guard descriptor >= 0 else { throw .cannotCreate(code: code) }
            let file = OpenFile(owning: descriptor)
            guard OrphanedFiles.claim(file) else {
                _ = try PartialFileRegistry.finish(temporary) { 0 }
                continue
            }
            if let mode { fchmod(descriptor, mode) }
            return (file, temporary)
        }
    }

    /// Resolves symbolic links, also to a file that does not exist.
    private static func resolved(_ path: String) throws(SystemFileError) -> String {
        if let real = realpath(PathName.bytes(path), nil) {
            defer { free(real) }
            return PathName.decoding(real)
        }
        // Renaming the hidden file does not follow a link.
        guard errno != ELOOP else { throw .cannotCreate(code: ELOOP) }
        // The destination of an open pipe's link, such as /dev/stdout, is not a path.
        guard (try? FileStatus(of: path)) == nil, let target = PathName.destination(ofLink: path) else { return path }
        return try resolved(target)
    }
}
