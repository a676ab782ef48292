// SPDX-License-Identifier: Apache-2.0

internal import AudioMetadata
package import AudioPrimitives
package import SystemFiles

/// Reads a PCM file or pipe sequentially, as 32-bit floating point or in a lossless encoding.
///
/// WAV (8 to 32 bits, floating point, extensible, RF64, BW64) and headerless PCM are read from files and pipes. Placeholder lengths in a
/// header are ignored, also in unfinished recordings by this library: reading stops at the end of the samples.
///
/// On Linux, libFLAC reads FLAC, libmpg123 reads MP3, and libsndfile reads other formats except AIFF and CAF with PCM (Ogg, compressed
/// WAV). On Apple platforms, Audio Toolbox reads them. From a pipe they are first copied to a temporary file. The format is detected from
/// the contents, never from the file name. Use a reader from one thread at a time.
package final class PCMFileReader {
    package var properties: PCMFileProperties { source.properties }

    /// The encoding that represents all samples without loss: the file's for WAV and headerless PCM, otherwise a little-endian one.
    package var encoding: SampleEncoding { source.encoding }

    /// Recoverable problems of the file.
    ///
    /// Complete after everything is read.
    package var warnings: [PCMFileWarning] { source.warnings + (isEmpty ? [.empty(path: path)] : []) }

    /// The index of the next sample frame to read.
    package private(set) var position = 0

    /// Whether several readers can read parts of the file in parallel.
    ///
    /// Each then returns the same samples after ``seek(toFrame:)`` as after reading everything before.
    ///
    /// False for pipes, standard input, and formats whose samples depend on earlier ones, such as MP3.
    package let allowsSharedReading: Bool

    private let path: String
    private let source: any PCMFileSource
    /// Whether reading ended before the first sample frame of a nonempty file.
    private var isEmpty = false

    /// Opens a file.
    ///
    /// - Parameters:
    ///   - path: The file's path, or `-` for standard input.
    ///   - raw: The interleaved format of headerless PCM, or `nil` to detect the format.
    /// - Throws: ``AudioFileError`` if the file cannot be opened or is not PCM.
    package convenience init(path: String, raw: AudioFormat? = nil) throws(AudioFileError) {
        try self.init(try AudioFileError.naming(path) { try FileInput(path: path) }, raw: raw)
    }

    /// Opens a file in memory.
    ///
    /// - Parameter raw: The interleaved format of headerless PCM, or `nil` to detect the format.
    /// - Throws: ``AudioFileError`` if the bytes are not PCM.
    package convenience init(bytes: [UInt8], raw: AudioFormat? = nil) throws(AudioFileError) {
        try self.init(FileInput(bytes: bytes), raw: raw)
    }

    /// Reads an open file from its current position.
    ///
    /// - Parameters:
    ///   - raw: The interleaved format of headerless PCM, or `nil` to detect the format.
    ///   - number: The number of the stream to read among the audio streams of Ogg, from 1, or `nil` for the first supported one.
    package init(_ input: FileInput, raw: AudioFormat? = nil, oggTrack number: Int? = nil) throws(AudioFileError) {
        path = input.path
        source = try AudioFileError.naming(input.path) { try Self.source(input, raw: raw, oggTrack: number) }
        allowsSharedReading = input.canReopen && source.seeksExactly
    }

    /// Reads a source from another module.
    ///
    /// - Parameters:
    ///   - source: The source, at its first frame.
    ///   - path: The path of the file in errors.
    ///   - allowsSharedReading: Whether the file can be opened several times.
    package init(_ source: any PCMFileSource, path: String, allowsSharedReading: Bool) {
        self.path = path
        self.source = source
        self.allowsSharedReading = allowsSharedReading && source.seeksExactly
    }

    private static func source(_ input: FileInput, raw: AudioFormat?, oggTrack: Int?) throws -> any PCMFileSource {
        if let raw {
            guard (try? raw.validate()) != nil, raw.isInterleaved else {
                let reason = "raw PCM must be interleaved, with 1 Hz to 1 GHz and 1 to 1024 channels"
                throw AudioFileError(.unrecognizedFormat(reason: reason), path: input.path)
            }
            return PlainPCMSource(input, raw)
        }
        if try input.peek(1).isEmpty { throw AudioFileError(.unrecognizedFormat(reason: "it is empty"), path: input.path) }
        if input.fileSize == nil, !(try isWAV(input)) {
            return try source(try spooled(input, check: refuseUnknown), raw: nil, oggTrack: oggTrack)
        }
        guard let source = try detectedSource(input, oggTrack: oggTrack) else { throw unknownFormat(input) }
        return source
    }

    private static func unknownFormat(_ input: FileInput) -> AudioFileError {
        AudioFileError(.unrecognizedFormat(reason: "its first bytes match no known format"), path: input.path)
    }

    /// Throws if the start of a pipe has no known format, so that endless input does not fill the disk.
    private static func refuseUnknown(_ start: FileInput) throws {
        guard !MPEGAudioStart.isForeign(Array(try start.peek(12))) else { return }
        let source: (any PCMFileSource)?
        // Other errors can be due to the missing end.
        do { source = try detectedSource(start, oggTrack: nil) } catch { return }
        if source == nil { throw unknownFormat(start) }
    }

    /// Opens a file after detecting its format, or returns `nil` if it is unknown.
    private static func detectedSource(_ input: FileInput, oggTrack: Int?) throws -> (any PCMFileSource)? {
        guard try input.skipID3v2Tags() else { throw AudioFileError(.unrecognizedFormat(reason: "it ends in a tag"), path: input.path) }
        if let header = try WAVEHeader(reading: input) {
            if header.holdsMPEGAudio { return try mpegAudio(in: input, header) }
            try refuseCodedFrames(input, header)
            return PlainPCMSource(input, header: header.plain)
        }
        if let source = try PlainPCMSource(chunksOf: input) { return source }
        if let blocks = try VOCBlocks(input) {
            let samples = try input.joining(blocks.ranges.map { $0.lowerBound + input.startOffset..<$0.upperBound + input.startOffset })
            return PlainPCMSource(samples, blocks.format, containerName: "VOC")
        }
        // The header was already consumed from the pipe.
        guard input.fileSize != nil else { throw compressedWAVInPipe(input) }
        return try platformSource(input, oggTrack: oggTrack)
    }

    /// Copies a pipe to a temporary file.
    ///
    /// - Parameter check: Receives the incomplete copy when it is as long as any search for a format. Throws to end copying.
    package static func spooled(_ input: FileInput, check: (FileInput) throws -> Void = { _ in }) throws -> FileInput {
        do {
            return try input.spooled(checkedCount: MPEGAudioStart.searchLimit + FileInput.peekLimit, check: check)
        } catch let error as SystemFileError {
            // Write errors concern the copy.
            if case .cannotRead = error { throw error }
            throw AudioFileError(error, path: OpenFile.temporaryFolder)
        }
    }

    /// Throws if the samples of a 16-bit WAV file are frames of a codec.
    private static func refuseCodedFrames(_ input: FileInput, _ header: WAVEHeader) throws {
        guard header.encoding == .int16 else { return }
        let front = Array(try input.peek(codedFramesLimit))
        let found = WAVEHeader.isACT(front, position: input.position) ? "G.729 (ACT)" : CodedFrames(in: front)?.rawValue
        guard let found else { return }
        let reason = "its samples are \(found); \(AudioFileError.conversionAdvice(input.path))"
        throw AudioFileError(.unrecognizedFormat(reason: reason), path: input.path)
    }

    /// The number of sample bytes to search for frames of a codec.
    private static let codedFramesLimit = 16_384

    private static func compressedWAVInPipe(_ input: FileInput) -> AudioFileError {
        AudioFileError(.unrecognizedFormat(reason: "compressed WAV is not supported in pipes"), path: input.path)
    }

    /// Opens the MPEG audio in a WAV file, after its header.
    private static func mpegAudio(in input: FileInput, _ header: WAVEHeader) throws -> any PCMFileSource {
        guard let present = input.bytesRemaining else { throw compressedWAVInPipe(input) }
        let declared = header.declaredByteCount.flatMap { $0 > 0 ? $0 : nil } ?? present
        let first = input.startOffset + input.position
        let frames = try input.joining([first..<first + min(declared, present)])
        guard let start = try MPEGAudioStart(leading: frames) ?? MPEGAudioStart(searching: frames) else {
            throw AudioFileError(.unrecognizedFormat(reason: "it has no MPEG audio frames"), path: input.path)
        }
        return try mpegAudioSource(frames, start, tags: AudioTags(reading: input))
    }

    /// Opens a format that a library or the system decodes, or returns `nil` if it is unknown.
    private static func platformSource(_ input: FileInput, oggTrack: Int?) throws -> (any PCMFileSource)? {
        if let source = try composedSource(input, audioTrack: oggTrack) { return source }
        if let isOgg = try FLACHeader.isOgg(input), let source = try flacSource(input, isOgg: isOgg) { return source }
        if let start = try MPEGAudioStart(leading: input) { return try mpegAudioSource(input, start) }
        if try MPEGAudioStart.beginsWithSync(input) {
            if let start = try MPEGAudioStart(searching: input) { return try mpegAudioSource(input, start) }
            if let source = try searchedFLAC(input) { return source }
            throw AudioFileError(.unrecognizedFormat(reason: "it has no MPEG audio frames"), path: input.path)
        }
        if let source = try namingCodec(of: input, { try otherSource(input) }) { return source }
        if let start = try MPEGAudioStart(searching: input) { return try mpegAudioSource(input, start) }
        return try searchedFLAC(input)
    }

    /// Opens a source, and names the codec in the header if it is unsupported.
    private static func namingCodec(of input: FileInput, _ open: () throws -> (any PCMFileSource)?) throws -> (any PCMFileSource)? {
        do {
            return try open()
        } catch let error as AudioFileError where error.pcmFault != nil {
            guard let codec = try CompressedHeader.codec(of: input) else { throw error }
            throw AudioFileError(.unsupportedCodec(codec), path: input.path)
        }
    }

    /// Opens FLAC that starts after other bytes or has no metadata, if any.
    private static func searchedFLAC(_ input: FileInput) throws -> (any PCMFileSource)? {
        guard let start = try FLACStart(searching: input) else { return nil }
        return try flacSource(start.input, isOgg: false, skippedByteCount: start.skippedByteCount)
    }

    /// Reads the next sample frames into `buffer`, filling it except at the end.
    ///
    /// It is empty after the end.
    ///
    /// - Parameter buffer: A buffer with the file's channel count.
    /// - Throws: ``AudioFileError`` if the file cannot be read or decoded.
    package func read(into buffer: inout PCMBuffer) throws(AudioFileError) {
        precondition(buffer.channelCount == properties.channelCount, "the buffer has the file's channels")
        try AudioFileError.naming(path) { try source.read(into: &buffer) }
        position += buffer.frameCount
        if buffer.frameCount == 0, buffer.frameCapacity > 0 { checkLength() }
    }

    /// Reads the next sample frames as interleaved bytes in ``encoding``, without loss.
    ///
    /// - Parameters:
    ///   - frameCount: The number of frames to read. Fewer are read only at the end, and none after it.
    ///   - bytes: The array to replace.
    /// - Throws: ``AudioFileError`` if the file cannot be read or decoded.
    package func read(_ frameCount: Int, into bytes: inout [UInt8]) throws(AudioFileError) {
        try AudioFileError.naming(path) { try source.read(frameCount, into: &bytes) }
        position += bytes.count / (encoding.byteCount * properties.channelCount)
        if bytes.isEmpty, frameCount > 0 { checkLength() }
    }

    /// Records at the end whether there was a sample frame.
    private func checkLength() {
        isEmpty = position == 0 && properties.frameCount != 0 && !(source is PlainPCMSource)
    }

    /// Whether ``seek(toFrame:)`` is supported.
    ///
    /// False for pipes.
    package var canSeek: Bool { source.canSeek }

    /// Moves to a sample frame.
    ///
    /// - Throws: ``AudioFileError/Code/notSeekable`` for pipes.
    package func seek(toFrame frame: Int) throws(AudioFileError) {
        try AudioFileError.naming(path) { try source.seek(toFrame: frame) }
        position = frame
    }

    /// Whether the file has the signature of WAV, RF64 or BW64.
    private static func isWAV(_ input: FileInput) throws -> Bool {
        WAVEHeader.signatures.contains(String(decoding: try input.peek(4), as: UTF8.self))
    }
}
