// SPDX-License-Identifier: Apache-2.0

internal import AudioContainers
internal import AudioPrimitives
public import CLinnet
internal import MPEG4Audio

/// The reader that a handle refers to, with memory for its results.
final class ReaderHandle {
    private let source: UnitSource
    private let format: Int
    private var isEnded = false
    private let unitMemory = LentMemory<UInt8>()
    private let configurationMemory = LentMemory<UInt8>()

    /// Creates a reader of access units in a format, given by a constant of the header.
    init(_ source: UnitSource, format: Int) {
        self.source = source
        self.format = format
    }

    static func open(_ bytes: LibrarySource) throws(ContainerError) -> ReaderHandle {
        guard let found = try ContainerProbe.format(of: bytes) else { throw .unsupportedCodec(nil) }
        let source = try UnitSource.open(bytes, format: found)
        // Containers can contain other codecs.
        guard source.configuration != nil else { throw .unsupportedCodec(nil) }
        return ReaderHandle(source, format: found.number)
    }

    /// Appends bytes to a stream, or ends it.
    func append(_ bytes: [UInt8]) -> ResultCode {
        guard !isEnded, source.append(bytes) else { return LINNET_ERROR_STATE.code }
        isEnded = bytes.isEmpty
        return LINNET_OK.code
    }

    /// Reads the next access unit.
    ///
    /// It is empty at the end, or if a stream needs more bytes.
    func nextUnit() throws(ContainerError) -> linnet_unit {
        guard let unit = try source.nextUnit() else {
            return unsafe linnet_unit(bytes: nil, size: 0, time: 0, duration: 0, sample_rate: 0, blocks: 0)
        }
        let accessUnit = unit.accessUnit
        return unsafe linnet_unit(
            bytes: unitMemory.lend(accessUnit.payload), size: accessUnit.payload.count, time: accessUnit.presentationTime.value,
            duration: UInt32(clamping: accessUnit.duration), sample_rate: UInt32(clamping: accessUnit.presentationTime.timescale),
            blocks: UInt32(clamping: unit.rawDataBlockCount))
    }

    /// Returns the AudioSpecificConfig, if it is known.
    func lendConfiguration(_ bytes: UnsafeMutablePointer<UnsafePointer<UInt8>?>, _ size: UnsafeMutablePointer<Int>) -> Bool {
        guard let configuration = source.configuration?.serialized() else { return false }
        unsafe bytes.pointee = configurationMemory.lend(configuration)
        unsafe size.pointee = configuration.count
        return true
    }

    /// The properties of the file; `nil` while the configuration is unknown.
    var information: linnet_reader_information? {
        guard let configuration = source.configuration else { return nil }
        let metadata = source.metadata
        return linnet_reader_information(
            size: UInt32(MemoryLayout<linnet_reader_information>.size), format: UInt32(format),
            sample_rate: UInt32(clamping: configuration.outputSampleRate), channels: UInt32(clamping: configuration.channelCount ?? 0),
            units: Int64(metadata?.accessUnitCount ?? -1),
            trim: metadata?.gaplessInfo?.trim ?? linnet_trim(priming: 0, valid: -1, padding: 0))
    }

    /// Seeks to a decoded sample frame.
    ///
    /// Returns how many frames to discard after it.
    func seek(toFrame frame: Int) throws(ContainerError) -> Int { try source.seek(toFrame: frame) }
}

extension AudioFileFormat {
    /// The header's constant for the format.
    var number: Int {
        switch self {
        case .adts: LINNET_FORMAT_ADTS
        case .loas: LINNET_FORMAT_LOAS
        case .m4a, .mp4, .threeGPP, .quickTime: LINNET_FORMAT_M4A
        case .fragmentedM4A: LINNET_FORMAT_FRAGMENTED_M4A
        case .caf: LINNET_FORMAT_CAF
        case .transportStream: LINNET_FORMAT_TRANSPORT_STREAM
        #if LINNET_FILES
        case .matroska: LINNET_FORMAT_MATROSKA
        #endif
        default: LINNET_FORMAT_OTHER
        }
    }
}

/// Detects a format.
@c @implementation
public func linnet_probe(_ bytes: UnsafePointer<UInt8>?, _ size: Int, _ format: UnsafeMutablePointer<UInt32>?) -> Int32 {
    guard let front = unsafe Array(bytes, count: min(size, ContainerProbe.byteCount)), let format = unsafe format else {
        return LINNET_ERROR_ARGUMENT.code
    }
    let found = ContainerProbe.format(of: front, isWhole: size <= ContainerProbe.byteCount)
    unsafe format.pointee = UInt32(found?.number ?? LINNET_FORMAT_UNKNOWN)
    return LINNET_OK.code
}

