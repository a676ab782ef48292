// SPDX-License-Identifier: Apache-2.0

package import AudioMetadata
public import AudioPrimitives
package import SystemFiles

#if canImport(CPCMLibraries)
internal import CPCMLibraries
#endif

/// Writes a PCM file.
///
/// WAV, FLAC (also in Ogg) and raw PCM can be written to pipes; AIFF and CAF require a file. Integers are rounded to nearest (ties to even)
/// and clipped. A sample that is not a number becomes silence. Until ``finish()``, a WAV header signals an unknown length, and in a
/// recording the length up to the last second. Use a writer from one thread at a time.
public final class PCMFileWriter {
    /// The output format.
    public let format: PCMOutputFormat

    /// The number of sample frames written so far.
    public private(set) var frameCount = 0

    private let path: String
    private let sink: any PCMSink
    /// The maximum number of sample frames in the file.
    private let frameLimit: Int
    /// The output that ``finish()`` commits, or `nil` if the caller owns the file.
    private var output: FileOutput?

    /// Creates a file that becomes visible when ``finish()`` is called.
    ///
    /// - Parameters:
    ///   - path: The file's path, or `-` for standard output.
    ///   - format: The output format.
    ///   - overwrites: Whether to replace an existing file.
    /// - Throws: ``AudioFileError`` if the file cannot be created, or the format is not supported.
    public convenience init(path: String, format: PCMOutputFormat, overwrites: Bool = false) throws(AudioFileError) {
        let output = try AudioFileError.naming(path) { try FileOutput(path: path, overwrites: overwrites) }
        try self.init(output.file, path: output.path, format: format, pendingByteLimit: 65_536)
        self.output = output
    }

    /// Writes to an empty output, which the caller commits after ``finish()``.
    ///
    /// - Parameters:
    ///   - output: The output.
    ///   - format: The output format.
    ///   - pendingByteLimit: The maximum number of sample bytes to buffer in memory. With 0, the default, none are buffered, and a crash
    ///     loses no recorded samples.
    /// - Throws: ``AudioFileError`` if the header cannot be written, or the format is not supported.
    public convenience init(to output: OutputFile, format: PCMOutputFormat, pendingByteLimit: Int = 0) throws(AudioFileError) {
        try self.init(output.file, path: output.path, format: format, pendingByteLimit: pendingByteLimit)
    }

    /// Writes to an open descriptor, which the caller closes after ``finish()``.
    package convenience init(
        descriptor: Int32, name: String, format: PCMOutputFormat, pendingByteLimit: Int = 0
    ) throws(AudioFileError) {
        try self.init(OpenFile(borrowing: descriptor), path: name, format: format, pendingByteLimit: pendingByteLimit)
    }

    /// Writes to an open file, which the caller closes after ``finish()``.
    package init(
        _ file: OpenFile, path: String, format: PCMOutputFormat, pendingByteLimit: Int = 0, sampleByteLimit: Int? = nil
    ) throws(AudioFileError) {
        let samples = AudioFormat(format.encoding, sampleRate: format.sampleRate, channelCount: format.channelCount)
        guard (try? samples.validate()) != nil, format.file.canStore(format.encoding) else {
            throw AudioFileError(.unsupportedOutput(format), path: path)
        }
        self.format = format
        self.path = path
        let tagByteCount = format.file == .aiff ? WrittenTags(format.tags, format).byteCount : 0
        frameLimit = max(0, (sampleByteLimit ?? format.file.sampleByteLimit) - tagByteCount) / format.bytesPerFrame
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

    /// Appends sample frames without conversion.
    ///
    /// - Parameter bytes: Complete, interleaved sample frames in the encoding of ``format``.
    /// - Throws: ``AudioFileError`` if writing fails.
    public func append(bytes: [UInt8]) throws(AudioFileError) {
        precondition(bytes.count % format.bytesPerFrame == 0, "the bytes are whole frames")
        guard !bytes.isEmpty else { return }
        try checkLength(adding: bytes.count / format.bytesPerFrame)
        try AudioFileError.naming(path) { try sink.append(bytes: bytes) }
        frameCount += bytes.count / format.bytesPerFrame
    }

    /// Throws ``AudioFileError/Code/unsupportedContainer`` if `count` more sample frames would exceed the limit of the file format.
    private func checkLength(adding count: Int) throws(AudioFileError) {
        guard count <= frameLimit - frameCount else { throw AudioFileError(.tooLong(format.file), path: path) }
    }

    /// Replaces the chapters of the format's tags, for those known only at the end.
    ///
    /// - Returns: Whether the file can store them. False for pipes, CAF, Ogg and raw PCM; for FLAC if they exceed the reserved space.
    /// - Throws: ``AudioFileError`` if writing fails.
    package func setChapters(_ chapters: [AudioTags.Chapter]) throws(AudioFileError) -> Bool {
        try AudioFileError.naming(path) { try sink.setChapters(chapters) }
    }

    /// Completes the file.
    ///
    /// Later appends are not allowed.
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
