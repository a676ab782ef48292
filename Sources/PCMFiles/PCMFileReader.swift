// SPDX-License-Identifier: Apache-2.0

package import AudioPrimitives
package import SystemFiles

/// Reads a PCM file or pipe forwards, as 32-bit floating-point samples or in an encoding that holds all that the file has.
///
/// WAV (8 to 32 bits, floating point, extensible, RF64, BW64) and PCM without a header are read from files and pipes. A length in a header that
/// no writer can have meant, and that of an unfinished recording of this library, is not trusted: reading ends with the samples. On Linux FLAC is
/// read through libFLAC, MP3 through libmpg123, and other formats but AIFF and CAF of PCM (Ogg, compressed WAV) through libsndfile; on Apple's
/// systems through Audio Toolbox. From a pipe they are first copied to a temporary file. The contents decide, never the file name. A reader belongs to one thread at a time.
package final class PCMFileReader {
    /// The format and length of the file.
    package var properties: PCMFileProperties { source.properties }

    /// The encoding that holds all samples of the file: in WAV and PCM without a header that of the file, else one with the least significant
    /// byte first.
    package var encoding: SampleEncoding { source.encoding }

    /// Problems of the file that did not prevent reading; complete once everything is read.
    package var warnings: [PCMFileWarning] { source.warnings + (isEmpty ? [.empty(path: path)] : []) }

    /// The index of the sample frame that is read next.
    package private(set) var position = 0

    /// Whether several readers can read parts of the file in parallel: each gives the same samples after ``seek(toFrame:)`` as one that
    /// read everything before.
    ///
    /// False for pipes, standard input, and formats such as MP3 whose samples depend on earlier ones.
    package let allowsSharedReading: Bool

    private let path: String
    private let source: any PCMFileSource
    /// Whether reading ended before the first sample frame, although the file is not one without samples.
    private var isEmpty = false

    /// Opens a file.
    ///
    /// - Parameters:
    ///   - path: The file's path; `-` is standard input.
    ///   - raw: The format of PCM without a header, interleaved; nil to detect the format.
    /// - Throws: ``AudioFileError`` if the file can't be opened or is not PCM.
    package convenience init(path: String, raw: AudioFormat? = nil) throws(AudioFileError) {
        try self.init(try AudioFileError.naming(path) { try FileInput(path: path) }, raw: raw)
    }

    /// Reads a file in memory.
    ///
    /// - Parameters:
    ///   - bytes: All bytes of the file.
    ///   - raw: The format of PCM without a header, interleaved; nil to detect the format.
    /// - Throws: ``AudioFileError`` if the bytes are not PCM.
    package convenience init(bytes: [UInt8], raw: AudioFormat? = nil) throws(AudioFileError) {
        try self.init(FileInput(bytes: bytes), raw: raw)
    }

    /// Reads an open file from its current position on.
    package init(_ input: FileInput, raw: AudioFormat? = nil) throws(AudioFileError) {
        path = input.path
        source = try AudioFileError.naming(input.path) { try Self.source(input, raw: raw) }
        allowsSharedReading = input.canReopen && source.seeksExactly
    }

    /// Reads a source of samples of another module.
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

    /// Chooses the source for the contents of a file.
    private static func source(_ input: FileInput, raw: AudioFormat?) throws -> any PCMFileSource {
        if let raw {
            precondition(raw.sampleRate > 0 && raw.channelCount > 0, "raw PCM needs a sample rate and channels")
            precondition(raw.isInterleaved, "the samples of a file are interleaved")
            return PlainPCMSource(input, raw)
        }
        if try input.peek(1).isEmpty { throw AudioFileError(.unrecognizedFormat(reason: "it is empty"), path: input.path) }
        let isPipe = input.fileSize == nil
        if isPipe, !(try isWAV(input)) { return try source(try spooled(input), raw: nil) }
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
        // The header has been read from the pipe already.
        if isPipe { throw AudioFileError(.unrecognizedFormat(reason: "compressed WAV can't be read from a pipe"), path: input.path) }
        return try platformSource(input)
    }

    /// Copies a pipe to a temporary file.
    package static func spooled(_ input: FileInput) throws -> FileInput {
        do throws(SystemFileError) {
            return try input.spooled()
        } catch {
            // Errors in writing are those of the copy.
            if case .cannotRead = error { throw error }
            throw AudioFileError(error, path: OpenFile.temporaryFolder)
        }
    }

    /// Throws an error if the samples of a WAV file of 16 bits are frames of a codec.
    private static func refuseCodedFrames(_ input: FileInput, _ header: WAVEHeader) throws {
        guard header.encoding == .int16 else { return }
        let front = Array(try input.peek(codedFramesLimit))
        let found = WAVEHeader.isACT(front, position: input.position) ? "G.729 (ACT)" : CodedFrames(in: front)?.rawValue
        guard let found else { return }
        let reason = "its samples are \(found); ffmpeg -i \(input.path) -vn out.flac converts it to FLAC"
        throw AudioFileError(.unrecognizedFormat(reason: reason), path: input.path)
    }

    /// The first bytes of samples among which frames of a codec are searched.
    private static let codedFramesLimit = 16_384

    /// Opens the MPEG audio in a WAV file, after its header.
    private static func mpegAudio(in input: FileInput, _ header: WAVEHeader) throws -> any PCMFileSource {
        guard let present = input.bytesRemaining else {
            throw AudioFileError(.unrecognizedFormat(reason: "compressed WAV can't be read from a pipe"), path: input.path)
        }
        let declared = header.declaredByteCount.flatMap { $0 > 0 ? $0 : nil } ?? present
        let first = input.startOffset + input.position
        return try platformSource(try input.joining([first..<first + min(declared, present)]))
    }

    /// Opens a format that a library or the system decodes.
    private static func platformSource(_ input: FileInput) throws -> any PCMFileSource {
        if let source = try composedSource(input) { return source }
        if let isOgg = try FLACHeader.isOgg(input), let source = try flacSource(input, isOgg: isOgg) { return source }
        if let start = try MPEGAudioStart(leading: input) { return try mpegAudioSource(input, start) }
        if try MPEGAudioStart.beginsWithSync(input) {
            if let start = try MPEGAudioStart(searching: input) { return try mpegAudioSource(input, start) }
            if let source = try searchedFLAC(input) { return source }
            throw AudioFileError(.unrecognizedFormat(reason: "it has no frames of MPEG audio"), path: input.path)
        }
        if let source = try otherSource(input) { return source }
        if let start = try MPEGAudioStart(searching: input) { return try mpegAudioSource(input, start) }
        if let source = try searchedFLAC(input) { return source }
        throw AudioFileError(.unrecognizedFormat(reason: "its first bytes are those of no known format"), path: input.path)
    }

    /// Opens FLAC behind other bytes or without metadata; nil if there is none.
    private static func searchedFLAC(_ input: FileInput) throws -> (any PCMFileSource)? {
        guard let start = try FLACStart(searching: input) else { return nil }
        return try flacSource(start.input, isOgg: false, skippedByteCount: start.skippedByteCount)
    }

    /// Replaces the contents of `buffer` by the next sample frames: as many as fit, fewer only at the end, none after it.
    ///
    /// - Parameter buffer: A buffer with the channel count of the file.
    /// - Throws: ``AudioFileError`` if the file can't be read or decoded.
    package func read(into buffer: inout PCMBuffer) throws(AudioFileError) {
        precondition(buffer.channelCount == properties.channelCount, "the buffer has the file's channels")
        try AudioFileError.naming(path) { try source.read(into: &buffer) }
        position += buffer.frameCount
        if buffer.frameCount == 0, buffer.frameCapacity > 0 { checkLength() }
    }

    /// Replaces bytes by the next sample frames, interleaved, in ``encoding``: no bit is lost.
    ///
    /// - Parameters:
    ///   - frameCount: The frames to read; fewer are read only at the end, none after it.
    ///   - bytes: The array to replace.
    /// - Throws: ``AudioFileError`` if the file can't be read or decoded.
    package func read(_ frameCount: Int, into bytes: inout [UInt8]) throws(AudioFileError) {
        try AudioFileError.naming(path) { try source.read(frameCount, into: &bytes) }
        position += bytes.count / (encoding.byteCount * properties.channelCount)
        if bytes.isEmpty, frameCount > 0 { checkLength() }
    }

    /// Notes at the end whether there was a sample frame.
    private func checkLength() {
        isEmpty = position == 0 && properties.frameCount != 0 && !(source is PlainPCMSource)
    }

    /// Whether ``seek(toFrame:)`` is supported: not by pipes.
    package var canSeek: Bool { source.canSeek }

    /// Moves to a sample frame counted from the first.
    ///
    /// - Throws: ``AudioFileError/Code/notSeekable`` for pipes.
    package func seek(toFrame frame: Int) throws(AudioFileError) {
        try AudioFileError.naming(path) { try source.seek(toFrame: frame) }
        position = frame
    }

    /// Whether the file begins as WAV, RF64 or BW64 does.
    private static func isWAV(_ input: FileInput) throws -> Bool {
        WAVEHeader.signatures.contains(String(decoding: try input.peek(4), as: UTF8.self))
    }
}
