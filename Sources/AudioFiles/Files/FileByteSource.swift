// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

public import AudioContainers

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Darwin)
internal import Darwin
#endif

/// The bytes of an open file, at any place.
public final class FileByteSource: ByteSource {
    /// The length of the file when it was opened.
    public let byteCount: Int

    private let descriptor: Int32

    /// Opens a regular file; nil for anything else.
    init?(path: String) {
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        var status = stat()
        let isRegular = descriptor >= 0 && fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
        byteCount = isRegular ? Int(status.st_size) : 0
        // The deinitialiser runs here too, and closes.
        guard isRegular else { return nil }
    }

    deinit { close(descriptor) }

    /// The bytes in `range`; fewer if the file has shrunk.
    public func bytes(in range: Range<Int>) throws(ContainerError) -> [UInt8] {
        var code: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: range.count) { buffer, count in
            count = 0
            while count < range.count {
                let got = pread(descriptor, buffer.baseAddress.map { $0 + count }, range.count - count, off_t(range.lowerBound + count))
                if got < 0 && errno == EINTR { continue }
                if got < 0 { code = errno }
                guard got > 0 else { break }
                count += got
            }
        }
        guard code == 0 else { throw .inputFailed(code: code) }
        return bytes
    }
}
