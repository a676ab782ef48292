// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Darwin)
internal import Darwin
#endif

/// What stops an input of coded sound from being read.
///
/// `code` is a number of `errno`.
public enum InputError: Error, Hashable, Sendable {
    /// The file can't be opened.
    case cannotOpen(path: String, code: Int32)
    /// The path names a folder.
    case isFolder(path: String)
    /// Reading stopped with an error.
    case cannotRead(path: String, code: Int32)
    /// Nothing in the file is an access unit.
    case noAccessUnits(path: String)
}

extension InputError: CustomStringConvertible {
    /// One line: what could not be read, and why.
    public var description: String {
        switch self {
        case .cannotOpen(let path, let code): "can't open \(path): \(String(cString: strerror(code)))"
        case .isFolder(let path): "\(path) is a folder, not a file"
        case .cannotRead(let path, let code): "can't read \(path): \(String(cString: strerror(code)))"
        case .noAccessUnits(let path): "\(path) holds no AAC that can be found"
        }
    }
}

/// The bytes of a file or pipe, in order.
final class InputFile {
    let path: String
    private let descriptor: Int32
    private let fileSize: Int?
    private var bytesRead = 0
    /// Bytes of standard input that were read before.
    private var head: [UInt8]

    /// Bytes of a file; of a pipe those that have come so far.
    var byteCount: Int { fileSize ?? bytesRead }

    /// Opens a file; `-` is standard input, of which `head` has been read already.
    init(path: String, head: [UInt8] = []) throws(InputError) {
        let isStandardInput = path == "-"
        self.head = head
        self.path = isStandardInput ? "standard input" : path
        descriptor = isStandardInput ? 0 : open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .cannotOpen(path: path, code: errno) }
        var status = stat()
        let kind = fstat(descriptor, &status) == 0 ? status.st_mode & S_IFMT : 0
        fileSize = kind == S_IFREG ? Int(status.st_size) : nil
        if kind == S_IFDIR { throw .isFolder(path: path) }
    }

    deinit {
        if descriptor > 0 { close(descriptor) }
    }

    /// The next bytes, as many as come at once and at most `count`; none at the end.
    func read(_ count: Int) throws(InputError) -> [UInt8] {
        if !head.isEmpty {
            let bytes = Array(head.prefix(count))
            head.removeFirst(bytes.count)
            bytesRead += bytes.count
            return bytes
        }
        while true {
            var code: Int32 = 0
            var got = 0
            let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, initializedCount in
                #if canImport(Glibc)
                got = Glibc.read(descriptor, buffer.baseAddress, count)
                #else
                got = Darwin.read(descriptor, buffer.baseAddress, count)
                #endif
                code = errno
                initializedCount = max(0, got)
            }
            bytesRead += bytes.count
            if got >= 0 { return bytes }
            guard code == EINTR else { throw .cannotRead(path: path, code: code) }
        }
    }
}
