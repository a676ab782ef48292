// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

internal import Synchronization

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Darwin)
internal import Darwin
#endif

/// An output that appears under its name only when it is whole.
///
/// Bytes go to a hidden file in the same folder, which ``commit()`` renames; if that never comes, the file is removed. Pipes,
/// devices and standard output (`-`) can't be renamed and are written as they are. One thread at a time.
public final class OutputFile {
    /// The name that was asked for; `standard output` for `-`.
    public let path: String
    /// Where bytes can be written directly.
    public let descriptor: Int32
    /// Bytes written through ``write(_:)``.
    public private(set) var byteCount = 0

    /// The hidden file, until it is renamed or removed.
    private var temporaryPath: String?
    /// What the hidden file becomes; symbolic links are followed.
    private let target: String
    private let overwrites: Bool
    private var isOpen = true

    private static let counter = Atomic<Int>(0)

    /// Begins an output.
    ///
    /// It must not be the file `input`, and an existing file is in the way unless `overwrites`.
    public init(path: String, overwrites: Bool = false, input: String? = nil) throws(OutputError) {
        self.overwrites = overwrites
        guard path != "-" else {
            self.path = "standard output"
            target = path
            descriptor = 1
            return
        }
        self.path = path
        target = Self.resolved(path)
        var status = stat()
        guard stat(target, &status) == 0 else {
            (descriptor, temporaryPath) = try Self.createTemporary(for: target, path: path, mode: nil)
            return
        }
        switch status.st_mode & S_IFMT {
        case S_IFDIR:
            throw .isFolder(path: path)
        case S_IFREG:
            if let input, Self.isSameFile(status, input) { throw .isInput(path: path) }
            guard overwrites else { throw .exists(path: path) }
            (descriptor, temporaryPath) = try Self.createTemporary(for: target, path: path, mode: status.st_mode & 0o7777)
        default:
            descriptor = open(target, O_WRONLY | O_CLOEXEC)
            guard descriptor >= 0 else { throw .cannotCreate(path: path, code: errno) }
        }
    }

    deinit { discard() }

    /// Writes all bytes.
    public func write(_ bytes: [UInt8]) throws(OutputError) {
        try FileDescriptor(number: descriptor).write(bytes, path: path)
        byteCount += bytes.count
    }

    /// Closes the output and gives it its name; on an error nothing is left of it.
    public func commit() throws(OutputError) {
        guard isOpen else { return }
        isOpen = false
        guard descriptor != 1 else { return }
        guard close(descriptor) == 0 else {
            let code = errno
            removeTemporary()
            throw OutputError(writing: path, code: code)
        }
        guard let temporary = temporaryPath else { return }
        temporaryPath = nil
        var code: Int32 = 0
        let result = try PartialFileRegistry.end(temporary) {
            let result = move(temporary)
            code = errno
            if result != 0 { unlink(temporary) }
            return result
        }
        guard result == 0 else { throw code == EEXIST ? .exists(path: path) : .cannotCreate(path: path, code: code) }
    }

    /// Closes the output and removes what has been written of it; after ``commit()`` does nothing.
    public func discard() {
        if isOpen, descriptor != 1 { close(descriptor) }
        isOpen = false
        removeTemporary()
    }

    private func removeTemporary() {
        guard let temporary = temporaryPath else { return }
        temporaryPath = nil
        _ = try? PartialFileRegistry.end(temporary) { unlink(temporary) }
    }

    /// Gives the hidden file its name.
    ///
    /// Without permission to overwrite, a file that has come meanwhile stays.
    private func move(_ temporary: String) -> Int32 {
        if overwrites { return rename(temporary, target) }
        if link(temporary, target) == 0 { return unlink(temporary) }
        // Some file systems have no hard links.
        guard errno != EEXIST else { return -1 }
        guard access(target, F_OK) != 0 else {
            errno = EEXIST
            return -1
        }
        return rename(temporary, target)
    }

    private static func createTemporary(
        for target: String, path: String, mode: mode_t?
    ) throws(OutputError) -> (descriptor: Int32, path: String?) {
        let slash = target.lastIndex(of: "/")
        let folder = slash.map { String(target[...$0]) } ?? ""
        let number = counter.wrappingAdd(1, ordering: .relaxed).newValue
        let temporary = "\(folder).linnet-\(getpid())-\(number)"
        var code: Int32 = 0
        let descriptor = try PartialFileRegistry.begin(temporary) {
            let descriptor = open(temporary, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
            code = errno
            return descriptor
        }
        guard descriptor >= 0 else {
            throw code == ENOSPC || code == EDQUOT ? .noSpace(path: path) : .cannotCreate(path: path, code: code)
        }
        if let mode { fchmod(descriptor, mode) }
        return (descriptor, temporary)
    }

    /// The path with symbolic links followed, if there is something at its end.
    private static func resolved(_ path: String) -> String {
        guard let real = realpath(path, nil) else { return path }
        defer { free(real) }
        return String(cString: real)
    }

    private static func isSameFile(_ status: stat, _ other: String) -> Bool {
        var otherStatus = stat()
        let found = other == "-" ? fstat(0, &otherStatus) : stat(other, &otherStatus)
        return found == 0 && otherStatus.st_dev == status.st_dev && otherStatus.st_ino == status.st_ino
    }
}
