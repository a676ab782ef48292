// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

#if canImport(CPCMLibraries)
internal import CPCMLibraries

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Darwin)
internal import Darwin
#endif

/// A file as libsndfile sees it: its virtual I/O over a descriptor that stays ours.
///
/// The library never gets the descriptor itself. `sf_open_fd` of libsndfile 1.2.0 closes it when it fails, although it was told not to;
/// whoever closes it again may close a file that another thread has opened meanwhile.
final class SndfileStream {
    /// The error number of the first read, write or seek that failed; 0 if none has.
    private(set) var errorCode: Int32 = 0

    private let descriptor: Int32
    /// The offset of the library's byte 0 in the file.
    private let startOffset: off_t

    /// Makes a stream that starts where `descriptor` stands, which must stay open as long as the stream.
    init(descriptor: Int32) {
        self.descriptor = descriptor
        startOffset = max(0, lseek(descriptor, 0, SEEK_CUR))
    }

    /// Opens the file with the library; nil if the library refuses it.
    func open(_ library: UnsafePointer<LinnetSndfileFunctions>, mode: Int, _ info: inout SF_INFO) -> OpaquePointer? {
        var callbacks = SF_VIRTUAL_IO(
            get_filelen: { SndfileStream.stream($0).length },
            seek: { SndfileStream.stream($2).seek(offset: $0, whence: $1) },
            read: { SndfileStream.stream($2).read(into: $0, count: Int($1)) },
            write: { SndfileStream.stream($2).write($0, count: Int($1)) },
            tell: { SndfileStream.stream($0).seek(offset: 0, whence: SEEK_CUR) })
        return library.pointee.sf_open_virtual(&callbacks, Int32(mode), &info, Unmanaged.passUnretained(self).toOpaque())
    }

    private static func stream(_ userData: UnsafeMutableRawPointer?) -> SndfileStream {
        guard let userData else { preconditionFailure("the library passes the user data that it was given") }
        return Unmanaged.fromOpaque(userData).takeUnretainedValue()
    }

    private var length: sf_count_t {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            note(errno)
            return -1
        }
        return sf_count_t(status.st_size - startOffset)
    }

    private func seek(offset: sf_count_t, whence: Int32) -> sf_count_t {
        let position = lseek(descriptor, whence == SEEK_SET ? startOffset + off_t(offset) : off_t(offset), whence)
        guard position >= 0 else {
            note(errno)
            return -1
        }
        return sf_count_t(position - startOffset)
    }

    /// Reads until `count` bytes are there or the file ends.
    private func read(into target: UnsafeMutableRawPointer?, count: Int) -> sf_count_t {
        transfer(count) { offset in
            #if canImport(Glibc)
            Glibc.read(descriptor, target.map { $0 + offset }, count - offset)
            #else
            Darwin.read(descriptor, target.map { $0 + offset }, count - offset)
            #endif
        }
    }

    private func write(_ bytes: UnsafeRawPointer?, count: Int) -> sf_count_t {
        transfer(count) { offset in
            #if canImport(Glibc)
            Glibc.write(descriptor, bytes.map { $0 + offset }, count - offset)
            #else
            Darwin.write(descriptor, bytes.map { $0 + offset }, count - offset)
            #endif
        }
    }

    /// Repeats `step`, which is given the bytes done so far, until `count` bytes are done; returns fewer at the end of the file or after an
    /// error.
    private func transfer(_ count: Int, _ step: (Int) -> Int) -> sf_count_t {
        var done = 0
        while done < count {
            let more = step(done)
            if more < 0, errno == EINTR { continue }
            if more < 0 { note(errno) }
            guard more > 0 else { break }
            done += more
        }
        return sf_count_t(done)
    }

    private func note(_ code: Int32) {
        if errorCode == 0 { errorCode = code }
    }
}
#endif