/// Opens a file.
@c @implementation
public func linnet_reader_open_file(_ path: UnsafePointer<CChar>?, _ reader: UnsafeMutablePointer<OpaquePointer?>?) -> Int32 {
    guard let path = unsafe path, let reader = unsafe reader else { return LINNET_ERROR_ARGUMENT.code }
    unsafe reader.pointee = nil
    guard let file = unsafe OpenFile.open(path: path) else { return LINNET_ERROR_FILE.code }
    return unsafe open(.file(file), reader)
}

/// Opens a copy of bytes in memory.
@c @implementation
public func linnet_reader_open_memory(
    _ bytes: UnsafePointer<UInt8>?, _ size: Int, _ reader: UnsafeMutablePointer<OpaquePointer?>?
) -> Int32 {
    guard let reader = unsafe reader else { return LINNET_ERROR_ARGUMENT.code }
    unsafe reader.pointee = nil
    guard let copy = unsafe Array(bytes, count: size) else { return LINNET_ERROR_ARGUMENT.code }
    return unsafe open(.memory(copy), reader)
}

/// Creates a reader for a source and stores its handle.
private func open(_ source: LibrarySource, _ reader: UnsafeMutablePointer<OpaquePointer?>) -> ResultCode {
    do throws(ContainerError) {
        unsafe reader.pointee = Handle.make(try ReaderHandle.open(source))
    } catch {
        return error.resultCode
    }
    return LINNET_OK.code
}

/// Opens a stream whose bytes are appended later.
@c @implementation
public func linnet_reader_open_stream(_ format: UInt32, _ reader: UnsafeMutablePointer<OpaquePointer?>?) -> Int32 {
    guard let reader = unsafe reader else { return LINNET_ERROR_ARGUMENT.code }
    unsafe reader.pointee = nil
    guard let source = UnitSource.stream(format: Int(clamping: format)) else { return LINNET_ERROR_ARGUMENT.code }
    unsafe reader.pointee = Handle.make(ReaderHandle(source, format: Int(clamping: format)))
    return LINNET_OK.code
}

/// Closes a reader.
@c @implementation
public func linnet_reader_close(_ reader: OpaquePointer?) { unsafe Handle.destroy(reader, ReaderHandle.self) }

/// Appends bytes to a stream.
@c @implementation
public func linnet_reader_append(_ reader: OpaquePointer?, _ bytes: UnsafePointer<UInt8>?, _ size: Int) -> Int32 {
    guard let handle: ReaderHandle = unsafe Handle.object(reader), let copy = unsafe Array(bytes, count: size) else {
        return LINNET_ERROR_ARGUMENT.code
    }
    return handle.append(copy)
}

/// Returns the next access unit.
@c @implementation
public func linnet_reader_next(_ reader: OpaquePointer?, _ unit: UnsafeMutablePointer<linnet_unit>?) -> Int32 {
    guard let handle: ReaderHandle = unsafe Handle.object(reader), let unit = unsafe unit else { return LINNET_ERROR_ARGUMENT.code }
    do throws(ContainerError) {
        unsafe unit.pointee = try handle.nextUnit()
    } catch {
        return error.resultCode
    }
    return LINNET_OK.code
}

/// Returns the AudioSpecificConfig.
@c @implementation
public func linnet_reader_configuration(
    _ reader: OpaquePointer?, _ bytes: UnsafeMutablePointer<UnsafePointer<UInt8>?>?, _ size: UnsafeMutablePointer<Int>?
) -> Int32 {
    guard let handle: ReaderHandle = unsafe Handle.object(reader), let bytes = unsafe bytes, let size = unsafe size else {
        return LINNET_ERROR_ARGUMENT.code
    }
    return unsafe handle.lendConfiguration(bytes, size) ? LINNET_OK.code : LINNET_ERROR_STATE.code
}

/// Returns the properties of the file.
@c @implementation
public func linnet_reader_information_get(
    _ reader: OpaquePointer?, _ information: UnsafeMutablePointer<linnet_reader_information>?
) -> Int32 {
    guard let handle: ReaderHandle = unsafe Handle.object(reader), let information = unsafe information,
        unsafe information.pointee.size >= MemoryLayout<linnet_reader_information>.size
    else { return LINNET_ERROR_ARGUMENT.code }
    guard let found = handle.information else { return LINNET_ERROR_STATE.code }
    unsafe information.pointee = found
    return LINNET_OK.code
}

/// Seeks to a decoded sample frame.
@c @implementation
public func linnet_reader_seek(_ reader: OpaquePointer?, _ frame: Int64, _ drop: UnsafeMutablePointer<UInt32>?) -> Int32 {
    guard let handle: ReaderHandle = unsafe Handle.object(reader), let drop = unsafe drop, frame >= 0 else {
        return LINNET_ERROR_ARGUMENT.code
    }
    do throws(ContainerError) {
        unsafe drop.pointee = UInt32(clamping: try handle.seek(toFrame: Int(clamping: frame)))
    } catch {
        return error.resultCode
    }
    return LINNET_OK.code
}
