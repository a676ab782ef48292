// SPDX-License-Identifier: Apache-2.0

internal import AudioContainers
internal import AudioConversion
internal import AudioMetadata
package import AudioPrimitives
package import PCMFiles
package import SystemFiles

/// A file of coded audio, decoded for those who read PCM files.
///
/// A stream that changes its sample rate or channels is converted to those it begins with.
final class CodedAudioFile: PCMFileSource {
    /// The file's path.
    var path: String { input.path }
    /// The file, which is opened a second time to seek.
    let input: FileInput
    /// The codec and its configuration at the beginning.
    let configuration: CodecConfiguration
    private(set) var properties: PCMFileProperties
    /// The encoding that holds all that the codec decodes to.
    let encoding: SampleEncoding
    /// Whether decoding from any frame gives the same samples as decoding everything before it, as with lossless codecs.
    let seeksExactly: Bool

    private let options: FileDecoderConfiguration
    private var decoder: FileDecoder
    /// The decoded frames that follow ``position``, from the index `consumed` on.
    private var buffer: PCMBuffer
    private var consumed = 0
    private var isAtEnd = false
    /// The index of the sample frame that is read next.
    private var position = 0
    /// The frames of a read of bytes.
    private var frames: PCMBuffer?

    /// Whether positions in the container are false, so that its packets were counted.
    var hasFalsePositions: Bool { decoder.metadata.hasFalsePositions }
    /// Counts of what was decoded and concealed, since the latest seek.
    var statistics: DecodingStatistics { decoder.statistics }
    /// The damage that the decoder has concealed or left out.
    var warnings: [PCMFileWarning] { statistics.warnings(path: path) }

    /// Reads an open file from its current position on.
    ///
    /// - Parameters:
    ///   - input: The file.
    ///   - options: What is decoded of it, and how.
    ///   - format: Its container; nil to identify it.
    init(
        _ input: FileInput, _ options: FileDecoderConfiguration = FileDecoderConfiguration(), _ format: AudioFileFormat? = nil
    ) throws(AudioFileError) {
        self.input = input
        self.options = options
        let reader = try AccessUnitReader(input, format)
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
        properties.isLossy = encoding == .float32
        properties.tags = decoder.metadata.tags
        properties.audioTracks = decoder.metadata.audioTracks
    }

    /// Makes a decoder of a range of a stream that keeps the format of its beginning.
    private static func decoder(
        _ reader: AccessUnitReader, _ options: FileDecoderConfiguration, _ range: Range<Duration>?
    ) throws(AudioFileError) -> FileDecoder {
        var options = options
        options.keepsFormat = true
        options.range = range
        return try FileDecoder(reader, configuration: options)
    }

    /// Opens a file if it is one of coded audio; returns nil, and leaves the input at its start, if it can only be one of PCM.
    static func opening(
        _ input: FileInput, _ options: FileDecoderConfiguration = FileDecoderConfiguration()
    ) throws(AudioFileError) -> CodedAudioFile? {
        guard let format = try input.containerFormat(), format.isReadable else { return nil }
        if format == .caf, try holdsPCM(caf: input) { return nil }
        do throws(AudioFileError) {
            let file = try CodedAudioFile(input, options, format)
            // Of several tracks another one may come first, which is no coded audio.
            guard file.properties.audioTracks.count > 1, input.fileSize != nil, try holdsSamples(input, format) else { return file }
            try AudioFileError.attempt(input.path) { try input.seek(to: 0) }
            return nil
        } catch {
            // MPEG audio in a transport stream.
            if case .unsupportedInput = error.code { return nil }
            guard case .unsupportedCodec = error.code else { throw error }
            guard try holdsSamples(input, format) else { throw error }
            return nil
        }
    }

    /// Returns whether the track to read of an MP4 file is one of PCM, MPEG audio or FLAC.
    private static func holdsSamples(_ input: FileInput, _ format: AudioFileFormat) throws(AudioFileError) -> Bool {
        try AudioFileError.attempt(input.path) { try TrackPCMSource.stream(of: input, format) != nil }
    }

    /// Returns whether a CAF file at its start holds PCM or ADPCM, by its first chunk, without consuming it.
    fileprivate static func holdsPCM(caf input: FileInput) throws(AudioFileError) -> Bool {
        // The file's header has 8 bytes, that of the chunk 12; the codec follows the sample rate.
        let (type, codec) = (8..<12, 28..<32)
        let bytes = Array(try AudioFileError.attempt(input.path) { try input.peek(codec.upperBound) })
        // A file that ends before its format is damaged, whatever it holds.
        guard bytes.count == codec.upperBound else { return false }
        guard bytes[type].elementsEqual("desc".utf8) else { return true }
        return ["lpcm", "alaw", "ulaw", "ima4"].contains { bytes[codec].elementsEqual($0.utf8) }
    }

