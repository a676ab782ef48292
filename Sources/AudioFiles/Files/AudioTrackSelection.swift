// SPDX-License-Identifier: Apache-2.0

package import AudioContainers
internal import AudioPrimitives
internal import PCMFiles
internal import SystemFiles

/// The audio tracks of an open file, and the one to read.
struct AudioTrackSelection {
    /// The chosen track, or `nil` for the default one.
    private(set) var number: Int?
    /// All audio tracks, with the one to read marked, or empty if the container has no list of them or its reader lists them.
    private(set) var tracks: [AudioTrack] = []
    /// Whether the track to read has no access units that Linnet parses: MPEG audio in MPEG-TS, Vorbis and FLAC in Ogg.
    private(set) var isPCMSource = false
    /// The stream to read of MPEG-TS, if any.
    private(set) var stream: TransportStreamChoice?

    /// Lists the tracks, without consuming bytes, and finds the chosen one.
    ///
    /// - Throws: ``/PCMFiles/AudioFileError/Code/unavailableTrack(_:_:)``; ``/PCMFiles/AudioFileError/Code/unsupportedCodec(_:)`` if all
    ///   tracks of a transport stream have unsupported codecs.
    init(_ input: FileInput, _ format: AudioFileFormat?, _ choice: AudioTrackChoice?) throws(AudioFileError) {
        switch format {
        case .transportStream:
            let found = try input.transportStreamTracks()
            number = try Self.number(choice, in: found.tracks(reading: nil), path: input.path)
            let read = number ?? found.defaultNumber
            if let codec = found.firstCodec, read == nil { throw AudioFileError(.unsupportedCodec(codec), path: input.path) }
            tracks = found.tracks(reading: read)
            isPCMSource = read.map(found.isMPEGAudio) ?? false
            stream = read.map(found.choice)
        case .oggOpus, .ogg:
            let found = OggTracks(try input.front(input.fileSize == nil ? ContainerProbe.byteCount : Self.oggHeaderByteCount))
            number = try Self.number(choice, in: found.tracks(reading: nil), path: input.path)
            let read = number ?? found.defaultNumber
            tracks = found.tracks(reading: read)
            isPCMSource = read.map { !found.isOpus($0) } ?? true
        case let format? where format.hasTrackList:
            guard let choice, let source = FileByteSource(input) else { return }
            let found = try AudioFileError.attempt(input.path) { try AudioTrack.tracks(of: source, format) }
            number = try Self.number(choice, in: found, path: input.path)
        default:
            guard let choice, !choice.isFirst else { return }
            throw AudioFileError(.unavailableTrack(choice, []), path: input.path)
        }
    }

    /// The number of bytes to search for the headers of multiplexed streams in a file.
    ///
    /// In a pipe, these are the bytes that also identify the format, because a live stream has no others yet.
    private static let oggHeaderByteCount = 1 << 17

    /// Returns the number of the chosen track; `nil` without a choice or a track.
    private static func number(_ choice: AudioTrackChoice?, in tracks: [AudioTrack], path: String) throws(AudioFileError) -> Int? {
        guard let choice, !tracks.isEmpty else { return nil }
        guard let track = choice.track(in: tracks), track.isSupported else {
            throw AudioFileError(.unavailableTrack(choice, tracks), path: path)
        }
        return track.number
    }
}

extension OtherTracks {
    /// Counts the tracks of a file, or returns `nil` for formats without a list of tracks, and for damaged files.
    package init?(of path: String) {
        guard let input = try? FileInput(opening: path), let format = try? input.containerFormat(), format.hasTrackList,
            let source = FileByteSource(input), let found = try? OtherTracks(of: source, format)
        else { return nil }
        self = found
    }
}

extension FileInput {
    /// Returns the audio tracks of a transport stream from its first tables, without consuming bytes.
    fileprivate func transportStreamTracks() throws(AudioFileError) -> TransportStreamTracks {
        var count = Self.peekLimit
        while true {
            let head = try front(count)
            let isAll = head.count < count || count >= Self.maximumProgramSearch
            if let found = TransportStreamTracks(head, isAll: isAll) { return found }
            count *= 2
        }
    }

    /// The maximum number of bytes to search for program map tables.
    private static let maximumProgramSearch = 1 << 22
}
