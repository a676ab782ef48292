// SPDX-License-Identifier: Apache-2.0

internal import AudioContainers
internal import AudioConversion
internal import AudioMetadata
package import AudioPrimitives
package import PCMFiles
package import SystemFiles

/// A file of encoded audio that is read like a PCM file.
///
/// A stream that changes its sample rate or channels is converted to its initial format.
final class CodedAudioFile: PCMFileSource {
    var path: String { input.path }
    /// The file, which is reopened to seek.
    let input: FileInput
    /// The initial codec configuration.
    let configuration: CodecConfiguration
    private(set) var properties: PCMFileProperties
    /// The encoding that represents the decoder's output without loss.
    let encoding: SampleEncoding
    /// Whether decoding after a seek produces the same samples as decoding from the start.
    ///
    /// True for lossless codecs.
    let seeksExactly: Bool

    let options: FileDecoderConfiguration
    private var decoder: FileDecoder
    /// The decoded frames to return next, starting at index `consumed`.
    private var buffer: PCMBuffer
    private var consumed = 0
    private var isAtEnd = false
    /// The buffer for reading bytes.
    private var frames: PCMBuffer?

    var metadata: ContainerMetadata { decoder.metadata }
    /// Decoding statistics since the latest seek.
    var statistics: DecodingStatistics { decoder.statistics }
    /// Damage that the decoder has concealed or skipped.
    var warnings: [PCMFileWarning] { statistics.warnings(path: path) }

    /// Reads an open file from its current position.
    ///
    /// - Parameter format: The container, or `nil` to identify it.
    init(
        _ input: FileInput, _ options: FileDecoderConfiguration = FileDecoderConfiguration(), _ format: AudioFileFormat? = nil
    ) throws(AudioFileError) {
        self.input = input
        self.options = options
        let reader = try AccessUnitReader(input, format, audioTrack: options.audioTrack)
        decoder = try Self.decoder(reader, options, options.range)
        buffer = PCMBuffer(sampleRate: 48_000, channelCount: 1, frameCapacity: 0)
        isAtEnd = try !decoder.read(into: &buffer)
        guard let opened = decoder.decoder else { throw AudioFileError(.noAccessUnits, path: input.path) }
        let (sampleRate, channelCount) = (buffer.sampleRate, buffer.channelCount)
        configuration = opened.codecConfiguration
        encoding = configuration.sampleEncoding
        seeksExactly = encoding != .float32
        let gapless = options.keepsDelay ? nil : decoder.metadata.gaplessInfo
        let frameCount = gapless.map { $0.validFrames * opened.framesPerCountedFrame }
        properties = PCMFileProperties(
            containerName: "\((reader.format ?? .adts).name) (\(configuration.formatID.codecName))",
            streamDescription: encoding.streamDescription(sampleRate: sampleRate, channelCount: channelCount),
            sampleRate: sampleRate, channelCount: channelCount, channelLayout: opened.channelLayout,
            frameCount: frameCount.map { options.range?.frames(atRate: sampleRate).clamped(to: 0..<$0).count ?? $0 })
        properties.codec = configuration.formatID
        properties.isLossy = encoding == .float32
        properties.tags = decoder.metadata.tags
        properties.audioTracks = decoder.metadata.audioTracks
    }

    /// Creates a decoder of a time range that keeps the initial format.
    private static func decoder(
        _ reader: AccessUnitReader, _ options: FileDecoderConfiguration, _ range: Range<Duration>?
    ) throws(AudioFileError) -> FileDecoder {
        var options = options
        options.keepsFormat = true
        options.range = range
        return try FileDecoder(reader, configuration: options)
    }

