// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Darwin)
internal import Darwin
#endif

/// The bytes of a file or pipe in order, with a look ahead that works on pipes too.
final class ByteInput {
    let path: String
    let descriptor: Int32
    /// Bytes of the file; nil for a pipe, a terminal or a socket.
    let fileSize: Int?
    /// Bytes taken so far, from the place where the descriptor stood.
    private(set) var position = 0

    private let startOffset: Int
    private let closesDescriptor: Bool
    /// Bytes read and not yet taken lie from `bufferStart` to `bufferEnd`.
    private var buffer = [UInt8](repeating: 0, count: 65_536)
    private var bufferStart = 0
    private var bufferEnd = 0

    /// Opens a file; `-` is standard input, which stays open, and of which `head` has been read already.
    convenience init(path: String, head: [UInt8] = []) throws(PCMFileError) {
        guard path != "-" else {
            try self.init(descriptor: 0, path: "standard input", closesDescriptor: false)
            precondition(head.count <= buffer.count, "the head fits into the buffer")
            buffer.replaceSubrange(0..<head.count, with: head)
            bufferEnd = head.count
            return
        }
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .cannotOpen(path: path, code: errno) }
        try self.init(owning: descriptor, path: path)
    }

    /// Takes an open descriptor over; `path` is its name in errors.
    convenience init(owning descriptor: Int32, path: String) throws(PCMFileError) {
        try self.init(descriptor: descriptor, path: path, closesDescriptor: true)
    }

    private init(descriptor: Int32, path: String, closesDescriptor: Bool) throws(PCMFileError) {
        self.path = path
        self.descriptor = descriptor
        self.closesDescriptor = closesDescriptor
        var status = stat()
        let code = fstat(descriptor, &status) == 0 ? 0 : errno
        let kind = status.st_mode & S_IFMT
        fileSize = kind == S_IFREG ? Int(status.st_size) : nil
        startOffset = kind == S_IFREG ? max(0, Int(lseek(descriptor, 0, SEEK_CUR))) : 0
        guard code == 0 else { throw .cannotOpen(path: path, code: code) }
        guard kind != S_IFDIR else { throw .isFolder(path: path) }
    }

    deinit {
        if closesDescriptor { close(descriptor) }
    }

    /// Bytes between here and the end of the file; nil for a pipe.
    var bytesRemaining: Int? { fileSize.map { max(0, $0 - startOffset - position) } }

    /// The next bytes without taking them: `count` (at most 65 536), or fewer at the end.
    func peek(_ count: Int) throws(PCMFileError) -> ArraySlice<UInt8> {
        while bufferEnd - bufferStart < count, try fillBuffer() {}
        return buffer[bufferStart..<min(bufferEnd, bufferStart + count)]
    }

    /// Takes `count` bytes (at most 65 536), or fewer at the end.
    func read(_ count: Int) throws(PCMFileError) -> [UInt8] {
        let bytes = Array(try peek(count))
        bufferStart += bytes.count
        position += bytes.count
        return bytes
    }

    /// Replaces the first bytes of `target`, `count` of them or fewer at the end, and returns how many.
    func read(_ count: Int, into target: inout [UInt8]) throws(PCMFileError) -> Int {
        let buffered = min(count, bufferEnd - bufferStart)
        target.replaceSubrange(0..<buffered, with: buffer[bufferStart..<bufferStart + buffered])
        bufferStart += buffered
        var got = buffered
        while got < count {
            let more = try readOnce(into: &target, at: got..<count)
            if more == 0 { break }
            got += more
        }
        position += got
        return got
    }

    /// Moves on by `count` bytes; false if the end comes first.
    func skip(_ count: Int) throws(PCMFileError) -> Bool {
        var left = count
        while left > 0 {
            let bytes = try read(min(left, buffer.count))
            if bytes.isEmpty { return false }
            left -= bytes.count
        }
        return true
    }

    /// Goes to a position counted from the start; only for files.
    func seek(to newPosition: Int) throws(PCMFileError) {
        guard fileSize != nil, lseek(descriptor, off_t(startOffset + newPosition), SEEK_SET) >= 0 else {
            throw .notSeekable(path: path)
        }
        bufferStart = 0
        bufferEnd = 0
        position = newPosition
    }

    private func fillBuffer() throws(PCMFileError) -> Bool {
        if bufferStart > 0 {
            buffer.withUnsafeMutableBytes { bytes in
                let rest = UnsafeRawBufferPointer(rebasing: bytes[bufferStart..<bufferEnd])
                bytes.copyMemory(from: rest)
            }
            bufferEnd -= bufferStart
            bufferStart = 0
        }
        guard bufferEnd < buffer.count else { return false }
        let got = try readOnce(into: &buffer, at: bufferEnd..<buffer.count)
        bufferEnd += got
        return got > 0
    }

    private func readOnce(into bytes: inout [UInt8], at range: Range<Int>) throws(PCMFileError) -> Int {
        while true {
            let got = bytes.withUnsafeMutableBytes { bytes in
                let target = UnsafeMutableRawBufferPointer(rebasing: bytes[range])
                #if canImport(Glibc)
                return Glibc.read(descriptor, target.baseAddress, target.count)
                #else
                return Darwin.read(descriptor, target.baseAddress, target.count)
                #endif
            }
            if got >= 0 { return got }
            guard errno == EINTR else { throw .cannotRead(path: path, code: errno) }
        }
    }
}
