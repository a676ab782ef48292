// SPDX-License-Identifier: Apache-2.0

#if LINNET_FILES
internal import AudioContainers
internal import AudioPrimitives
public import CLinnet

/// The file that a handle refers to, with memory for its results.
final class FileHandle {
    fileprivate let file: DecodedFile
    private let name = LentMemory<UInt8>()

    fileprivate init(_ file: DecodedFile) { self.file = file }

    fileprivate var information: linnet_file_information {
        linnet_file_information(
            size: UInt32(MemoryLayout<linnet_file_information>.size), format: UInt32(file.format.number),
            sample_rate: UInt32(clamping: file.sampleRate), channels: UInt32(clamping: file.channelCount),
            frames: file.frameCount.map { Int64($0) } ?? -1, position: Int64(file.position), damaged: Int64(file.damagedUnitCount),
            skipped: Int64(file.skippedByteCount), bit_depth: UInt32(clamping: file.bitDepth), reserved: 0)
    }

    fileprivate func lendCodecName() -> UnsafePointer<CChar> { unsafe name.lend(text: file.codecName) }
}

extension LentMemory<UInt8> {
    /// Copies a text and returns its address as a C string.
    func lend(text: String) -> UnsafePointer<CChar> {
        unsafe UnsafeRawPointer(lend(Array(text.utf8) + [0])).assumingMemoryBound(to: CChar.self)
    }
}

/// Opens a file.
@c @implementation
public func linnet_file_open(_ path: UnsafePointer<CChar>?, _ file: UnsafeMutablePointer<OpaquePointer?>?) -> Int32 {
    guard let path = unsafe path, let file = unsafe file else { return LINNET_ERROR_ARGUMENT.code }
    unsafe file.pointee = nil
    guard let opened = unsafe OpenFile.open(path: path) else { return LINNET_ERROR_FILE.code }
    return unsafe open(.file(opened), file)
}

/// Opens a copy of bytes in memory.
@c @implementation
public func linnet_file_open_memory(
    _ bytes: UnsafePointer<UInt8>?, _ size: Int, _ file: UnsafeMutablePointer<OpaquePointer?>?
) -> Int32 {
    guard let file = unsafe file else { return LINNET_ERROR_ARGUMENT.code }
    unsafe file.pointee = nil
    guard let copy = unsafe Array(bytes, count: size) else { return LINNET_ERROR_ARGUMENT.code }
    return unsafe open(.memory(copy), file)
}

/// Opens a source and stores its handle.
private func open(_ source: LibrarySource, _ file: UnsafeMutablePointer<OpaquePointer?>) -> ResultCode {
    do throws(FileFailure) {
        unsafe file.pointee = Handle.make(FileHandle(try DecodedFile(source)))
    } catch {
        return error.code
    }
    return LINNET_OK.code
}

/// Closes a file.
@c @implementation
public func linnet_file_close(_ file: OpaquePointer?) { unsafe Handle.destroy(file, FileHandle.self) }

/// Returns the properties of the file.
@c @implementation
public func linnet_file_information_get(
    _ file: OpaquePointer?, _ information: UnsafeMutablePointer<linnet_file_information>?
) -> Int32 {
    guard let handle: FileHandle = unsafe Handle.object(file), let information = unsafe information,
        unsafe information.pointee.size >= MemoryLayout<linnet_file_information>.size
    else { return LINNET_ERROR_ARGUMENT.code }
    unsafe information.pointee = handle.information
    return LINNET_OK.code
}

/// Returns the name of the codec.
@c @implementation
public func linnet_file_codec(_ file: OpaquePointer?, _ name: UnsafeMutablePointer<UnsafePointer<CChar>?>?) -> Int32 {
    guard let handle: FileHandle = unsafe Handle.object(file), let name = unsafe name else { return LINNET_ERROR_ARGUMENT.code }
    unsafe name.pointee = handle.lendCodecName()
    return LINNET_OK.code
}

/// Decodes the next sample frames.
@c @implementation
public func linnet_file_read(
    _ file: OpaquePointer?, _ samples: UnsafeMutablePointer<Float>?, _ frames: Int, _ written: UnsafeMutablePointer<Int>?
) -> Int32 {
    guard let handle: FileHandle = unsafe Handle.object(file), let written = unsafe written, frames >= 0,
        !frames.multipliedReportingOverflow(by: handle.file.channelCount).overflow
    else { return LINNET_ERROR_ARGUMENT.code }
    unsafe written.pointee = 0
    guard frames > 0 else { return LINNET_OK.code }
    guard let samples = unsafe samples else { return LINNET_ERROR_ARGUMENT.code }
    do throws(FileFailure) {
        try unsafe handle.file.read(into: samples, frameCount: frames, written: &written.pointee)
    } catch {
        return error.code
    }
    return LINNET_OK.code
}

/// Seeks to a sample frame.
@c @implementation
public func linnet_file_seek(_ file: OpaquePointer?, _ frame: Int64) -> Int32 {
    guard let handle: FileHandle = unsafe Handle.object(file), frame >= 0 else { return LINNET_ERROR_ARGUMENT.code }
    do throws(FileFailure) {
        try handle.file.seek(toFrame: Int(clamping: frame))
    } catch {
        return error.code
    }
    return LINNET_OK.code
}
#endif
