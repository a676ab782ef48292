// SPDX-License-Identifier: Apache-2.0

internal import AudioContainers
internal import CPlatform

/// The bytes of a file or of a copy in memory.
///
/// A single type, so that readers are compiled once.
enum LibrarySource: ByteSource {
    case file(OpenFile)
    case memory([UInt8])

    var byteCount: Int {
        switch self {
        case .file(let file): file.byteCount
        case .memory(let bytes): bytes.count
        }
    }

    /// Reads bytes, fewer only if the file was truncated.
    func bytes(in range: Range<Int>) throws(ContainerError) -> [UInt8] {
        switch self {
        case .file(let file): try file.bytes(in: range)
        case .memory(let bytes): Array(bytes[range.clamped(to: 0..<bytes.count)])
        }
    }
}

/// An open file.
///
/// The last reader closes it.
final class OpenFile {
    private let descriptor: Int32
    /// The file size when it was opened.
    let byteCount: Int

    private init(descriptor: Int32, byteCount: Int) {
        self.descriptor = descriptor
        self.byteCount = byteCount
    }

    /// Opens a file; `nil` on failure, with the reason in `errno`.
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

    /// Reads bytes, fewer if the file was truncated.
    func bytes(in range: Range<Int>) throws(ContainerError) -> [UInt8] {
        let range = range.clamped(to: 0..<byteCount)
        var failed = false
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: range.count) { buffer, count in
            let result = unsafe linnet_platform_read(descriptor, buffer.baseAddress, range.count, Int64(range.lowerBound))
            failed = result < 0
            count = max(0, Int(result))
        }
        // The system's code stays in errno for the C caller.
        if failed { throw .inputFailed(code: 0) }
        return bytes
    }
}
