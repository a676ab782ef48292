// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

internal import SystemLibrary

/// The bytes of a file or pipe in order, buffered, with a peek that works on pipes too.
///
/// An input belongs to one thread at a time.
package final class FileInput {
    /// The file's path; `standard input` for `-`.
    package let path: String
    /// The file itself; bytes read from it directly are missing here.
    package let file: OpenFile
    /// The size of a regular file in bytes; nil for a pipe, a terminal or a socket.
    package let fileSize: Int?
    /// The file offset of position 0: not 0 if standard input was partly read by another program.
    package let startOffset: Int
    /// Bytes read so far.
    package private(set) var position = 0

    /// Bytes read from the file and not from here lie from `bufferStart` to `bufferEnd`.
    private var buffer = [UInt8](repeating: 0, count: FileInput.headerSize)
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
        fileSize = status.byteCount
        startOffset = status.kind == .regular ? file.offset ?? 0 : 0
    }

    /// Bytes from the current position to the end of the file; nil for a pipe.
    package var bytesRemaining: Int? { fileSize.map { max(0, $0 - startOffset - position) } }

    /// Returns the next bytes without consuming them: `count` (at most ``peekLimit``), or fewer at the end.
    package func peek(_ count: Int) throws(SystemFileError) -> ArraySlice<UInt8> {
        growBuffer(count)
        while bufferEnd - bufferStart < count, try fillBuffer() {}
        return buffer[bufferStart..<min(bufferEnd, bufferStart + count)]
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
        guard buffered < count else { return count }
        let result = target.withUnsafeMutableBytes { bytes in
            Result { () throws(SystemFileError) in
                try file.readFully(into: UnsafeMutableRawBufferPointer(rebasing: bytes[buffered..<count]))
            }
        }
        let more = try result.get()
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
    package func readAll() throws(SystemFileError) -> [UInt8] {
        var bytes: [UInt8] = []
        while true {
            let more = try readAvailable(Self.peekLimit)
            if more.isEmpty { return bytes }
            bytes += more
        }
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
        try file.seek(to: startOffset + newPosition)
        bufferStart = 0
        bufferEnd = 0
        position = newPosition
    }

    /// Copies everything that is left to a temporary file without a name, for formats that can't be read forwards only.
    ///
    /// The file lies in `TMPDIR` or `/var/tmp` and is removed with the input returned.
    ///
    /// - Throws: ``SystemFileError/cannotCreate(code:)`` and ``SystemFileError/cannotWrite(code:)`` for the temporary file.
    package func spooled() throws(SystemFileError) -> FileInput {
        var template = PathName.bytes(Self.spoolFolder + "/linnet-XXXXXX")
        let descriptor = mkstemp(&template)
        guard descriptor >= 0 else { throw .cannotCreate(code: errno) }
        let copy = OpenFile(owning: descriptor)
        unlink(template)
        while true {
            let bytes = try peek(Self.peekLimit)
            if bytes.isEmpty { break }
            try copy.write(bytes)
            consume(bytes.count)
        }
        try copy.seek(to: 0)
        return try FileInput(copy, path: path)
    }

    /// The directory for temporary copies of pipes.
    package static var spoolFolder: String { getenv("TMPDIR").map { PathName.decoding($0) } ?? "/var/tmp" }

    /// Marks buffered bytes as read.
    private func consume(_ count: Int) {
        bufferStart += count
        position += count
    }

    /// Makes the buffer as large as it may be if `count` bytes don't fit.
    private func growBuffer(_ count: Int) {
        if count > buffer.count { buffer += repeatElement(0, count: Self.peekLimit - buffer.count) }
    }

    /// Reads once into the free part of the buffer; returns false at the end of the file.
    private func fillBuffer() throws(SystemFileError) -> Bool {
        if bufferStart > 0 {
            buffer.withUnsafeMutableBytes { $0.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[bufferStart..<bufferEnd])) }
            bufferEnd -= bufferStart
            bufferStart = 0
        }
        guard bufferEnd < buffer.count else { return false }
        let free = bufferEnd..<buffer.count
        let result = buffer.withUnsafeMutableBytes { bytes in
            Result { () throws(SystemFileError) in try file.read(into: UnsafeMutableRawBufferPointer(rebasing: bytes[free])) }
        }
        let count = try result.get()
        bufferEnd += count
        return count > 0
    }
}
