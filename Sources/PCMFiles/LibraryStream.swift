// SPDX-License-Identifier: Apache-2.0

#if canImport(CPCMLibraries)
internal import CPCMLibraries
internal import SystemFiles
internal import SystemLibrary

/// A file as the libraries that read and write formats see it: callbacks over an open file, parts of one or bytes in memory.
///
/// A library never gets the descriptor itself. `sf_open_fd` of libsndfile 1.2.0 closes it when it fails, although it was told not to;
/// closing it again could then close a file that another thread has opened meanwhile.
final class LibraryStream {
    /// The first error of the system; nil if there was none.
    private(set) var failure: SystemFileError?

    private let bytes: Bytes

    /// The bytes that the library reads or writes.
    private enum Bytes {
        /// A file; the offset is that of the library's byte 0.
        case file(OpenFile, startOffset: Int)
        /// An input in memory, or of parts of a file; the position is that of the library's byte 0.
        case memory(FileInput, start: Int)
    }

    /// Creates a stream that starts at the current offset of `file`.
    init(_ file: OpenFile) { bytes = .file(file, startOffset: file.offset ?? 0) }

    /// Creates a stream of the bytes of an input from its current position on, which it was moved to last.
    convenience init(_ input: FileInput) {
        if let file = input.file { self.init(file) } else { self.init(memory: input) }
    }

    /// Creates a stream of bytes in memory or of parts of a file.
    private init(memory input: FileInput) { bytes = .memory(input, start: input.position) }

    /// Opens the file with libsndfile; returns nil if the library rejects it.
    func open(_ library: UnsafePointer<LinnetSndfileFunctions>, mode: Int, _ info: inout SF_INFO) -> OpaquePointer? {
        var callbacks = SF_VIRTUAL_IO(
            get_filelen: { LibraryStream.stream($0).length },
            seek: { LibraryStream.stream($2).seek(offset: $0, whence: $1) },
            read: { LibraryStream.stream($2).read(into: $0, count: Int($1)) },
            write: { LibraryStream.stream($2).write($0, count: Int($1)) },
            tell: { LibraryStream.stream($0).seek(offset: 0, whence: SEEK_CUR) })
        return library.pointee.sf_open_virtual(&callbacks, Int32(mode), &info, Unmanaged.passUnretained(self).toOpaque())
    }

    /// Returns the stream that was passed to the library as user data.
    static func stream(_ userData: UnsafeMutableRawPointer?) -> LibraryStream {
        guard let userData else { preconditionFailure("the library passes the user data that it was given") }
        return Unmanaged.fromOpaque(userData).takeUnretainedValue()
    }

    /// The size of the file from the start offset on, or -1.
    var length: sf_count_t {
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
    func seek(offset: sf_count_t, whence: Int32) -> sf_count_t {
        result { () throws(SystemFileError) in
            switch bytes {
            case .file(let file, let startOffset):
                return try file.seek(to: whence == SEEK_SET ? startOffset + Int(offset) : Int(offset), from: whence) - startOffset
            case .memory(let input, let start):
                let origin = whence == SEEK_SET ? start : whence == SEEK_CUR ? input.position : input.byteCount ?? 0
                try input.seek(to: origin + Int(offset))
                return input.position - start
            }
        } ?? -1
    }

    /// Reads until `count` bytes are read or the file ends; returns the number of bytes, 0 after an error.
    func read(into target: UnsafeMutableRawPointer?, count: Int) -> sf_count_t {
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

    /// Writes all bytes; returns their number, 0 after an error.
    func write(_ source: UnsafeRawPointer?, count: Int) -> sf_count_t {
        result { () throws(SystemFileError) in
            guard case .file(let file, _) = bytes else { throw .cannotWrite(code: EBADF) }
            try file.write(UnsafeRawBufferPointer(start: source, count: count))
            return count
        } ?? 0
    }

    /// Runs `body`; records the first error, and returns nil then.
    private func result(_ body: () throws(SystemFileError) -> Int) -> sf_count_t? {
        do throws(SystemFileError) {
            return sf_count_t(try body())
        } catch {
            failure = failure ?? error
            return nil
        }
    }
}
#endif
