// SPDX-License-Identifier: Apache-2.0

#if MODEL_IOS
import AudioToolbox

/// Audio File Services and Extended Audio File Services, implemented with libsndfile and libFLAC.
///
/// Rules that Apple does not document are switches; a scenario runs with both values.
public final class FileModel {
    /// [A] The maximum number of frames per read, even if more are requested.
    public var framesPerRead = 5000
    /// A scripted error of `ExtAudioFileRead` for reads from this frame onwards.
    public var readFailure: (frame: Int, status: OSStatus)?
    /// A scripted error of one `ExtAudioFileWrite` call, counted from 0.
    public var writeFailure: (call: Int, status: OSStatus)?
    /// [U] Whether MPEG audio decoders output a frame only after they have received the next frame or the end.
    public var decodersLookAhead = false
    /// The number of opened or created files.
    public private(set) var fileCount = 0

    var files: [UInt: ModelFile] = [:]
    var extended: [UInt: ModelExtendedFile] = [:]
    var decoders: [UInt: ModelPacketDecoder] = [:]
    var writeCount = 0
    private var nextHandle: UInt = 0x100_0000

    func handle() -> OpaquePointer? {
        nextHandle += 16
        return OpaquePointer(bitPattern: nextHandle)
    }

    func add(_ file: ModelFile) -> OpaquePointer? {
        fileCount += 1
        let handle = handle()
        files[UInt(bitPattern: handle)] = file
        return handle
    }

    /// Returns an open file; any other handle is a violation.
    func file(_ handle: OpaquePointer, _ call: String) -> ModelFile? {
        let file = files[UInt(bitPattern: handle)]
        if file == nil { machine.violate("\(call) with a file that is not open") }
        return file
    }

    /// Returns an existing extended file; any other handle is a violation.
    func extended(_ handle: OpaquePointer, _ call: String) -> ModelExtendedFile? {
        let file = extended[UInt(bitPattern: handle)]
        if file == nil { machine.violate("\(call) with an extended file that was disposed of") }
        return file
    }

    /// Reports files that are still open as violations.
    func finish() {
        if !extended.isEmpty { machine.violate("an extended file was never disposed of") }
        if !files.isEmpty { machine.violate("a file was never closed") }
        if !decoders.isEmpty { machine.violate("a decoder was never disposed of") }
    }
}

/// Status codes of the file services that the model returns.
public enum FileStatus {
    /// `kExtAudioFileError_InvalidPropertySize`.
    static let badPropertySize: OSStatus = -66562
    /// `kExtAudioFileError_NonPCMClientFormat`.
    static let clientFormatIsNoPCM: OSStatus = -66563
    /// `kExtAudioFileError_InvalidOperationOrder`.
    static let order: OSStatus = -66565
    /// `kExtAudioFileError_InvalidSeek`.
    static let invalidSeek: OSStatus = -66568
    /// `kAudioFileBadPropertySizeError`.
    static let badSize: OSStatus = 0x2173_697A
    /// `kAudioCodecBadDataError`, `bada`.
    static let badData: OSStatus = 0x6261_6461
}

/// A file's callbacks.
struct ModelFileBytes {
    var context: UnsafeMutableRawPointer
    var read: AudioFile_ReadProc
    var write: AudioFile_WriteProc?
    var getSize: AudioFile_GetSizeProc
    var setSize: AudioFile_SetSizeProc?

    /// Reads bytes at a position, or returns `nil` if the callback fails.
    func read(at position: Int64, _ count: Int, into target: UnsafeMutableRawPointer) -> Int? {
        var actual: UInt32 = 0
        let status = read(context, position, UInt32(count), target, &actual)
        if actual > count { machine.violate("a callback read more than requested") }
        return status == noErr ? Int(actual) : nil
    }

    /// Writes bytes at a position in two parts.
    func write(_ bytes: [UInt8], at position: Int64) -> OSStatus {
        guard let write else {
            machine.violate("a file open for reading was written")
            return kAudioFileUnspecifiedError
        }
        let middle = bytes.count / 2
        for range in [middle..<bytes.count, 0..<middle] where !range.isEmpty {
            var actual: UInt32 = 0
            let status = bytes[range].withUnsafeBytes { part in
                part.baseAddress.map { write(context, position + Int64(range.lowerBound), UInt32(range.count), $0, &actual) } ?? noErr
            }
            guard status == noErr, actual == range.count else { return status == noErr ? kAudioFileUnspecifiedError : status }
        }
        return noErr
    }
}

final class ModelFile {
    let bytes: ModelFileBytes
    let type: AudioFileTypeID
    var format: AudioStreamBasicDescription
    /// Reads the samples; `nil` for a file open for writing.
    let reader: SndfileEngine?
    var isWrapped = false

    init(_ bytes: ModelFileBytes, type: AudioFileTypeID, format: AudioStreamBasicDescription, reader: SndfileEngine?) {
        (self.bytes, self.type, self.format, self.reader) = (bytes, type, format, reader)
    }
}

final class ModelExtendedFile {
    let file: ModelFile
    let fileHandle: OpaquePointer
    var client: AudioStreamBasicDescription?
    var position = 0
    /// The written integers, in the high bits.
    var written: [Int32] = []

    init(_ file: ModelFile, _ handle: OpaquePointer) { (self.file, fileHandle) = (file, handle) }
}
#endif
