// SPDX-License-Identifier: Apache-2.0

internal import AudioContainers
internal import AudioMetadata
internal import AudioPrimitives
internal import MPEG4Audio
internal import PCMFiles
internal import SystemFiles

/// The input of a conversion: a file of PCM or of coded audio, with its tags.
struct ConversionInput {
    /// The samples.
    let reader: PCMFileReader
    /// The file of coded audio that the samples come from; nil for PCM.
    let coded: CodedAudioFile?
    /// The source of the samples, if it is several files.
    let joined: JoinedPCMSource?
    /// The source of the samples, if it is one of more than 24 bits.
    private let lossless: LosslessPCMSource?
    /// The title, the cover and so on.
    var tags: AudioTags { reader.properties.tags }

    /// Opens a file.
    ///
    /// - Parameters:
    ///   - path: The file's path; `-` is standard input.
    ///   - configuration: The format of PCM without a header, and how coded audio is decoded.
    init(path: String, _ configuration: FileConverterConfiguration) throws {
        joined = nil
        let input = try FileInput(opening: path)
        var options = configuration.decoding
        if configuration.verb == .decode {
            options.range = configuration.range
            let coded = try CodedAudioFile(input, options)
            self.coded = coded
            lossless = nil
            reader = PCMFileReader(coded, path: coded.path, allowsSharedReading: false)
        } else if configuration.raw == nil, let coded = try CodedAudioFile.opening(input, options) {
            self.coded = coded
            (reader, lossless) = try PCMFileReader.decoding(coded)
        } else {
            coded = nil
            lossless = nil
            reader = try PCMFileReader.reading(input, raw: configuration.raw)
        }
    }

    /// Opens files as one.
    ///
    /// - Parameters:
    ///   - paths: The files' paths, at least one.
    ///   - raw: The format of PCM without a header; nil to detect the format.
    ///   - known: What an earlier run has found out about the files; nil for nothing.
    init(joining paths: [String], raw: AudioFormat?, known: JoinedPCMSource.KnownParts?) throws {
        let joined = try JoinedPCMSource(paths, raw: raw, known: known)
        self.joined = joined
        reader = PCMFileReader(joined, path: paths[0], allowsSharedReading: false)
        coded = nil
        lossless = nil
    }

    /// Counts of what was decoded and concealed; nil for PCM.
    var statistics: DecodingStatistics? { lossless?.statistics ?? coded?.statistics }

    /// Remarks about parts of the input that are left out, or read otherwise than it says.
    var notes: [ConversionNote] {
        ConversionNote.notes(
            tracks: reader.properties.audioTracks, coded?.configuration, hasFalsePositions: coded?.hasFalsePositions == true)
    }

    /// The codec of the input as one of those of outputs; nil for codecs that can't be written.
    var codec: OutputCodec? {
        guard let coded else { return reader.properties.isLossy ? nil : .pcm }
        switch coded.configuration {
        case .aac: return .aac
        case .opus: return .opus
        case .ilbc: return .ilbc
        case .alac: return nil
        }
    }

    /// Moves to the first frame of a part; reads and discards what is before where only that is exact.
    func move(toFrame frame: Int) throws {
        guard frame > 0 else { return }
        if reader.allowsSharedReading || coded?.input.canReopen == true || joined != nil { return try reader.seek(toFrame: frame) }
        var discarded: [UInt8] = []
        while reader.position < frame {
            try reader.read(min(Self.skipLength, frame - reader.position), into: &discarded)
            if discarded.isEmpty { return }
        }
    }

    /// Frames that are read and discarded at a time.
    private static let skipLength = 16_384
}
