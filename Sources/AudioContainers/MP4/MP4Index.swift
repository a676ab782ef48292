// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives

/// The boxes of a file that form its index.
struct MP4Index {
    /// The maximum size of a box, enough for the index of a week of audio.
    private static let maximumBoxByteCount = 1 << 28

    private(set) var brand: FourCharCode?
    private(set) var movie = MovieBox()
    private var hasMovie = false
    private var fragments: [(box: MovieFragmentBox, offset: Int)] = []
    /// The offset of a second file with audio, which is not read.
    private(set) var nextFile: Int?
    /// The offset of the first file type box after the movie.
    private var nextType: Int?

    /// Reads the index, ignoring a truncated fragment.
    init(_ source: some ByteSource) throws(ContainerError) {
        var input = ReadAhead(source)
        var offset = 0
        while offset <= source.byteCount - 8 {
            let header: BoxHeader
            do throws(ContainerError) {
                var cursor = ByteCursor(try input.bytes(in: offset..<offset + 16), fileOffset: offset)
                header = try BoxHeader(parsing: &cursor)
            } catch {
                // After the movie box, damage ends the index.
                if !hasMovie { throw error }
                break
            }
            let body = offset + header.byteCount
            let length = header.bodyByteCount ?? source.byteCount - body
            try take(header.type, at: offset, &input, body: body, length)
            let end = body.addingReportingOverflow(length)
            if end.overflow { break }
            offset = end.partialValue
        }
        guard hasMovie else { throw .missingPart(MovieBox.type) }
    }

    /// Parses a top-level box, if the index needs it.
    private mutating func take(
        _ type: FourCharCode, at offset: Int, _ input: inout ReadAhead<some ByteSource>, body: Int, _ length: Int
    ) throws(ContainerError) {
        switch type {
        case "ftyp" where brand == nil:
            var cursor = try Self.body(&input, type, body, length)
            brand = try cursor.readCode()
        case MovieBox.type where !hasMovie:
            var cursor = try Self.body(&input, type, body, length)
            try cursor.require(length)
            movie = try MovieBox(parsing: &cursor)
            hasMovie = true
        case "ftyp": if hasMovie { nextType = nextType ?? offset }
        case MovieBox.type where nextFile == nil:
            // Segments of a stream can repeat their movie box, which has no samples.
            guard var cursor = try? Self.body(&input, type, body, length) else { return }
            let other = try? MovieBox(parsing: &cursor)
            if other?.tracks.contains(where: { $0.isAudio && $0.sampleTable.sizes.count > 0 }) == true { nextFile = nextType ?? offset }
        case MovieFragmentBox.type:
            guard var cursor = try? Self.body(&input, type, body, length), cursor.remaining == length,
                let fragment = try? MovieFragmentBox(parsing: &cursor)
            else { return }
            fragments.append((fragment, offset))
        default: break
        }
    }

    private static func body(
        _ input: inout ReadAhead<some ByteSource>, _ type: FourCharCode, _ offset: Int, _ length: Int
    ) throws(ContainerError) -> ByteCursor {
        guard length <= maximumBoxByteCount else { throw .partTooLong(type, byteCount: length, limit: maximumBoxByteCount) }
        return ByteCursor(try input.bytes(in: offset..<offset + length), fileOffset: offset)
    }

    /// Returns the audio track to read: the first supported track that is enabled, or else the first supported track.
    ///
    /// - Parameter number: The number that the track must have among the audio tracks, from 1, or `nil` for any.
    func audioTrack(_ number: Int? = nil, where isSupported: (SampleDescriptionBox) -> Bool) -> TrackBox? {
        var tracks = movie.tracks.filter { $0.isAudio }
        if let number { tracks = tracks.indices.contains(number &- 1) ? [tracks[number - 1]] : [] }
        tracks = tracks.filter { isSupported($0.sampleTable.description) }
        return tracks.first { $0.isEnabled } ?? tracks.first
    }

    #if !hasFeature(Embedded) || LINNET_FILES
    /// Returns all audio tracks in file order.
    ///
    /// - Parameter track: The track that is read, if any.
    func audioTracks(reading track: TrackBox? = nil) -> [AudioTrack] {
        movie.tracks.filter { $0.isAudio }.enumerated().map { index, other in
            let description = other.sampleTable.description
            var result = AudioTrack(
                number: index + 1, codecName: description.codecName, language: other.extendedLanguage ?? other.language,
                isRead: other.trackID == track?.trackID)
            result.name = other.name
            result.isDefault = other.isEnabled
            result.isSupported = description.entry?.isSupported == true || description.isSampleStream
            if let entry = description.entry, entry.isSupported, let configuration = try? entry.configuration() {
                (result.channelCount, result.sampleRate) = (configuration.channelCount, configuration.sampleRate)
            } else if let format = TrackSampleStream.format(of: description) {
                (result.channelCount, result.sampleRate) = format
            }
            return result
        }
    }
    #endif

    /// Returns the offsets and times of a track's access units, including fragments, in a file of `byteCount` bytes.
    func sampleTable(of track: TrackBox, byteCount: Int) -> SampleTable {
        let table = SampleTable(track.sampleTable, byteCount: byteCount)
        var placement = FragmentPlacement(table, of: track, defaults: movie.fragmentDefaults ?? [], byteCount: byteCount)
        for fragment in fragments {
            placement.add(fragment.box, at: fragment.offset)
        }
        return placement.table
    }

    /// Returns the total access unit size of all other tracks, including fragments, but at most the file size.
    func byteCount(ofTracksOtherThan track: TrackBox, fileByteCount: Int) -> Int {
        var result = 0
        /// Adds a size, limited to the file size.
        func add(_ byteCount: Int) { result = min(fileByteCount, result + min(fileByteCount, byteCount)) }
        for other in movie.tracks where other.trackID != track.trackID {
            add(other.isAudio ? other.sampleTable.sizes.byteCount : other.otherByteCount)
        }
        for part in fragments.lazy.flatMap({ $0.box.tracks }) where part.trackID != track.trackID {
            let defaultSize = part.defaultSize ?? movie.fragmentDefaults?.first { $0.trackID == part.trackID }?.size ?? 0
            for run in part.runs {
                add(
                    run.sizes.isEmpty
                        ? SampleSizeBox(constantSize: defaultSize, count: run.count).byteCount : SampleSizeBox(sizes: run.sizes).byteCount)
            }
        }
        return result
    }
}
