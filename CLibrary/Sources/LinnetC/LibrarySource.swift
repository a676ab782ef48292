// SPDX-License-Identifier: Apache-2.0

internal import AudioContainers
internal import CPlatform

/// The bytes of a file, or of a copy in memory: one type, so that readers are compiled once.
enum LibrarySource: ByteSource {
    /// An open file.
    case file(OpenFile)
    /// Bytes in memory.
    case memory([UInt8])

    /// The number of bytes.
    var byteCount: Int {
        switch self {
        case .file(let file): file.byteCount
        case .memory(let bytes): bytes.count
        }
    }

    /// Reads bytes; fewer only if the file has become shorter.
    func bytes(in range: Range<Int>) throws(ContainerError) -> [UInt8] {
        switch self {
        case .file(let file): try file.bytes(in: range)
        case .memory(let bytes): Array(bytes[range.clamped(to: 0..<bytes.count)])
        }
    }
}

/// An open file, which is closed with its last reader.
final class OpenFile {
    private let descriptor: Int32
    /// The size of the file when it was opened.
    let byteCount: Int

    /// Takes over an open file.
    private init(descriptor: Int32, byteCount: Int) {
        self.descriptor = descriptor
        self.byteCount = byteCount
    }

    /// Opens a file; `nil` if that fails, with the reason in `errno`.
    static func open(path: UnsafePointer<CChar>) -> OpenFile? {
        let descriptor = unsafe linnet_platform_open(path)
        guard descriptor >= 0 else { return nil }
        let byteCount = Int(clamping: linnet_platform_size(descriptor))
        guard byteCount >= 0 else {
            linnet_platform_close(descriptor)
            return nil
        }
        return OpenFile(descriptor: descriptor, byteCount: byteCount)
    }

    deinit { linnet_platform_close(descriptor) }

    /// Reads bytes; fewer if the file has become shorter.
    func bytes(in range: Range<Int>) throws(ContainerError) -> [UInt8] {
        let range = range.clamped(to: 0..<byteCount)
        var failed = false
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: range.count) { buffer, count in
            let result = unsafe linnet_platform_read(descriptor, buffer.baseAddress, range.count, Int64(range.lowerBound))
            failed = result < 0
            count = max(0, Int(result))
        }
        // The code of the system stays in errno, for the caller in C.
        if failed { throw .inputFailed(code: 0) }
        return bytes
    }
}
