// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
internal import AudioPrimitives
internal import AudioToolbox
internal import SystemLibrary

/// A file that Audio Toolbox reads or writes through callbacks.
///
/// Its samples are converted from or to PCM, whatever the codec.
///
/// The system never gets a path or a descriptor. Memory, parts of files and hidden files therefore work alike.
final class SystemAudioFile {
    private let stream: LibraryStream
    private let file: AudioFileID
    private let extended: ExtAudioFileRef
    private var isOpen = true

    /// Opens a file, or returns `nil` if the system does not recognize its format.
    ///
    /// - Throws: The system error of a failed read, or `CodecError.systemCodec`.
    convenience init?(reading stream: LibraryStream) throws {
        var file: AudioFileID?
        let status = AudioFileOpenWithCallbacks(
            Unmanaged.passUnretained(stream).toOpaque(), { LibraryStream.stream($0).read(at: $1, $2, into: $3, actual: $4) }, nil,
            { LibraryStream.stream($0).length }, nil, 0, &file)
        if let failure = stream.failure { throw failure }
        if status == kAudioFileUnsupportedFileTypeError { return nil }
        try self.init(stream, file, status, isForWriting: false)
    }

    /// Creates a file.
    ///
    /// - Throws: The system error of a failed write, or `CodecError.systemCodec`.
    convenience init(writing stream: LibraryStream, type: AudioFileTypeID, format: AudioStreamBasicDescription) throws {
        var file: AudioFileID?
        var format = format
        let status = AudioFileInitializeWithCallbacks(
            Unmanaged.passUnretained(stream).toOpaque(), { LibraryStream.stream($0).read(at: $1, $2, into: $3, actual: $4) },
            { LibraryStream.stream($0).write(at: $1, $2, from: $3, actual: $4) }, { LibraryStream.stream($0).length },
            { LibraryStream.stream($0).setLength($1) == 0 ? 0 : kAudioFileUnspecifiedError }, type, &format, [], &file)
        if let failure = stream.failure { throw failure }
        try self.init(stream, file, status, isForWriting: true)
    }

    /// Adds a converter to an open file.
    private init(_ stream: LibraryStream, _ file: AudioFileID?, _ status: OSStatus, isForWriting: Bool) throws {
        try Self.check(status, isForWriting ? "AudioFileInitializeWithCallbacks" : "AudioFileOpenWithCallbacks")
        guard let file else { throw CodecError.systemCodec(step: "AudioFile", status: kAudioFileUnspecifiedError) }
        var extended: ExtAudioFileRef?
        let status = ExtAudioFileWrapAudioFileID(file, isForWriting, &extended)
        guard status == 0, let extended else {
            AudioFileClose(file)
            throw CodecError.systemCodec(step: "ExtAudioFileWrapAudioFileID", status: status)
        }
        self.stream = stream
        self.file = file
        self.extended = extended
    }

    deinit { _ = dispose() }

    /// Completes the file by writing the converter's pending data and the header.
    func close() throws {
        let status = dispose()
        if let failure = stream.failure { throw failure }
        try Self.check(status, "AudioFileClose")
    }

    /// Disposes of both objects, the file last.
    ///
    /// Returns the first error.
    private func dispose() -> OSStatus {
        guard isOpen else { return 0 }
        isOpen = false
        let status = ExtAudioFileDispose(extended)
        let closing = AudioFileClose(file)
        return status != 0 ? status : closing
    }

    // MARK: Properties

    func type() throws -> AudioFileTypeID {
        var (value, size) = (AudioFileTypeID(0), UInt32(MemoryLayout<AudioFileTypeID>.size))
        try Self.check(AudioFileGetProperty(file, kAudioFilePropertyFileFormat, &size, &value), "type of the file")
        return value
    }

    /// Returns the sample format in the file.
    func format() throws -> AudioStreamBasicDescription {
        var (value, size) = (AudioStreamBasicDescription(), UInt32(MemoryLayout<AudioStreamBasicDescription>.size))
        try Self.check(ExtAudioFileGetProperty(extended, kExtAudioFileProperty_FileDataFormat, &size, &value), "format of the file")
        return value
    }

