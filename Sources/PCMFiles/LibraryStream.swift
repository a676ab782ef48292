// SPDX-License-Identifier: Apache-2.0

internal import SystemFiles
internal import SystemLibrary

/// Input and output callbacks for format libraries and the system, over an open file, parts of a file or memory.
///
/// A library never gets the descriptor. `sf_open_fd` of libsndfile 1.2.0 closes it on failure even when instructed not to. Closing it again
/// could close a file that another thread has opened in the meantime.
final class LibraryStream {
    /// The first system error, if any.
    private(set) var failure: SystemFileError?

    private let bytes: Bytes

    private enum Bytes {
        /// A file, with the offset of the library's byte 0.
        case file(OpenFile, startOffset: Int)
        /// Memory or parts of a file, with the position of the library's byte 0.
        case memory(FileInput, start: Int)
    }

    /// Creates a stream that starts at the current offset of `file`.
    init(_ file: OpenFile) { bytes = .file(file, startOffset: file.offset ?? 0) }

    /// Creates a stream that starts at the current position of an input, to which it was just moved.
    convenience init(_ input: FileInput) {
        if let file = input.file { self.init(file) } else { self.init(memory: input) }
    }

    private init(memory input: FileInput) { bytes = .memory(input, start: input.position) }

    static func stream(_ userData: UnsafeMutableRawPointer?) -> LibraryStream {
        guard let userData else { preconditionFailure("the library passes the user data that it was given") }
        return Unmanaged.fromOpaque(userData).takeUnretainedValue()
    }

    /// The number of bytes from the start offset, or -1.
    var length: Int64 {
        result { () throws(SystemFileError) in
            switch bytes {
            case .file(let file, let startOffset):
                guard let byteCount = try file.status().byteCount else { throw .notSeekable }
                return byteCount - startOffset
            case .memory(let input, let start): return max(0, (input.byteCount ?? 0) - start)
            }
        } ?? -1
    }

    /// Moves the offset and returns it, or -1.
    func seek(offset: Int64, whence: Int32) -> Int64 {
        result { () throws(SystemFileError) in
            switch bytes {
            case .file(let file, let startOffset):
                return try file.seek(to: Self.sum(whence == SEEK_SET ? startOffset : 0, offset), from: whence) - startOffset
            case .memory(let input, let start):
                let origin = whence == SEEK_SET ? start : whence == SEEK_CUR ? input.position : input.byteCount ?? 0
                let position = try Self.sum(origin, offset)
                // A read adds to the position.
                guard (start...Int.max / 2).contains(position) else { throw .notSeekable }
                try input.seek(to: position)
                return input.position - start
            }
        } ?? -1
    }

    /// Returns a position, which damaged chunk sizes can move out of the range of integers.
    private static func sum(_ origin: Int, _ offset: Int64) throws(SystemFileError) -> Int {
        let (sum, isTooLarge) = Int64(origin).addingReportingOverflow(offset)
        guard !isTooLarge, let position = Int(exactly: sum) else { throw .notSeekable }
        return position
    }

    /// Reads `count` bytes, or fewer at the end of the file.
    ///
    /// Returns the number of bytes, 0 after an error.
    func read(into target: UnsafeMutableRawPointer?, count: Int) -> Int64 {
        result { () throws(SystemFileError) in
            let target = UnsafeMutableRawBufferPointer(start: target, count: count)
            switch bytes {
            case .file(let file, _): return try file.readFully(into: target)
            case .memory(let input, _):
                let found = try input.readFully(count)
                target.copyBytes(from: found)
                return found.count
            }
        } ?? 0
    }

    /// Sets the file's length after the start offset.
    ///
    /// Returns 0, or -1.
    func setLength(_ length: Int64) -> Int64 {
        result { () throws(SystemFileError) in
            guard case .file(let file, let startOffset) = bytes else { throw .cannotWrite(code: EBADF) }
            guard ftruncate(file.descriptor, off_t(startOffset) + off_t(length)) == 0 else { throw .cannotWrite(code: errno) }
            return 0
        } ?? -1
    }

    /// Writes all bytes.
    ///
    /// Returns their number, 0 after an error.
    func write(_ source: UnsafeRawPointer?, count: Int) -> Int64 {
        result { () throws(SystemFileError) in
            guard case .file(let file, _) = bytes else { throw .cannotWrite(code: EBADF) }
            try file.write(UnsafeRawBufferPointer(start: source, count: count))
            return count
        } ?? 0
    }

    /// Runs `body`.
    ///
    /// On error, records the first one and returns `nil`.
    private func result(_ body: () throws(SystemFileError) -> Int) -> Int64? {
        do throws(SystemFileError) {
            return Int64(try body())
        } catch {
            failure = failure ?? error
            return nil
        }
    }
}
