// SPDX-License-Identifier: Apache-2.0

/// Buffered sequential input from a file, a pipe or memory, with peeking.
///
/// Use an input from one thread at a time.
package final class FileInput {
    /// The file's path, `standard input` for `-`, or the name of bytes in memory.
    package let path: String
    /// The underlying file, or `nil` for memory and for parts of a file.
    ///
    /// Reading from it directly bypasses this input.
    package let file: OpenFile?
    /// The size of a regular file or of memory, in bytes, or `nil` for a pipe, terminal or socket.
    package let fileSize: Int?
    /// The file offset of position 0.
    ///
    /// Nonzero if another program has read part of standard input.
    package let startOffset: Int
    /// The number of bytes read so far.
    package private(set) var position = 0

    /// The parts of the file to read, or `nil` for a whole file and for memory.
    private let parts: FileParts?
    /// Bytes read ahead are between `bufferStart` and `bufferEnd`.
    ///
    /// For memory, the buffer contains all bytes.
    private var buffer: [UInt8]
    private var bufferStart = 0
    private var bufferEnd = 0

    /// The maximum peek size, in bytes.
    package static let peekLimit = 65_536

    /// The initial buffer size, in bytes: enough for a header, after which the file is read directly.
    private static let headerSize = 4_096

    /// Opens a file for reading.
    ///
    /// `-` is standard input.
    package convenience init(path: String) throws(SystemFileError) {
        try self.init(path == "-" ? .standardInput : OpenFile(reading: path), path: PathName.inputName(path))
    }

    /// Reads an open file from its current offset; `path` is its name in errors.
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

    /// Reads bytes from memory; `path` is their name in errors.
    package init(bytes: [UInt8], path: String = FileInput.memoryName) {
        file = nil
        parts = nil
        self.path = path
        fileSize = bytes.count
        startOffset = 0
        buffer = bytes
        bufferEnd = bytes.count
    }

    private init(_ parts: FileParts, path: String) {
        file = nil
        self.parts = parts
        self.path = path
        fileSize = parts.byteCount
        startOffset = 0
        buffer = [UInt8](repeating: 0, count: Self.headerSize)
    }

    /// Returns an input that concatenates parts of this one.
    ///
    /// Requires a regular file or memory.
    ///
    /// - Parameters:
    ///   - ranges: The byte range of each part, within the file.
    ///   - prefix: Bytes to read before the first part.
    package func joining(_ ranges: [Range<Int>], prefix: [UInt8] = []) throws(SystemFileError) -> FileInput {
        if let file { return FileInput(FileParts(file, ranges, prefix: prefix), path: path) }
        var joined = prefix
        for range in ranges { joined += try bytes(in: range) }
        return FileInput(bytes: joined, path: path)
    }

    package static let memoryName = "memory"

    /// Whether ``reopened()`` can read everything again: true for regular files and memory, but not for standard input.
    package var canReopen: Bool { fileSize != nil && file?.isStandardInput != true }

    /// Returns a new input of the same bytes, positioned at the start.
    ///
    /// Requires ``canReopen``.
    package func reopened() throws(SystemFileError) -> FileInput {
        guard canReopen else { throw .notSeekable }
        if let parts { return FileInput(parts, path: path) }
        return file == nil ? FileInput(bytes: buffer, path: path) : try FileInput(path: path)
    }

    /// Reads a byte range of a regular file or of memory without changing ``position``.
    ///
    /// The result is shorter at the end of the file.
    package func bytes(in range: Range<Int>) throws(SystemFileError) -> [UInt8] {
        if let file { return try file.bytes(in: range) }
        if let parts { return try parts.bytes(in: range) }
        return Array(buffer[range.clamped(to: 0..<buffer.count)])
    }

    /// The number of bytes from position 0 to the end, or `nil` for a pipe.
    package var byteCount: Int? { fileSize.map { max(0, $0 - startOffset) } }

    /// Reads the bytes between two positions without changing ``position``.
    ///
    /// The result is shorter at the end. Does not work on pipes.
    package func bytes(at positions: Range<Int>) throws(SystemFileError) -> [UInt8] {
        try bytes(in: positions.lowerBound + startOffset..<positions.upperBound + startOffset)
    }

    /// The number of bytes from ``position`` to the end, or `nil` for a pipe.
    package var bytesRemaining: Int? { fileSize.map { max(0, $0 - startOffset - position) } }

    /// Returns the next `count` bytes, or fewer at the end, without consuming them.
    ///
    /// The buffer grows to the largest `count`.
    package func peek(_ count: Int) throws(SystemFileError) -> ArraySlice<UInt8> {
        growBuffer(count)
        while bufferEnd - bufferStart < count, try fillBuffer() {}
        return buffer[bufferStart..<min(bufferEnd, bufferStart + count)]
    }

    /// Returns `count` bytes, or fewer at the end, that start `offset` bytes ahead, without consuming them.
    ///
    /// `count` is not limited.
    ///
    /// For a pipe, all bytes up to the end of the range are buffered in memory.
    package func peek(_ count: Int, after offset: Int) throws(SystemFileError) -> [UInt8] {
        if fileSize != nil { return try bytes(at: position + offset..<position + offset + count) }
        let end = offset + count
        var length = min(end, Self.peekLimit)
        // The offset may be invalid and exceed the input, so the buffer doubles only when it is full.
        while try peek(length).count == length, length < end { length = min(end, 2 * length) }
        return Array(try peek(length).dropFirst(offset))
    }

    /// Reads `count` bytes (at most ``peekLimit``), or fewer at the end.
    package func read(_ count: Int) throws(SystemFileError) -> [UInt8] {
        let bytes = Array(try peek(count))
        consume(bytes.count)
        return bytes
    }

    /// Reads `count` bytes, or fewer at the end, into the start of `target` and returns their number.
    package func read(_ count: Int, into target: inout [UInt8]) throws(SystemFileError) -> Int {
        let buffered = min(count, bufferEnd - bufferStart)
        target.replaceSubrange(0..<buffered, with: buffer[bufferStart..<bufferStart + buffered])
        consume(buffered)
        guard buffered < count else { return buffered }
        let more = try readMore(into: &target, buffered..<count, fully: true)
        position += more
        return buffered + more
    }

    /// Reads the available bytes: at least 1 and at most `count`, or none at the end.
    package func readAvailable(_ count: Int) throws(SystemFileError) -> [UInt8] {
        growBuffer(count)
        if bufferStart == bufferEnd { _ = try fillBuffer() }
        let bytes = Array(buffer[bufferStart..<min(bufferEnd, bufferStart + count)])
        consume(bytes.count)
        return bytes
    }

    package func readAll() throws(SystemFileError) -> [UInt8] { try readFully(.max) }

    /// Reads `count` bytes, or fewer at the end.
    ///
    /// `count` is not limited.
    package func readFully(_ count: Int) throws(SystemFileError) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count {
            let more = try readAvailable(min(count - bytes.count, Self.peekLimit))
            if more.isEmpty { break }
            bytes += more
        }
        return bytes
    }

    /// Skips `count` bytes.
    ///
    /// Returns false if the input ends first.
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

    /// Moves to a position.
    ///
    /// Regular files and memory only.
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

    /// Copies all remaining bytes to an unnamed temporary file, for formats that require seeking.
    ///
    /// The file is deleted with the returned input; see ``OpenFile/temporary()``.
    ///
    /// - Parameters:
    ///   - checkedCount: The number of bytes after which to check the copy.
    ///   - check: Receives the incomplete copy, if the input has more bytes. Throws to end copying.
    /// - Throws: ``SystemFileError/cannotCreate(code:)`` and ``SystemFileError/cannotWrite(code:)`` for the temporary file.
    package func spooled(checkedCount: Int = .max, check: (FileInput) throws -> Void = { _ in }) throws -> FileInput {
        let copy = try OpenFile.temporary()
        var (copiedCount, checkedCount) = (0, checkedCount)
        while true {
            let bytes = try peek(Self.peekLimit)
            if bytes.isEmpty { break }
            if copiedCount >= checkedCount {
                try copy.seek(to: 0)
                try check(FileInput(copy, path: path))
                try copy.seek(to: copiedCount)
                checkedCount = .max
            }
            try copy.write(bytes)
            copiedCount += bytes.count
            consume(bytes.count)
        }
        try copy.seek(to: 0)
        return try FileInput(copy, path: path)
    }

    /// Whether the buffer contains all bytes, as it does for memory.
    private var holdsAll: Bool { file == nil && parts == nil }

    private func consume(_ count: Int) {
        bufferStart += count
        position += count
    }

    /// Enlarges the buffer if `count` bytes do not fit.
    private func growBuffer(_ count: Int) {
        if count > buffer.count, !holdsAll { buffer += repeatElement(0, count: max(Self.peekLimit, count) - buffer.count) }
    }

    /// Reads once into the free part of the buffer.
    ///
    /// Returns false at the end of the file.
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

    /// Reads the bytes after the buffered ones into `part` of an array, with one read call or until `part` is full.
    ///
    /// Returns the byte count.
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