    /// Decodes all that has not been read, a buffer of the decoder at a time.
    func forEachBuffer(_ body: (PCMBuffer) throws -> Void) throws {
        while !isAtEnd {
            try body(buffer)
            isAtEnd = try !decoder.read(into: &buffer)
        }
    }

    /// Replaces the contents of `target` by the next sample frames: none at the end.
    func read(into target: inout PCMBuffer) throws {
        var count = 0
        while count < target.frameCapacity, !isAtEnd {
            if consumed == buffer.frameCount {
                consumed = 0
                isAtEnd = try !decoder.read(into: &buffer)
                continue
            }
            let step = min(target.frameCapacity - count, buffer.frameCount - consumed)
            for channel in 0..<properties.channelCount {
                let from = buffer.range(ofChannel: channel).lowerBound + consumed
                let to = channel * target.frameCapacity + count
                for frame in 0..<step { target.samples[to + frame] = buffer.samples[from + frame] }
            }
            consumed += step
            count += step
        }
        position += count
        target.frameCount = count
    }

    /// Replaces bytes by the next sample frames; integers of lossless codecs up to 24 bits are exact.
    func read(_ frameCount: Int, into bytes: inout [UInt8]) throws { try readFloats(frameCount, by: &frames, into: &bytes) }

    /// Whether all of the file is decoded, as loud as it is.
    var decodesAll: Bool { options.range == nil && !options.keepsDelay && options.loudness == nil }

    /// Whether the file can be opened again.
    var canSeek: Bool { input.canReopen }

    /// Moves to a sample frame counted from the first, by decoding up to it.
    func seek(toFrame frame: Int) throws {
        guard input.canReopen else { throw SystemFileError.notSeekable }
        position = max(0, min(frame, properties.frameCount ?? .max))
        let range = Duration(frameCount: position, sampleRate: properties.sampleRate)..<Duration.seconds(Int64.max)
        decoder = try Self.decoder(AccessUnitReader(input.openedAgain()), options, range)
        consumed = buffer.frameCount
        isAtEnd = false
    }
}

extension PCMFileReader {
    /// Opens a file of PCM or of coded audio, which is decoded.
    ///
    /// - Parameters:
    ///   - path: The file's path; `-` is standard input.
    ///   - raw: The format of PCM without a header; nil to detect the format.
    package static func opening(_ path: String, raw: AudioFormat?) throws -> PCMFileReader {
        let input = try FileInput(opening: path)
        if raw == nil, let file = try CodedAudioFile.opening(input) { return try decoding(file).reader }
        return try reading(input, raw: raw)
    }

    /// Opens PCM, FLAC, MP3 and other formats without access units, in a pipe.
    ///
    /// - Returns: `nil`, with nothing consumed, if the first bytes are those of another or no known format.
    package static func openingPCM(in pipe: FileInput) throws -> PCMFileReader? {
        guard let format = try pipe.containerFormat() else { return nil }
        if format.isReadable {
            guard try format == .caf && CodedAudioFile.holdsPCM(caf: pipe) else { return nil }
        }
        return try reading(pipe, raw: nil)
    }

    /// Opens a file of coded audio at its first frame.
    ///
    /// - Returns: The reader, and its source if that is one of more than 24 bits.
    static func decoding(_ file: CodedAudioFile) throws -> (reader: PCMFileReader, lossless: LosslessPCMSource?) {
        let lossless = try LosslessPCMSource(file)
        let reader = PCMFileReader(lossless ?? file as any PCMFileSource, path: file.path, allowsSharedReading: file.input.canReopen)
        return (reader, lossless)
    }
}

extension DecodingStatistics {
    /// Returns the warning about damage of a file of coded audio; none if it is intact.
    func warnings(path: String) -> [PCMFileWarning] {
        let units = damagedUnitCount + missingUnitCount + concealedUnitCount + highBandLossCount
        return units + lostByteCount == 0 ? [] : [.damaged(path: path, unitCount: units, byteCount: lostByteCount)]
    }
}

extension CodecConfiguration {
    /// The encoding of samples that holds all that the codec decodes to.
    var sampleEncoding: SampleEncoding {
        guard case .alac(let config) = self else { return .float32 }
        return config.bitDepth <= 16 ? .int16 : config.bitDepth <= 24 ? .int24 : .int32
    }
}
