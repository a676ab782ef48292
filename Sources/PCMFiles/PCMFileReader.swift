// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

public import AudioPrimitives

/// How to read PCM that has no header.
public struct RawPCMInput: Hashable, Sendable {
    /// How a sample is stored.
    public var encoding: SampleEncoding
    /// Sample rate in hertz, positive.
    public var sampleRate: Int
    /// Interleaved channels, at least 1.
    public var channelCount: Int

    /// Makes a description of headerless PCM.
    public init(encoding: SampleEncoding = .int16, sampleRate: Int, channelCount: Int) {
        self.encoding = encoding
        self.sampleRate = sampleRate
        self.channelCount = channelCount
    }
}

/// Reads a PCM file or pipe forwards, as 32-bit floating-point samples.
///
/// WAV (8 to 32 bits, floating point, extensible, RF64) and headerless PCM are read as they come, from pipes too, and lengths in
/// headers are not trusted: reading ends where the samples do. Everything else goes through libsndfile (AIFF, CAF, FLAC, Ogg,
/// compressed WAV); from a pipe such input is first copied to a temporary file. The content decides, never the file name.
/// A reader belongs to one thread at a time.
public final class PCMFileReader {
    /// What the file holds.
    public var properties: PCMFileProperties { source.properties }

    /// What turned out to be wrong so far; complete once everything is read.
    public var warnings: [PCMFileWarning] { source.warnings }

    /// The frames read so far.
    public private(set) var position = 0

    /// Whether several readers can share the work on the file: each gives the same samples after ``seek(toFrame:)`` as one that
    /// read all before.
    ///
    /// Not so for pipes, standard input, and formats such as MP3 whose samples depend on those before.
    public let allowsSharedReading: Bool

    private let source: any PCMSource

    /// Opens a file; `-` is standard input.
    ///
    /// With `raw`, the file is taken as headerless PCM of that kind. `head` is what has been read of standard input already, at most
    /// 65 536 bytes.
    public init(path: String, raw: RawPCMInput? = nil, head: [UInt8] = []) throws(PCMFileError) {
        let input = try ByteInput(path: path, head: head)
        source = try Self.source(input, raw: raw)
        allowsSharedReading = path != "-" && input.fileSize != nil && source.seeksExactly
    }

    private static func source(_ input: ByteInput, raw: RawPCMInput?) throws(PCMFileError) -> any PCMSource {
        if let raw {
            precondition(raw.sampleRate > 0 && raw.channelCount > 0, "raw PCM needs a rate and channels")
            return PlainPCMSource(input, encoding: raw.encoding, sampleRate: raw.sampleRate, channelCount: raw.channelCount)
        }
        if try input.peek(1).isEmpty { throw .unrecognizedFormat(path: input.path, reason: "it is empty") }
        let isPipe = input.fileSize == nil
        if isPipe, !(try isWAV(input)) { return try platformSource(try input.spooled()) }
        if let header = try WAVEHeader(reading: input) { return PlainPCMSource(input, header: header) }
        // The header has been taken from the pipe already.
        if isPipe { throw .unrecognizedFormat(path: input.path, reason: "compressed WAV can't be read from a pipe") }
        return try platformSource(input)
    }

    /// The source for formats that the platform's library decodes.
    ///
    /// Apple's ExtAudioFile has its place here.
    private static func platformSource(_ input: ByteInput) throws(PCMFileError) -> any PCMSource {
        #if canImport(CPCMLibraries)
        return try SndfileSource(input)
        #else
        throw .unrecognizedFormat(path: input.path, reason: "only WAV and raw PCM can be read on this system")
        #endif
    }

    /// Replaces the content of `buffer` by the next frames: as many as fit, fewer only at the end, none after it.
    ///
    /// The buffer's channel count has to be the file's.
    public func read(into buffer: inout PCMBuffer) throws(PCMFileError) {
        precondition(buffer.channelCount == properties.channelCount, "the buffer has the file's channels")
        try source.read(into: &buffer)
        position += buffer.frameCount
    }

    /// Goes to a frame counted from the first; throws ``PCMFileError/notSeekable(path:)`` for pipes.
    public func seek(toFrame frame: Int) throws(PCMFileError) {
        try source.seek(toFrame: frame)
        position = frame
    }

    private static func isWAV(_ input: ByteInput) throws(PCMFileError) -> Bool {
        let head = String(decoding: try input.peek(4), as: UTF8.self)
        return head == "RIFF" || head == "RF64"
    }
}
