// SPDX-License-Identifier: Apache-2.0

internal import AudioContainers
internal import AudioMetadata
internal import AudioPrimitives
package import PCMFiles
internal import SystemFiles

/// Reads a PCM, MPEG audio, FLAC or Vorbis track of an MP4, QuickTime or Matroska file without its priming and padding, the MPEG audio of a
/// transport stream, or one of several tracks of an Ogg file.
final class TrackPCMSource: PCMFileSource {
    private(set) var properties: PCMFileProperties
    var encoding: SampleEncoding { reader.encoding }
    let seeksExactly: Bool

    private let path: String
    /// Reads the samples as a file in their format.
    private let reader: PCMFileReader
    /// The frames of `reader` to play.
    private let frames: Range<Int>
    /// The number of frames in the index, if the file has fewer.
    private let declaredFrames: Int?
    /// The number of bytes that damage of the container has removed.
    private let lostByteCount: Int

    /// Opens a file, or returns `nil` if its format is unknown or it has no supported track of samples.
    static func opening(_ input: FileInput, _ audioTrack: AudioTrackChoice? = nil) throws -> TrackPCMSource? {
        let format = try input.containerFormat()
        let selection = try AudioTrackSelection(input, format, audioTrack)
        switch format {
        // libsndfile would search damaged Opus for another stream, at a third of a megabyte per second.
        case .oggOpus where !selection.isPCMSource:
            throw AudioFileError(.unrecognizedFormat(reason: "it is Ogg Opus without a decodable packet"), path: input.path)
        case .oggOpus, .ogg: return selection.tracks.count > 1 ? try TrackPCMSource(ogg: input, selection) : nil
        case .transportStream: return try TrackPCMSource(transportStream: input, selection)
        case let format?: return try stream(of: input, format, selection).map { try TrackPCMSource(input, format, $0) }
        case nil: return nil
        }
    }

    private init(_ input: FileInput, _ format: AudioFileFormat, _ stream: TrackSampleStream) throws {
        path = input.path
        let lost: Int
        (reader, lost) = try Self.reader(of: stream, input)
        // A copy cannot be shared.
        seeksExactly = !stream.needsCopy && reader.allowsSharedReading
        lostByteCount = stream.lostByteCount + lost
        let found = reader.properties.frameCount
        // If a tag in the first MPEG audio frame signals priming and padding, the reader has removed them.
        let isTrimmed = stream.coding == .mpegAudio && found.map { $0 < stream.frameCount } == true
        let gapless = isTrimmed ? nil : stream.gaplessInfo
        let first = gapless?.primingFrames ?? 0
        let end = min(gapless.map { first + $0.validFrames } ?? .max, found ?? .max)
        frames = min(first, end)..<end
        declaredFrames = !isTrimmed && found.map { $0 < stream.frameCount } == true ? stream.frameCount : nil
        properties = reader.properties
        properties.containerName = "\(format.name) (\(stream.codec.codecName))"
        properties.frameCount = end == .max ? nil : frames.count
        properties.audioTracks = stream.audioTracks
        properties.tags = stream.tags.inheriting(reader.properties.tags)
        try reader.seek(toFrame: frames.lowerBound)
    }

    /// Reads a stream in place, or a temporary copy if the file does not have its bytes as they are.
    ///
    /// - Returns: The reader, and the number of bytes that the copy lacks.
    private static func reader(of stream: TrackSampleStream, _ input: FileInput) throws -> (PCMFileReader, lostByteCount: Int) {
        let raw =
            if case .pcm(let encoding) = stream.coding {
                AudioFormat(encoding, sampleRate: stream.sampleRate, channelCount: stream.channelCount)
            } else {
                nil as AudioFormat?
            }
        if stream.needsCopy, let source = FileByteSource(input) {
            let copy = try OpenFile.temporary()
            let lost = try stream.copy(from: source) { try copy.write($0[...]) }
            try copy.seek(to: 0)
            return (try PCMFileReader(try FileInput(copy, path: input.path), raw: raw), lost)
        }
        let prefix =
            switch stream.coding {
            case .companded(let isMuLaw): header(stream, isMuLaw: isMuLaw)
            case .flac(let blocks): Array("fLaC".utf8) + (try isPart(stream, input) ? withoutLength(blocks) : blocks)
            case .pcm, .mpegAudio, .vorbis: [UInt8]()
            }
        return (try PCMFileReader(try input.joining(stream.byteRanges, prefix: prefix), raw: raw), 0)
    }

    /// Whether the first FLAC frame of a track is a later one of its stream, as in a part of a file.
    private static func isPart(_ stream: TrackSampleStream, _ input: FileInput) throws -> Bool {
        guard let first = stream.byteRanges.first else { return false }
        let end = min(first.upperBound, first.lowerBound + FLACFrameHeader.maximumByteCount)
        return FLACFrameHeader(try input.bytes(at: first.lowerBound..<end)[...])?.number ?? 0 > 0
    }

    /// Returns FLAC metadata with an unknown length (RFC 9639, 8.2), because a part is shorter than its stream.
    private static func withoutLength(_ blocks: [UInt8]) -> [UInt8] {
        let length = FLACMetadata.headByteCount + 13
        guard blocks.count >= length + 5 else { return blocks }
        var blocks = blocks
        blocks[length] &= 0xF0
        for index in length + 1..<length + 5 { blocks[index] = 0 }
        return blocks
    }

