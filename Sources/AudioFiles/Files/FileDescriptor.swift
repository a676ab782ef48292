// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

internal import AudioContainers

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Darwin)
internal import Darwin
#endif

/// An open file of the system, as writing needs it; whoever opened it closes it.
struct FileDescriptor {
    let number: Int32

    /// Whether it is a file and no pipe.
    var canOverwrite: Bool {
        var status = stat()
        return fstat(number, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && lseek(number, 0, SEEK_CUR) >= 0
    }

    /// Writes all bytes; errors name the file `path`.
    func write(_ bytes: [UInt8], path: String) throws(OutputError) {
        var start = 0
        while start < bytes.count {
            let count = bytes[start...].withUnsafeBytes { buffer in
                #if canImport(Glibc)
                Glibc.write(number, buffer.baseAddress, buffer.count)
                #else
                Darwin.write(number, buffer.baseAddress, buffer.count)
                #endif
            }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw OutputError(writing: path, code: errno) }
            start += count
        }
    }

    /// Replaces bytes that were written before.
    func overwrite(_ bytes: [UInt8], at offset: Int) throws(ContainerError) {
        var start = 0
        while start < bytes.count {
            let count = bytes[start...].withUnsafeBytes { pwrite(number, $0.baseAddress, $0.count, off_t(offset + start)) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw .outputFailed(code: errno) }
            start += count
        }
    }
}
