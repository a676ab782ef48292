// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Darwin)
internal import Darwin
#endif

/// An open file or pipe; it owns its descriptor and closes it once, when it is deallocated.
final class PCMInputFile: Sendable {
    /// The time in milliseconds after which a wait for a pipe checks whether to go on.
    private static let checkInterval: Int32 = 50

    private let path: String
    private let descriptor: Int32

    /// Opens a file; `-` is standard input.
    ///
    /// - Throws: ``DeviceError/file(path:code:)``.
    init(path: String) throws(DeviceError) {
        self.path = path
        descriptor = path == "-" ? dup(0) : open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .file(path: path, code: errno) }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Reads until the buffer is full or the file ends.
    ///
    /// - Parameters:
    ///   - buffer: Receives the bytes.
    ///   - goesOn: Whether to go on; called at least every 50 ms while a pipe delivers nothing.
    /// - Returns: The number of bytes read.
    /// - Throws: ``DeviceError/file(path:code:)``.
    func fill(_ buffer: inout [UInt8], while goesOn: () -> Bool) throws(DeviceError) -> Int {
        var count = 0
        while count < buffer.count, goesOn() {
            var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&request, 1, Self.checkInterval) != 0 else { continue }
            let got = buffer.withUnsafeMutableBytes { bytes in
                read(descriptor, bytes.baseAddress?.advanced(by: count), bytes.count - count)
            }
            if got < 0, errno == EINTR { continue }
            if got < 0 { throw .file(path: path, code: errno) }
            if got == 0 { break }
            count += got
        }
        return count
    }
}
