// SPDX-License-Identifier: Apache-2.0

/// The bytes of a file, of a pipe or in memory, in order and buffered, with a peek that works on pipes too.
///
/// An input belongs to one thread at a time.
package final class FileInput {
    /// The file's path; `standard input` for `-`, and another name for bytes in memory.
    package let path: String
    /// The file itself, nil for bytes in memory and for parts of a file; bytes read from it directly are missing here.
    package let file: OpenFile?
    /// The size of a regular file or of memory in bytes; nil for a pipe, a terminal or a socket.
    package let fileSize: Int?
    /// The file offset of position 0: not 0 if standard input was partly read by another program.
    package let startOffset: Int
    /// Bytes read so far.
    package private(set) var position = 0

    /// The parts of the file that are the bytes; nil for a whole file and for bytes in memory.
    private let parts: FileParts?
    /// Bytes read from the file and not from here lie from `bufferStart` to `bufferEnd`; of memory the buffer holds all bytes.
    private var buffer: [UInt8]
    private var bufferStart = 0
    private var bufferEnd = 0

    /// The most bytes that can be peeked at.
    package static let peekLimit = 65_536

    /// The size of the buffer in bytes until more are asked for: enough for the header of a file that is read directly after it.
    private static let headerSize = 4_096

    /// Opens a file for reading; `-` is standard input.
    package convenience init(path: String) throws(SystemFileError) {
        try self.init(path == "-" ? .standardInput : OpenFile(reading: path), path: PathName.inputName(path))
    }

    /// Reads an open file from its current offset on; `path` is its name in errors.
    package init(_ file: OpenFile, path: String) throws(SystemFileError) {
        let status = try file.status()
        guard status.kind != .directory else { throw .isDirectory }
        self.file = file
        self.path = path
        parts = nil
        fileSize = status.byteCount
        startOffset = status.kind == .regular ? file.offset ?? 0 : 0
        buffer = [UInt8](repeating: 0, count: Self.headerSize)
    }

    /// Reads bytes in memory; `path` is their name in errors.
    package init(bytes: [UInt8], path: String = FileInput.memoryName) {
        file = nil
        parts = nil
        self.path = path
        fileSize = bytes.count
        startOffset = 0
        buffer = bytes
        bufferEnd = bytes.count
    }

    /// Reads parts of a file.
    private init(_ parts: FileParts, path: String) {
        file = nil
        self.parts = parts
        self.path = path
        fileSize = parts.byteCount
        startOffset = 0
        buffer = [UInt8](repeating: 0, count: Self.headerSize)
    }

    /// Returns an input of parts of this one, one after the other; requires a regular file or memory.
    ///
    /// - Parameters:
    ///   - ranges: The bytes of each part in this file, within it.
    ///   - prefix: Bytes that come before them.
    package func joining(_ ranges: [Range<Int>], prefix: [UInt8] = []) throws(SystemFileError) -> FileInput {
        if let file { return FileInput(FileParts(file, ranges, prefix: prefix), path: path) }
        var joined = prefix
        for range in ranges { joined += try bytes(in: range) }
        return FileInput(bytes: joined, path: path)
    }

    /// The name of bytes in memory.
    package static let memoryName = "memory"

    /// Whether ``reopened()`` can read everything once more: true for regular files and memory, but not for standard input.
    package var canReopen: Bool { fileSize != nil && file?.isStandardInput != true }

    /// Returns an input of the same bytes, from the first one on; requires ``canReopen``.
    package func reopened() throws(SystemFileError) -> FileInput {
        guard canReopen else { throw .notSeekable }
        if let parts { return FileInput(parts, path: path) }
        return file == nil ? FileInput(bytes: buffer, path: path) : try FileInput(path: path)
    }

    /// Reads the bytes in a range of a regular file or of memory, fewer if it is shorter, wherever the input stands.
    package func bytes(in range: Range<Int>) throws(SystemFileError) -> [UInt8] {
        if let file { return try file.bytes(in: range) }
        if let parts { return try parts.bytes(in: range) }
        return Array(buffer[range.clamped(to: 0..<buffer.count)])
    }

    /// The number of bytes from position 0 to the end; nil for a pipe.
    package var byteCount: Int? { fileSize.map { max(0, $0 - startOffset) } }

    /// Reads the bytes between positions, fewer if the file is shorter, wherever the input stands; not of a pipe.
    package func bytes(at positions: Range<Int>) throws(SystemFileError) -> [UInt8] {
        try bytes(in: positions.lowerBound + startOffset..<positions.upperBound + startOffset)
    }

    /// Bytes from the current position to the end of the file; nil for a pipe.
    package var bytesRemaining: Int? { fileSize.map { max(0, $0 - startOffset - position) } }

    /// Returns the next bytes without consuming them: `count`, or fewer at the end; the buffer keeps the size of the largest count.
    package func peek(_ count: Int) throws(SystemFileError) -> ArraySlice<UInt8> {
        growBuffer(count)
        while bufferEnd - bufferStart < count, try fillBuffer() {}
        return buffer[bufferStart..<min(bufferEnd, bufferStart + count)]
    }

    /// Returns bytes after the next `offset` ones without consuming them, however many: `count`, or fewer at the end.
    ///
    /// Of a pipe they are all kept in memory.
    package func peek(_ count: Int, after offset: Int) throws(SystemFileError) -> [UInt8] {
        if fileSize != nil { return try bytes(at: position + offset..<position + offset + count) }
        let end = offset + count
        var length = min(end, Self.peekLimit)
        // What an offset claims may be more than there is: the buffer doubles only when it is full.
        while try peek(length).count == length, length < end { length = min(end, 2 * length) }
        return Array(try peek(length).dropFirst(offset))
    }

    /// Reads `count` bytes (at most ``peekLimit``), or fewer at the end.
    package func read(_ count: Int) throws(SystemFileError) -> [UInt8] {
        let bytes = Array(try peek(count))
        consume(bytes.count)
        return bytes
    }

    /// Replaces the first bytes of `target`, `count` of them or fewer at the end, and returns how many.
    package func read(_ count: Int, into target: inout [UInt8]) throws(SystemFileError) -> Int {
        let buffered = min(count, bufferEnd - bufferStart)
        target.replaceSubrange(0..<buffered, with: buffer[bufferStart..<bufferStart + buffered])
        consume(buffered)
        guard buffered < count else { return buffered }
        let more = try readMore(into: &target, buffered..<count, fully: true)
        position += more
        return buffered + more
    }

    /// Reads as many bytes as are available, at least 1 and at most `count`; none at the end.
    package func readAvailable(_ count: Int) throws(SystemFileError) -> [UInt8] {
        growBuffer(count)
        if bufferStart == bufferEnd { _ = try fillBuffer() }
        let bytes = Array(buffer[bufferStart..<min(bufferEnd, bufferStart + count)])
        consume(bytes.count)
        return bytes
    }

    /// Reads everything to the end.
    package func readAll() throws(SystemFileError) -> [UInt8] { try readFully(.max) }

    /// Reads `count` bytes, however many, or fewer at the end.
    package func readFully(_ count: Int) throws(SystemFileError) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count {
            let more = try readAvailable(min(count - bytes.count, Self.peekLimit))
            if more.isEmpty { break }
            bytes += more
        }
        return bytes
    }

    /// Skips `count` bytes; returns false if the end comes first.
    package func skip(_ count: Int) throws(SystemFileError) -> Bool {
        var remaining = count
        while remaining > 0 {
            let skipped = try peek(min(remaining, Self.peekLimit)).count
            if skipped == 0 { return false }
            consume(skipped)
            remaining -= skipped
        }
        return true
    }

    /// Moves to a position counted from the start; regular files only.
    package func seek(to newPosition: Int) throws(SystemFileError) {
        guard fileSize != nil else { throw .notSeekable }
        if !holdsAll {
            try file?.seek(to: startOffset + newPosition)
            bufferStart = 0
            bufferEnd = 0
        } else {
            bufferStart = min(max(0, newPosition), bufferEnd)
        }
        position = newPosition
    }

    /// Copies everything that is left to a temporary file without a name, for formats that can't be read forwards only.
    ///
    /// The file is removed with the input returned; see ``OpenFile/temporary()``.
    ///
    /// - Throws: ``SystemFileError/cannotCreate(code:)`` and ``SystemFileError/cannotWrite(code:)`` for the temporary file.
    package func spooled() throws(SystemFileError) -> FileInput {
        let copy = try OpenFile.temporary()
        while true {
            let bytes = try peek(Self.peekLimit)
            if bytes.isEmpty { break }
            try copy.write(bytes)
            consume(bytes.count)
        }
        try copy.seek(to: 0)
        return try FileInput(copy, path: path)
    }

    /// Whether the buffer holds all bytes, as of memory.
    private var holdsAll: Bool { file == nil && parts == nil }

    /// Marks buffered bytes as read.
    private func consume(_ count: Int) {
        bufferStart += count
        position += count
    }

    /// Makes the buffer larger if `count` bytes don't fit.
    private func growBuffer(_ count: Int) {
        if count > buffer.count, !holdsAll { buffer += repeatElement(0, count: max(Self.peekLimit, count) - buffer.count) }
    }

    /// Reads once into the free part of the buffer; returns false at the end of the file.
    private func fillBuffer() throws(SystemFileError) -> Bool {
        if holdsAll { return false }
        if bufferStart > 0 {
            buffer.withUnsafeMutableBytes { $0.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[bufferStart..<bufferEnd])) }
            bufferEnd -= bufferStart
            bufferStart = 0
        }
        guard bufferEnd < buffer.count else { return false }
        let count = try readMore(into: &buffer, bufferEnd..<buffer.count, fully: false)
        bufferEnd += count
        return count > 0
    }

    /// Reads what follows the buffered bytes into a part of an array, once or until the part is full; returns the number of bytes.
    private func readMore(into target: inout [UInt8], _ part: Range<Int>, fully: Bool) throws(SystemFileError) -> Int {
        guard let file else {
            let start = position + bufferEnd - bufferStart
            let more = try parts?.bytes(in: start..<start + part.count) ?? []
            target.replaceSubrange(part.lowerBound..<part.lowerBound + more.count, with: more)
            return more.count
        }
        return try target.withUnsafeMutableBufferPointer { (bytes) throws(SystemFileError) in
            let free = UnsafeMutableRawBufferPointer(UnsafeMutableBufferPointer(rebasing: bytes[part]))
            return fully ? try file.readFully(into: free) : try file.read(into: free)
        }
    }
}
