// SPDX-License-Identifier: Apache-2.0

internal import AudioContainers
internal import CPlatform

/// The destination of a writer: memory or a file.
///
/// A single type, so that writers are compiled once.
struct LibrarySink: ByteSink {
    private var memory = MemorySink()
    #if LINNET_FILES
    /// The file, or `nil` for memory.
    private let file: CreatedFile?

    init(_ file: CreatedFile? = nil) { self.file = file }
    #endif

    var canOverwrite: Bool { true }

    var byteCount: Int {
        #if LINNET_FILES
        if let file { return file.byteCount }
        #endif
        return memory.byteCount
    }

    mutating func append(_ bytes: [UInt8]) throws(ContainerError) {
        #if LINNET_FILES
        if let file { return try file.append(bytes) }
        #endif
        try memory.append(bytes)
    }

    mutating func overwrite(_ bytes: [UInt8], at offset: Int) throws(ContainerError) {
        #if LINNET_FILES
        if let file { return try file.write(bytes, at: offset) }
        #endif
        try memory.overwrite(bytes, at: offset)
    }

    /// Completes a file, which then has its final name.
    func finish() throws(ContainerError) {
        #if LINNET_FILES
        try file?.finish()
        #endif
    }

    /// Removes and returns the bytes in memory.
    mutating func removeBytes() -> [UInt8] { memory.removeBytes() }
}

#if LINNET_FILES
/// A file that is written in large pieces.
///
/// The last writer closes it. A file that is not complete is removed.
@safe final class CreatedFile {
    private var output: linnet_platform_output
    /// The number of bytes appended so far, including pending ones.
    private(set) var byteCount = 0
    private var pending: [UInt8] = []

    private static let pieceByteCount = 1 << 16

    private init(_ output: linnet_platform_output) { unsafe self.output = output }

    /// Creates a file, and leaves the system's code in `errno` on failure.
    convenience init(path: UnsafePointer<CChar>) throws(ContainerError) {
        var output = unsafe linnet_platform_output()
        // Before allocation: Embedded Swift leaks an object whose initializer throws.
        guard unsafe linnet_platform_create(path, &output) == 0 else { throw .outputFailed(code: 0) }
        unsafe self.init(output)
    }

    deinit { unsafe linnet_platform_discard(&output) }

    func append(_ bytes: [UInt8]) throws(ContainerError) {
        pending += bytes
        byteCount += bytes.count
        if pending.count >= Self.pieceByteCount { try flush() }
    }

    /// Replaces bytes appended earlier.
    func write(_ bytes: [UInt8], at offset: Int) throws(ContainerError) {
        try flush()
        try store(bytes, at: offset)
    }

    /// Writes all pending bytes and renames the file.
    func finish() throws(ContainerError) {
        try flush()
        if unsafe linnet_platform_commit(&output) != 0 { throw .outputFailed(code: 0) }
    }

    /// Writes all pending bytes.
    private func flush() throws(ContainerError) {
        guard !pending.isEmpty else { return }
        try store(pending, at: byteCount - pending.count)
        pending.removeAll(keepingCapacity: true)
    }

    private func store(_ bytes: [UInt8], at offset: Int) throws(ContainerError) {
        let result = unsafe bytes.withUnsafeBytes {
            unsafe linnet_platform_write(output.descriptor, $0.baseAddress, $0.count, Int64(offset))
        }
        // The system's code stays in errno for the C caller.
        if result != 0 { throw .outputFailed(code: 0) }
    }
}
#endif
