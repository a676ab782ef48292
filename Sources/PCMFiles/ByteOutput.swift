// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Darwin)
internal import Darwin
#endif

/// An open descriptor that bytes are written to, whole or not at all.
struct ByteOutput {
    let descriptor: Int32
    let path: String

    /// Whether earlier bytes can be written again.
    var isSeekable: Bool { lseek(descriptor, 0, SEEK_CUR) >= 0 }

    /// Writes all bytes.
    func write(_ bytes: ArraySlice<UInt8>) throws(PCMFileError) {
        var start = bytes.startIndex
        while start < bytes.endIndex {
            let count = bytes[start...].withUnsafeBytes { buffer in
                #if canImport(Glibc)
                Glibc.write(descriptor, buffer.baseAddress, buffer.count)
                #else
                Darwin.write(descriptor, buffer.baseAddress, buffer.count)
                #endif
            }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .cannotWrite(path: path, code: errno) }
            start += count
        }
    }

    /// Goes to a byte counted from the first.
    func seek(to position: Int) throws(PCMFileError) {
        guard lseek(descriptor, off_t(position), SEEK_SET) >= 0 else { throw .cannotWrite(path: path, code: errno) }
    }
}