    /// Returns the number of sample frames, or `nil` if unknown.
    func frameCount() throws -> Int? {
        var (value, size) = (Int64(0), UInt32(MemoryLayout<Int64>.size))
        let status = ExtAudioFileGetProperty(extended, kExtAudioFileProperty_FileLengthFrames, &size, &value)
        // The system may scan the whole file for this.
        if let failure = stream.failure { throw failure }
        return status == 0 && value >= 0 ? Int(value) : nil
    }

    /// Sets the format of samples to read or write.
    ///
    /// Call it once, before the first one.
    func setClientFormat(_ format: AudioStreamBasicDescription) throws {
        var format = format
        let size = UInt32(MemoryLayout<AudioStreamBasicDescription>.size)
        try Self.check(ExtAudioFileSetProperty(extended, kExtAudioFileProperty_ClientDataFormat, size, &format), "format of the samples")
    }

    // MARK: Samples

    /// Reads the next sample frames into interleaved memory.
    ///
    /// May return fewer than fit; returns 0 at the end.
    func read(into memory: UnsafeMutableRawBufferPointer, channelCount: Int, bytesPerFrame: Int) throws -> Int {
        var list = AudioBufferList(
            mNumberBuffers: 1,
            mBuffers: AudioBuffer(
                mNumberChannels: UInt32(channelCount), mDataByteSize: UInt32(clamping: memory.count), mData: memory.baseAddress))
        var count = UInt32(clamping: memory.count / bytesPerFrame)
        let status = ExtAudioFileRead(extended, &count, &list)
        if let failure = stream.failure { throw failure }
        try Self.check(status, "ExtAudioFileRead")
        return Int(count)
    }

    func write(_ memory: UnsafeRawBufferPointer, channelCount: Int, bytesPerFrame: Int) throws {
        var list = AudioBufferList(
            mNumberBuffers: 1,
            mBuffers: AudioBuffer(
                mNumberChannels: UInt32(channelCount), mDataByteSize: UInt32(clamping: memory.count),
                mData: UnsafeMutableRawPointer(mutating: memory.baseAddress)))
        let status = ExtAudioFileWrite(extended, UInt32(clamping: memory.count / bytesPerFrame), &list)
        if let failure = stream.failure { throw failure }
        try Self.check(status, "ExtAudioFileWrite")
    }

    func seek(toFrame frame: Int) throws {
        let status = ExtAudioFileSeek(extended, Int64(frame))
        if let failure = stream.failure { throw failure }
        try Self.check(status, "ExtAudioFileSeek")
    }

    /// Throws `CodecError.systemCodec` if a step failed.
    private static func check(_ status: OSStatus, _ step: String) throws {
        guard status == 0 else { throw CodecError.systemCodec(step: step, status: status) }
    }
}

// Audio Toolbox callbacks.
extension LibraryStream {
    /// Reads bytes at a position, fewer at the end of the file.
    fileprivate func read(
        at position: Int64, _ count: UInt32, into target: UnsafeMutableRawPointer, actual: UnsafeMutablePointer<UInt32>
    ) -> OSStatus {
        actual.pointee = 0
        guard seek(offset: position, whence: SEEK_SET) == position else { return failure == nil ? 0 : kAudioFileUnspecifiedError }
        actual.pointee = UInt32(read(into: target, count: Int(count)))
        return failure == nil ? 0 : kAudioFileUnspecifiedError
    }

    fileprivate func write(
        at position: Int64, _ count: UInt32, from source: UnsafeRawPointer, actual: UnsafeMutablePointer<UInt32>
    ) -> OSStatus {
        actual.pointee = 0
        guard seek(offset: position, whence: SEEK_SET) == position else { return kAudioFileUnspecifiedError }
        actual.pointee = UInt32(write(source, count: Int(count)))
        return failure == nil ? 0 : kAudioFileUnspecifiedError
    }
}
#endif
