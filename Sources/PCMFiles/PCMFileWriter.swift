// SPDX-License-Identifier: Apache-2.0

public import AudioPrimitives
package import SystemFiles

#if canImport(CPCMLibraries)
internal import CPCMLibraries
#endif

/// Writes a PCM file.
///
/// WAV, FLAC (also in Ogg) and raw PCM can go to pipes; AIFF and CAF need a file. Integers are rounded to nearest (ties to even) and clipped,
/// and a sample that is not a number becomes silence. Until ``finish()`` the header of a WAV file says that the length is unknown, so that a
/// recording that ends early can be read to its end. A writer belongs to one thread at a time.
public final class PCMFileWriter {
    /// The format that is written.
    public let format: PCMOutputFormat

    /// Sample frames written so far.
    public private(set) var frameCount = 0

    private let path: String
    private let sink: any PCMSink
    /// Sample frames that the file can hold.
    private let frameLimit: Int
    /// The output that ``finish()`` commits; nil if the caller owns the file.
    private var output: FileOutput?

    /// Creates a file that appears under its name when ``finish()`` is called.
    ///
    /// - Parameters:
    ///   - path: The file's path; `-` is standard output.
    ///   - format: The format to write.
    ///   - overwrites: Whether an existing file is replaced.
    /// - Throws: ``AudioFileError`` if the file can't be created, or the format is not supported.
    public convenience init(path: String, format: PCMOutputFormat, overwrites: Bool = false) throws(AudioFileError) {
        let output = try AudioFileError.naming(path) { try FileOutput(path: path, overwrites: overwrites) }
        try self.init(output.file, path: output.path, format: format, pendingByteLimit: 65_536)
        self.output = output
    }

    /// Writes an output without bytes, which the caller commits after ``finish()``.
    ///
    /// - Parameters:
    ///   - output: The output.
    ///   - format: The format to write.
    ///   - pendingByteLimit: The bytes of samples that may be kept in memory to be written together; with 0, the default, none are kept, and
    ///     nothing that was recorded is lost with the program.
    /// - Throws: ``AudioFileError`` if the header can't be written, or the format is not supported.
    public convenience init(to output: OutputFile, format: PCMOutputFormat, pendingByteLimit: Int = 0) throws(AudioFileError) {
        try self.init(output.file, path: output.path, format: format, pendingByteLimit: pendingByteLimit)
    }

    /// Writes a file from the first byte of an open descriptor on, which the caller closes after ``finish()``.
    package convenience init(
        descriptor: Int32, name: String, format: PCMOutputFormat, pendingByteLimit: Int = 0
    ) throws(AudioFileError) {
        try self.init(OpenFile(borrowing: descriptor), path: name, format: format, pendingByteLimit: pendingByteLimit)
    }

    /// Writes an open file, which the caller closes after ``finish()``.
    package init(
        _ file: OpenFile, path: String, format: PCMOutputFormat, pendingByteLimit: Int = 0, sampleByteLimit: Int? = nil
    ) throws(AudioFileError) {
        precondition(format.channelCount > 0 && format.sampleRate > 0, "PCM has a sample rate and channels")
        self.format = format
        self.path = path
        frameLimit = (sampleByteLimit ?? format.file.sampleByteLimit) / format.bytesPerFrame
        guard format.file.canStore(format.encoding) else { throw AudioFileError(.unsupportedOutput(format), path: path) }
        sink = try AudioFileError.naming(path) {
            switch format.file {
            case .raw: return RawSink(SampleOutput(file, encoding: format.encoding, pendingByteLimit: pendingByteLimit))
            case .wav: return try WAVESink(file, path: path, format: format, pendingByteLimit: pendingByteLimit)
            case .aiff, .caf: return try ChunkSink(file, path: path, format: format, pendingByteLimit: pendingByteLimit)
            default: return try Self.platformSink(file, path: path, format: format)
            }
        }
    }

    /// Appends the sample frames of a buffer.
    ///
    /// - Parameter buffer: A buffer with the channel count of ``format``.
    /// - Throws: ``AudioFileError`` if writing fails.
    public func append(_ buffer: PCMBuffer) throws(AudioFileError) {
        precondition(buffer.channelCount == format.channelCount, "the buffer has the file's channels")
        guard buffer.frameCount > 0 else { return }
        try checkLength(adding: buffer.frameCount)
        try AudioFileError.naming(path) { try sink.append(buffer) }
        frameCount += buffer.frameCount
    }

    /// Appends sample frames as they are in memory.
    ///
    /// - Parameter bytes: Whole sample frames, interleaved, in the encoding of ``format``; they are stored unchanged.
    /// - Throws: ``AudioFileError`` if writing fails.
    public func append(bytes: [UInt8]) throws(AudioFileError) {
        precondition(bytes.count % format.bytesPerFrame == 0, "the bytes are whole frames")
        guard !bytes.isEmpty else { return }
        try checkLength(adding: bytes.count / format.bytesPerFrame)
        try AudioFileError.naming(path) { try sink.append(bytes: bytes) }
        frameCount += bytes.count / format.bytesPerFrame
    }

    /// Throws ``AudioFileError/Code/unsupportedContainer`` if the file can't hold some more sample frames.
    private func checkLength(adding count: Int) throws(AudioFileError) {
        guard count <= frameLimit - frameCount else { throw AudioFileError(.tooLong(format.file), path: path) }
    }

    /// Completes the file; nothing can be appended afterwards.
    ///
    /// - Throws: ``AudioFileError`` if writing fails.
    public func finish() throws(AudioFileError) {
        try AudioFileError.naming(path) {
            try sink.finish()
            try output?.commit()
        }
    }

    /// Creates the sink for FLAC, which a library or the system encodes.
    private static func platformSink(_ file: OpenFile, path: String, format: PCMOutputFormat) throws -> any PCMSink {
        #if canImport(CPCMLibraries)
        guard let library = linnet_flac_functions() else { throw AudioFileError(.libraryMissing(.flac), path: path) }
        return try FLACSink(file, path: path, format: format, library)
        #elseif canImport(Darwin)
        return try SystemFLACSink(file, path: path, format: format)
        #else
        throw AudioFileError(.notWrittenHere(format.file), path: path)
        #endif
    }
}
