// SPDX-License-Identifier: Apache-2.0

internal import AudioContainers
internal import AudioMetadata
internal import AudioPrimitives
internal import MPEG4Audio
internal import PCMFiles
internal import SystemFiles

/// The input of a conversion, PCM or encoded audio.
struct ConversionInput {
    let reader: PCMFileReader
    /// Opens the file again, if it allows shared reading.
    let shared: SharedInput
    /// The encoded file that `reader` decodes, or `nil` for PCM.
    let coded: CodedAudioFile?
    /// The reader's source, if it joins several files.
    let joined: JoinedPCMSource?
    /// The reader's source, if it decodes more than 24 bits.
    private let lossless: LosslessPCMSource?
    private let isTrackChosen: Bool
    /// The reader of the file: ``reader``, unless that reads a copy.
    private let original: PCMFileReader
    var properties: PCMFileProperties { original.properties }

    /// Opens a file.
    ///
    /// - Parameters:
    ///   - path: The file's path, or `-` for standard input.
    ///   - configuration: The format of headerless PCM, and the decoder's configuration.
    init(path: String, _ configuration: FileConverterConfiguration) throws {
        joined = nil
        isTrackChosen = configuration.decoding.audioTrack != nil
        let opened = try FileInput(opening: path)
        let input = try configuration.raw == nil ? opened.withRandomAccess() : opened
        var options = configuration.decoding
        if configuration.verb == .decode {
            options.range = configuration.range
            let coded = try CodedAudioFile(input, options)
            self.coded = coded
            lossless = nil
            reader = PCMFileReader(coded, path: coded.path, allowsSharedReading: false)
        } else if configuration.raw == nil, let coded = try CodedAudioFile.opening(input, options) {
            self.coded = coded
            (reader, lossless) = try PCMFileReader.decoding(coded, isCopy: input !== opened)
        } else {
            guard options.loudness == nil else { throw AudioFileError(.noStatedLoudness, path: input.path) }
            coded = nil
            lossless = nil
            reader = try PCMFileReader.reading(
                input, raw: configuration.raw, audioTrack: options.audioTrack, isCopy: input !== opened)
        }
        original = reader
        shared = .file(path, raw: configuration.raw, audioTrack: options.audioTrack)
    }

    /// Opens several files as one.
    ///
    /// - Parameters:
    ///   - paths: The files' paths, at least one.
    ///   - configuration: The format of headerless PCM, the audio track of each file, and the common format of different files.
    ///   - known: Properties of the files that an earlier run has stored, if any.
    init(joining paths: [String], _ configuration: FileConverterConfiguration, known: JoinedPCMSource.KnownParts?) throws {
        let joined = try JoinedPCMSource(paths, configuration, known: known)
        self.joined = joined
        isTrackChosen = configuration.decoding.audioTrack != nil
        reader = PCMFileReader(joined, path: paths[0], allowsSharedReading: false)
        original = reader
        shared = .file(paths[0], raw: configuration.raw, audioTrack: configuration.decoding.audioTrack)
        coded = nil
        lossless = nil
    }

    /// Reads a copy of the samples of a file.
    init(copyOf input: ConversionInput, _ copy: SharedInput) throws {
        joined = nil
        (coded, lossless) = (input.coded, input.lossless)
        (isTrackChosen, original) = (input.isTrackChosen, input.original)
        reader = try copy.open()
        shared = copy
    }

    /// Whether ``reader`` reads a copy of the encoder's input.
    var isCopy: Bool { reader !== original }

    /// The decoding statistics, or `nil` for PCM.
    var statistics: DecodingStatistics? { lossless?.statistics ?? coded?.statistics }

    /// Notes on parts of the input that are ignored or reinterpreted.
    var notes: [ConversionNote] {
        ConversionNote.notes(
            tracks: isTrackChosen ? [] : properties.audioTracks, coded?.configuration, coded?.metadata)
    }

    /// Whether 32-bit samples are rounded: the file cannot be opened again, or the decoder applies options.
    var isRounded: Bool {
        guard lossless == nil, case .alac(let configuration)? = coded?.configuration else { return false }
        return configuration.bitDepth > 24
    }

    /// The output codec that corresponds to the input's, or `nil` for unknown lossy codecs and for Apple Lossless, which loses nothing.
    var codec: OutputCodec? {
        guard let coded else { return properties.isLossy ? nil : .pcm }
        switch coded.configuration {
        case .aac: return .aac
        case .opus: return .opus
        case .ilbc: return .ilbc
        case .alac: return nil
        }
    }

    /// Moves to a frame.
    ///
    /// Reads and discards earlier frames if only that is exact.
    func move(toFrame frame: Int) throws {
        guard frame > 0 else { return }
        if reader.allowsSharedReading || coded?.input.canReopen == true || joined != nil { return try reader.seek(toFrame: frame) }
        var discarded: [UInt8] = []
        while reader.position < frame {
            try reader.read(min(Self.skipLength, frame - reader.position), into: &discarded)
            if discarded.isEmpty { return }
        }
    }

    /// The number of frames to read and discard at a time.
    private static let skipLength = 16_384
}
