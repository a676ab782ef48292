// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

#if canImport(CPCMLibraries)
internal import CPCMLibraries
internal import SystemFiles
internal import SystemLibrary

/// A file as libsndfile sees it: its virtual I/O over an open file.
///
/// The library never gets the descriptor itself. `sf_open_fd` of libsndfile 1.2.0 closes it when it fails, although it was told not to;
/// closing it again could then close a file that another thread has opened meanwhile.
final class SndfileStream {
    /// The first error of the system; nil if there was none.
    private(set) var failure: SystemFileError?

    private let file: OpenFile
    /// The file offset of the library's byte 0.
    private let startOffset: Int

    /// Creates a stream that starts at the current offset of `file`.
    init(_ file: OpenFile) {
        self.file = file
        startOffset = file.offset ?? 0
    }

    /// Opens the file with the library; returns nil if the library rejects it.
    func open(_ library: UnsafePointer<LinnetSndfileFunctions>, mode: Int, _ info: inout SF_INFO) -> OpaquePointer? {
        var callbacks = SF_VIRTUAL_IO(
            get_filelen: { SndfileStream.stream($0).length },
            seek: { SndfileStream.stream($2).seek(offset: $0, whence: $1) },
            read: { SndfileStream.stream($2).read(into: $0, count: Int($1)) },
            write: { SndfileStream.stream($2).write($0, count: Int($1)) },
            tell: { SndfileStream.stream($0).seek(offset: 0, whence: SEEK_CUR) })
        return library.pointee.sf_open_virtual(&callbacks, Int32(mode), &info, Unmanaged.passUnretained(self).toOpaque())
    }

    /// Returns the stream that was passed to the library as user data.
    private static func stream(_ userData: UnsafeMutableRawPointer?) -> SndfileStream {
        guard let userData else { preconditionFailure("the library passes the user data that it was given") }
        return Unmanaged.fromOpaque(userData).takeUnretainedValue()
    }

    /// The size of the file from the start offset on, or -1.
    private var length: sf_count_t {
        result { () throws(SystemFileError) in
            guard let byteCount = try file.status().byteCount else { throw .notSeekable }
            return byteCount - startOffset
        } ?? -1
    }

    /// Moves the offset and returns it, or -1.
    private func seek(offset: sf_count_t, whence: Int32) -> sf_count_t {
        result { () throws(SystemFileError) in
            try file.seek(to: whence == SEEK_SET ? startOffset + Int(offset) : Int(offset), from: whence) - startOffset
        } ?? -1
    }

    /// Reads until `count` bytes are read or the file ends; returns the number of bytes, 0 after an error.
    private func read(into target: UnsafeMutableRawPointer?, count: Int) -> sf_count_t {
        result { () throws(SystemFileError) in
            try file.readFully(into: UnsafeMutableRawBufferPointer(start: target, count: count))
        } ?? 0
    }

    /// Writes all bytes; returns their number, 0 after an error.
    private func write(_ bytes: UnsafeRawPointer?, count: Int) -> sf_count_t {
        result { () throws(SystemFileError) in
            try file.write(UnsafeRawBufferPointer(start: bytes, count: count))
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
