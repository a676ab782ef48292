// SPDX-License-Identifier: Apache-2.0

internal import AudioContainers
internal import AudioPrimitives
public import CLinnet
internal import MPEG4Audio

/// The writer that a handle refers to, with memory for its results.
final class WriterHandle {
    private let writer: UnitWriter
    /// The clock rate of access units that do not name one.
    private let sampleRate: Int32
    private let keepsBytes: Bool
    /// Frames of the caller per frame of the configuration: 2 if access units have SBR that the configuration does not signal.
    private var factor = 1
    private var isFinished = false
    /// The error of the end, which leaves the output incomplete.
    private var failure: ContainerError?
    private let memory = LentMemory<UInt8>()

    init(_ writer: UnitWriter, sampleRate: Int, keepsBytes: Bool) {
        self.writer = writer
        self.sampleRate = Int32(clamping: sampleRate)
        self.keepsBytes = keepsBytes
    }

    func append(_ payload: [UInt8], _ unit: linnet_unit) throws(ContainerError) {
        let time = unsafe MediaTime(value: unit.time, timescale: unit.sample_rate == 0 ? sampleRate : Int32(clamping: unit.sample_rate))
        if time.timescale == 2 * sampleRate { factor = 2 }
        try writer.append(unsafe AccessUnit(payload: payload, presentationTime: time, duration: Int(clamping: unit.duration)))
    }

    /// Finishes the output.
    func finish(_ gaplessInfo: GaplessInfo?) throws(ContainerError) {
        if let failure { throw failure }
        guard !isFinished else { return }
        isFinished = true
        do throws(ContainerError) {
            try writer.finish(gaplessInfo.map { $0.divided(by: factor) })
        } catch {
            failure = error
            throw error
        }
    }

    /// Whether access units can be appended.
    var acceptsUnits: Bool { !isFinished }

    /// Returns the bytes that were completed since the last call.
    func lendBytes(_ bytes: UnsafeMutablePointer<UnsafePointer<UInt8>?>, _ size: UnsafeMutablePointer<Int>) {
        var removed: [UInt8] = []
        if isFinished || !keepsBytes { removed = writer.removeBytes() }
        unsafe bytes.pointee = memory.lend(removed)
        unsafe size.pointee = removed.count
    }
}

extension GaplessInfo {
    /// Creates gapless information from a C structure; `nil` if a number is negative or too large.
    fileprivate init?(_ trim: linnet_trim) {
        let range: ClosedRange<Int64> = 0...1 << 48
        guard range.contains(trim.priming), range.contains(trim.valid), range.contains(trim.padding) else { return nil }
        self.init(
            primingFrames: Int(clamping: trim.priming), validFrames: Int(clamping: trim.valid),
            remainderFrames: Int(clamping: trim.padding))
    }
}

extension GaplessInfo {
    /// Returns the same part at a lower rate, without losing a valid frame.
    fileprivate func divided(by factor: Int) -> GaplessInfo {
        let (first, end) = (primingFrames / factor, (primingFrames + validFrames + factor - 1) / factor)
        let total = (primingFrames + validFrames + remainderFrames) / factor
        return GaplessInfo(primingFrames: first, validFrames: end - first, remainderFrames: max(0, total - end))
    }
}

extension AudioFileFormat {
    /// The formats that can be written.
    private static let writable: [AudioFileFormat] = [.adts, .loas, .m4a, .fragmentedM4A, .caf, .transportStream]

    /// Creates the format for a constant of the header; `nil` if it cannot be written.
    fileprivate init?(number: UInt32) {
        guard let format = Self.writable.first(where: { $0.number == Int(clamping: number) }) else { return nil }
        self = format
    }
}

/// Creates a writer.
@c @implementation
public func linnet_writer_create(
    _ format: UInt32, _ configuration: UnsafePointer<UInt8>?, _ size: Int, _ priming: UInt32,
    _ writer: UnsafeMutablePointer<OpaquePointer?>?
) -> Int32 {
    unsafe makeWriter(format, configuration, size, priming, writer) { LibrarySink() }
}