    /// Opens a file of encoded audio.
    ///
    /// Returns `nil`, with the input at its start, if the file can only be PCM.
    static func opening(
        _ input: FileInput, _ options: FileDecoderConfiguration = FileDecoderConfiguration()
    ) throws(AudioFileError) -> CodedAudioFile? {
        guard let format = try input.containerFormat(), format.isReadable else { return nil }
        if format == .caf, try holdsPCM(caf: input) { return nil }
        do throws(AudioFileError) {
            let file = try CodedAudioFile(input, options, format)
            // With several tracks, another one may come first, which is not encoded audio.
            guard file.properties.audioTracks.count > 1, input.fileSize != nil, try holdsSamples(input, format, options.audioTrack) else {
                return file
            }
            try AudioFileError.attempt(input.path) { try input.seek(to: 0) }
            return nil
        } catch {
            // MPEG audio in a transport stream, Vorbis and FLAC in Ogg.
            if case .unsupportedInput = error.code { return nil }
            guard case .unsupportedCodec = error.code else { throw error }
            guard try holdsSamples(input, format, options.audioTrack) else { throw error }
            return nil
        }
    }

    /// Whether the selected track of an MP4 or Matroska file is not read as access units.
    private static func holdsSamples(
        _ input: FileInput, _ format: AudioFileFormat, _ audioTrack: AudioTrackChoice?
    ) throws(AudioFileError) -> Bool {
        guard format.hasTrackList else { return false }
        let selection = try AudioTrackSelection(input, format, audioTrack)
        return try AudioFileError.attempt(input.path) { try TrackPCMSource.stream(of: input, format, selection) != nil }
    }

    /// Whether a file in a container of tracks is read as samples instead of access units.
    fileprivate static func isReadAsSamples(
        _ input: FileInput, _ format: AudioFileFormat, _ audioTrack: AudioTrackChoice?
    ) throws(AudioFileError) -> Bool {
        // The error of reading access units is more precise.
        if format == .transportStream { return (try? AudioTrackSelection(input, format, audioTrack).isPCMSource) ?? false }
        guard format.hasTrackList else { return false }
        var options = FileDecoderConfiguration()
        options.audioTrack = audioTrack
        let isOpened = try? opening(input, options) == nil
        try AudioFileError.attempt(input.path) { try input.seek(to: 0) }
        return isOpened ?? false
    }

    /// Whether a CAF file is PCM or ADPCM, by its first chunk, which is not consumed.
    fileprivate static func holdsPCM(caf input: FileInput) throws(AudioFileError) -> Bool {
        // The file header has 8 bytes, the chunk header 12. The format ID follows the sample rate.
        let (type, codec) = (8..<12, 28..<32)
        let bytes = Array(try AudioFileError.attempt(input.path) { try input.peek(codec.upperBound) })
        // A file that ends before its format is damaged, whatever its contents.
        guard bytes.count == codec.upperBound else { return false }
        guard bytes[type].elementsEqual("desc".utf8) else { return true }
        return ["lpcm", "alaw", "ulaw", "ima4"].contains { bytes[codec].elementsEqual($0.utf8) }
    }

    /// Decodes all unread frames, one decoder buffer at a time.
    func forEachBuffer(_ body: (PCMBuffer) throws -> Void) throws {
        while !isAtEnd {
            try body(buffer)
            isAtEnd = try !decoder.read(into: &buffer)
        }
    }

    /// Reads the next sample frames into `target`.
    ///
    /// It is empty at the end.
    func read(into target: inout PCMBuffer) throws {
        var count = 0
        while count < target.frameCapacity, !isAtEnd {
            if consumed == buffer.frameCount {
                consumed = 0
                isAtEnd = try !decoder.read(into: &buffer)
                continue
            }
            let step = min(target.frameCapacity - count, buffer.frameCount - consumed)
            target.copyFrames(of: buffer, from: consumed, count: step, to: count)
            consumed += step
            count += step
        }
        target.frameCount = count
    }

    /// Reads the next sample frames as bytes.
    ///
    /// Lossless integers up to 24 bits are exact.
    func read(_ frameCount: Int, into bytes: inout [UInt8]) throws { try readFloats(frameCount, by: &frames, into: &bytes) }

