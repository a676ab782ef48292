// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

package import AudioContainers

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Darwin)
internal import Darwin
#endif

/// A file that stands under its own name while it is written, or standard output: for recordings, which have to survive whatever ends them.
package final class DirectOutput {
    package let path: String
    package let descriptor: Int32
    /// Bytes written through ``write(_:)``.
    package private(set) var byteCount = 0
    private var isOpen = true

    /// Makes the file; an existing one is in the way unless `overwrites`.
    package init(path: String, overwrites: Bool) throws(OutputError) {
        guard path != "-" else {
            self.path = "standard output"
            descriptor = 1
            return
        }
        self.path = path
        var status = stat()
        let exists = stat(path, &status) == 0
        if exists, status.st_mode & S_IFMT == S_IFDIR { throw .isFolder(path: path) }
        let isFile = !exists || status.st_mode & S_IFMT == S_IFREG
        if exists, isFile, !overwrites { throw .exists(path: path) }
        let flags = isFile ? O_RDWR | O_CREAT | O_TRUNC | (overwrites ? 0 : O_EXCL) : O_WRONLY
        descriptor = open(path, flags | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw errno == EEXIST ? .exists(path: path) : .cannotCreate(path: path, code: errno) }
    }

    deinit { try? close() }

    package func write(_ bytes: [UInt8]) throws(OutputError) {
        try FileDescriptor(number: descriptor).write(bytes, path: path)
        byteCount += bytes.count
    }

    package func close() throws(OutputError) {
        guard isOpen else { return }
        isOpen = false
        guard descriptor != 1 else { return }
        #if canImport(Glibc)
        let status = Glibc.close(descriptor)
        #else
        let status = Darwin.close(descriptor)
        #endif
        guard status == 0 else { throw OutputError(writing: path, code: errno) }
    }
}

extension DirectOutput: ByteSink {
    package var canOverwrite: Bool { FileDescriptor(number: descriptor).canOverwrite }

    package func append(_ bytes: [UInt8]) throws(ContainerError) {
        do throws(OutputError) {
            try write(bytes)
        } catch {
            throw .outputFailed(code: error.systemCode)
        }
    }

    package func overwrite(_ bytes: [UInt8], at offset: Int) throws(ContainerError) {
        try FileDescriptor(number: descriptor).overwrite(bytes, at: offset)
    }
}