#if LINNET_FILES
/// Creates a writer to a file.
@c @implementation
public func linnet_writer_open_file(
    _ path: UnsafePointer<CChar>?, _ format: UInt32, _ configuration: UnsafePointer<UInt8>?, _ size: Int, _ priming: UInt32,
    _ writer: UnsafeMutablePointer<OpaquePointer?>?
) -> Int32 {
    guard let path = unsafe path else { return LINNET_ERROR_ARGUMENT.code }
    return unsafe makeWriter(format, configuration, size, priming, writer) { () throws(ContainerError) in
        LibrarySink(try unsafe CreatedFile(path: path))
    }
}
#endif

/// Creates a writer and stores its handle.
///
/// Opens the sink after checking all other arguments.
private func makeWriter(
    _ format: UInt32, _ configuration: UnsafePointer<UInt8>?, _ size: Int, _ priming: UInt32,
    _ writer: UnsafeMutablePointer<OpaquePointer?>?, openSink: () throws(ContainerError) -> LibrarySink
) -> ResultCode {
    guard let writer = unsafe writer else { return LINNET_ERROR_ARGUMENT.code }
    unsafe writer.pointee = nil
    guard let format = AudioFileFormat(number: format), let bytes = unsafe Array(configuration, count: size), !bytes.isEmpty else {
        return LINNET_ERROR_ARGUMENT.code
    }
    let parsed: AudioSpecificConfig
    do throws(CodecError) { parsed = try AudioSpecificConfig(parsing: bytes) } catch { return error.resultCode }
    do throws(ContainerError) {
        // Checks the configuration before a file is replaced.
        _ = try UnitWriter.make(format, to: LibrarySink(), parsed, priming: Int(clamping: priming))
        let made = try UnitWriter.make(format, to: try openSink(), parsed, priming: Int(clamping: priming))
        unsafe writer.pointee = Handle.make(
            WriterHandle(made, sampleRate: parsed.outputSampleRate, keepsBytes: format.needsOverwriting))
    } catch {
        return error.resultCode
    }
    return LINNET_OK.code
}

/// Destroys a writer.
@c @implementation
public func linnet_writer_destroy(_ writer: OpaquePointer?) { unsafe Handle.destroy(writer, WriterHandle.self) }

/// Appends an access unit.
@c @implementation
public func linnet_writer_append(_ writer: OpaquePointer?, _ unit: UnsafePointer<linnet_unit>?) -> Int32 {
    guard let handle: WriterHandle = unsafe Handle.object(writer), let unit = unsafe unit,
        let payload = unsafe Array(unit.pointee.bytes, count: unit.pointee.size)
    else { return LINNET_ERROR_ARGUMENT.code }
    guard handle.acceptsUnits else { return LINNET_ERROR_STATE.code }
    guard unsafe unit.pointee.blocks <= 1 else { return LINNET_ERROR_UNSUPPORTED.code }
    do throws(ContainerError) {
        try unsafe handle.append(payload, unit.pointee)
    } catch {
        return error.resultCode
    }
    return LINNET_OK.code
}

/// Finishes the output.
@c @implementation
public func linnet_writer_finish(_ writer: OpaquePointer?, _ trim: UnsafePointer<linnet_trim>?) -> Int32 {
    guard let handle: WriterHandle = unsafe Handle.object(writer) else { return LINNET_ERROR_ARGUMENT.code }
    var gaplessInfo: GaplessInfo?
    if let trim = unsafe trim {
        gaplessInfo = unsafe GaplessInfo(trim.pointee)
        guard gaplessInfo != nil else { return LINNET_ERROR_ARGUMENT.code }
    }
    do throws(ContainerError) {
        try handle.finish(gaplessInfo)
    } catch {
        return error.resultCode
    }
    return LINNET_OK.code
}

/// Returns completed bytes.
@c @implementation
public func linnet_writer_bytes(
    _ writer: OpaquePointer?, _ bytes: UnsafeMutablePointer<UnsafePointer<UInt8>?>?, _ size: UnsafeMutablePointer<Int>?
) -> Int32 {
    guard let handle: WriterHandle = unsafe Handle.object(writer), let bytes = unsafe bytes, let size = unsafe size else {
        return LINNET_ERROR_ARGUMENT.code
    }
    unsafe handle.lendBytes(bytes, size)
    return LINNET_OK.code
}