    /// Opens the MPEG audio of a transport stream, through a temporary file for a pipe, or returns `nil` if AAC or Opus is read.
    private init?(transportStream input: FileInput, _ selection: AudioTrackSelection) throws {
        guard selection.isPCMSource, let stream = selection.stream else { return nil }
        let file = input.fileSize == nil ? try PCMFileReader.spooled(input) : input
        guard let source = FileByteSource(file) else { return nil }
        path = input.path
        let audio = try TransportStreamMPEGAudio(source, stream)
        reader = try PCMFileReader(try file.joining(audio.byteRanges))
        seeksExactly = false
        frames = 0..<(reader.properties.frameCount ?? .max)
        declaredFrames = nil
        lostByteCount = audio.lostByteCount
        properties = reader.properties
        properties.containerName = "\(AudioFileFormat.transportStream.name) (\(reader.properties.containerName))"
        properties.audioTracks = selection.tracks
    }

    /// Opens one of the multiplexed streams of an Ogg file.
    private init(ogg input: FileInput, _ selection: AudioTrackSelection) throws {
        path = input.path
        reader = try PCMFileReader(input, oggTrack: selection.number)
        seeksExactly = reader.allowsSharedReading
        frames = 0..<(reader.properties.frameCount ?? .max)
        declaredFrames = nil
        lostByteCount = 0
        properties = reader.properties
        properties.audioTracks = selection.tracks
    }

    /// Returns the sample stream of a file, or `nil` if the file is neither MP4 nor Matroska, is not seekable, or its track has another codec.
    static func stream(of input: FileInput, _ format: AudioFileFormat, _ selection: AudioTrackSelection) throws -> TrackSampleStream? {
        guard format.hasTrackList, let source = FileByteSource(input) else { return nil }
        return format == .matroska
            ? try TrackSampleStream(matroska: source, audioTrack: selection.number)
            : try TrackSampleStream(source, audioTrack: selection.number)
    }

    var warnings: [PCMFileWarning] {
        var warnings = reader.warnings
        if lostByteCount > 0 { warnings.append(.damaged(path: path, unitCount: 0, byteCount: lostByteCount)) }
        guard let declaredFrames, reader.position >= frames.upperBound else { return warnings }
        return warnings + [.endsEarly(path: path, declaredFrames: declaredFrames, foundFrames: frames.upperBound)]
    }

    func read(into buffer: inout PCMBuffer) throws {
        try reader.read(into: &buffer)
        buffer.frameCount = max(0, buffer.frameCount - max(0, reader.position - frames.upperBound))
    }

    /// Reads the next sample frames as bytes, in the track's encoding.
    func read(_ frameCount: Int, into bytes: inout [UInt8]) throws {
        try reader.read(max(0, min(frameCount, frames.upperBound - reader.position)), into: &bytes)
    }

    /// Moves to a sample frame, counted from the first frame to play.
    func seek(toFrame frame: Int) throws { try reader.seek(toFrame: frames.lowerBound + frame) }

    /// Returns an AU header for reading G.711 samples.
    private static func header(_ stream: TrackSampleStream, isMuLaw: Bool) -> [UInt8] {
        let (headerByteCount, unknown, muLaw, aLaw) = (24, 0xFFFF_FFFF as UInt32, 1 as UInt32, 27 as UInt32)
        let numbers = [UInt32(headerByteCount), unknown, isMuLaw ? muLaw : aLaw, UInt32(stream.sampleRate), UInt32(stream.channelCount)]
        return Array(".snd".utf8) + numbers.flatMap { number in (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) } }
    }
}

extension PCMFileReader {
    /// Reads PCM from a file, from a PCM, MPEG audio, FLAC or Vorbis track of an MP4 or Matroska file, or from the MPEG audio of a transport stream.
    package static func reading(_ input: AudioFileInput) throws -> PCMFileReader {
        try reading(input.open(), raw: nil, audioTrack: input.audioTrack)
    }

    /// Reads PCM from a file, from a PCM, MPEG audio, FLAC or Vorbis track of an MP4 or Matroska file, or from the MPEG audio of a transport stream.
    ///
    /// Starts at the current position.
    ///
    /// - Parameters:
    ///   - raw: The format of headerless PCM, or `nil` to detect the format.
    ///   - audioTrack: The audio track to read, or `nil` for the default one.
    ///   - isCopy: Whether the input is a copy of a pipe, which others cannot open.
    static func reading(
        _ input: FileInput, raw: AudioFormat?, audioTrack: AudioTrackChoice?, isCopy: Bool = false
    ) throws -> PCMFileReader {
        if let raw {
            _ = try AudioTrackSelection(input, nil, audioTrack)
            return try PCMFileReader(input, raw: raw)
        }
        guard let source = try TrackPCMSource.opening(input, audioTrack) else { return try PCMFileReader(input, raw: nil) }
        return PCMFileReader(source, path: input.path, allowsSharedReading: input.canReopen && !isCopy)
    }
}