    /// Whether the whole file is decoded, without a gain.
    var decodesAll: Bool { options.range == nil && !options.keepsDelay && options.loudness == nil }

    var canSeek: Bool { input.canReopen }

    /// Moves to a sample frame by reopening the file and decoding from there.
    func seek(toFrame frame: Int) throws {
        guard input.canReopen else { throw SystemFileError.notSeekable }
        let position = max(0, min(frame, properties.frameCount ?? .max))
        let part = options.range ?? Duration.zero..<Duration.seconds(Int64.max)
        // The part's first frame, as the decoder rounds it.
        let first = part.frames(atRate: properties.sampleRate).lowerBound
        let start = Duration(frameCount: first + position, sampleRate: properties.sampleRate)
        let range = start..<max(start, part.upperBound)
        decoder = try Self.decoder(AccessUnitReader(input.openedAgain(), audioTrack: options.audioTrack), options, range)
        consumed = buffer.frameCount
        isAtEnd = false
    }
}

extension PCMFileReader {
    /// Opens a file of PCM or encoded audio.
    ///
    /// - Parameters:
    ///   - path: The file's path, or `-` for standard input.
    ///   - raw: The format of headerless PCM, or `nil` to detect the format.
    ///   - audioTrack: The audio track to read, or `nil` for the default one.
    package static func opening(_ path: String, raw: AudioFormat?, audioTrack: AudioTrackChoice? = nil) throws -> PCMFileReader {
        let input = try FileInput(opening: path)
        var options = FileDecoderConfiguration()
        options.audioTrack = audioTrack
        if raw == nil, let file = try CodedAudioFile.opening(input, options) { return try decoding(file).reader }
        return try reading(input, raw: raw, audioTrack: audioTrack)
    }

    /// Opens PCM, FLAC, MP3 and other formats without access units, in a pipe.
    ///
    /// - Returns: `nil`, with nothing consumed, if the first bytes are of another or no known format.
    package static func openingPCM(in pipe: FileInput, audioTrack: AudioTrackChoice? = nil) throws -> PCMFileReader? {
        guard let format = try pipe.containerFormat() else { return nil }
        if format.isReadable {
            let isCAF = try format == .caf && CodedAudioFile.holdsPCM(caf: pipe)
            guard try isCAF || CodedAudioFile.isReadAsSamples(pipe, format, audioTrack) else { return nil }
        }
        return try reading(pipe, raw: nil, audioTrack: audioTrack)
    }

    /// Opens a file of encoded audio at its first frame.
    ///
    /// - Parameter isCopy: Whether the file is a copy of a pipe, which others cannot open.
    /// - Returns: The reader, and its source if the file has more than 24 bits.
    static func decoding(_ file: CodedAudioFile, isCopy: Bool = false) throws -> (reader: PCMFileReader, lossless: LosslessPCMSource?) {
        let lossless = try file.options.loudness == nil ? LosslessPCMSource(file) : nil
        let reader = PCMFileReader(
            lossless ?? file as any PCMFileSource, path: file.path, allowsSharedReading: file.input.canReopen && !isCopy)
        return (reader, lossless)
    }
}

extension DecodingStatistics {
    /// Returns a warning about damage in a file of encoded audio, or nothing if it is intact.
    func warnings(path: String) -> [PCMFileWarning] {
        let accessUnits = damagedUnitCount + missingUnitCount + concealedUnitCount + highBandLossCount
        return accessUnits + lostByteCount == 0 ? [] : [.damaged(path: path, unitCount: accessUnits, byteCount: lostByteCount)]
    }
}

extension CodecConfiguration {
    /// The sample encoding that represents the decoder's output without loss.
    var sampleEncoding: SampleEncoding {
        guard case .alac(let config) = self else { return .float32 }
        return config.bitDepth <= 16 ? .int16 : .int24
    }
}
