// SPDX-License-Identifier: Apache-2.0

internal import AudioContainers
internal import AudioLoudness
package import AudioMetadata
package import AudioPrimitives
package import PCMFiles

/// The parts of a file as time ranges: its chapters, or parts of a duration, of a size, or between pauses.
///
/// The ranges cover the whole file. A ``FileConverter`` or ``FileRemuxer`` writes each.
package struct ChapterSplit: Hashable, Sendable {
    package struct Part: Hashable, Sendable {
        /// The time range, exact to the sample frame.
        ///
        /// The last part's range is open-ended.
        package let range: Range<Duration>
        /// The range to select from the file, or `nil` for all of it, which may be empty.
        var selection: Range<Duration>? { range == .zero..<ChapterSplit.end ? nil : range }
        /// The part's number and the part count as the track; for a chapter, also its title, the performer and ISRC of a CUE sheet, and
        /// the book's title as the album unless the file has an album.
        package var tags = AudioTags()
        /// Whether the part has the chapters of its range, because it is not a chapter itself.
        package var keepsChapters = true

        /// Returns the tags that the part inherits, before its chapters are trimmed: the input's and its own storable tags.
        func inheritedTags(_ input: AudioTags, storage: TagStorage) -> AudioTags {
            var result = storage.storable(tags).inheriting(input)
            if !keepsChapters { result.chapters = [] }
            return result
        }

        /// Returns the tags to write, with the requested chapters of the part.
        func requestedTags(_ requested: AudioTags) -> AudioTags {
            var result = requested
            if keepsChapters {
                result.cutChapters(to: range)
            } else {
                result.chapters = []
            }
            return result
        }
    }

    /// The parts in order of their start times.
    ///
    /// Empty for a file without chapters, and if a size leaves no space for audio.
    package private(set) var parts: [Part] = []

    /// Creates a division without parts.
    package init() {}

    /// Reads the chapters of a file.
    ///
    /// Audio before the first chapter is added to it. Of several chapters that start at the same frame, the last one is used. Chapters
    /// after the end of the file are ignored.
    ///
    /// - Parameters:
    ///   - raw: The format of headerless PCM, or `nil` to detect the format.
    ///   - audioTrack: The audio track to read, or `nil` for the default one.
    ///   - chapters: Replacements for the file's chapters, if not empty.
    /// - Throws: ``/PCMFiles/AudioFileError`` if the file cannot be read.
    package init(
        path: String, raw: AudioFormat? = nil, audioTrack: AudioTrackChoice? = nil, chapters: [AudioTags.Chapter] = []
    ) throws(AudioFileError) {
        let properties = try AudioFileError.attempt(path) {
            try PCMFileReader.opening(path, raw: raw, audioTrack: audioTrack).properties
        }
        let rate = properties.sampleRate
        let tags = properties.tags
        var starts: [(frame: Int, chapter: AudioTags.Chapter)] = []
        for chapter in chapters.isEmpty ? tags.chapters : chapters {
            let frame = chapter.start(in: rate)
            guard frame < properties.frameCount ?? .max else { break }
            if starts.last?.frame == frame { starts.removeLast() }
            starts.append((frame, chapter))
        }
        self.init(starts: starts.indices.map { $0 == 0 ? 0 : starts[$0].frame }, sampleRate: rate)
        for index in parts.indices {
            let chapter = starts[index].chapter
            parts[index].tags.title = chapter.title
            parts[index].tags[.artist] = [chapter.performer].compactMap(\.self)
            parts[index].tags[.isrc] = [chapter.isrc].compactMap(\.self)
            if tags.album == nil { parts[index].tags.album = tags.title }
            parts[index].keepsChapters = false
        }
    }

    /// Divides a file into parts of equal duration.
    ///
    /// The last part is shorter. A remainder too short for an access unit stays in the part before it.
    ///
    /// - Parameters:
    ///   - raw: The format of headerless PCM, or `nil` to detect the format.
    ///   - audioTrack: The audio track to read, or `nil` for the default one.
    ///   - interval: The duration of a part, at least one sample frame.
    ///   - container: The container to which access units are copied, or `nil` to decode.
    /// - Throws: ``/PCMFiles/AudioFileError`` if the file cannot be read.
    package init(
        path: String, raw: AudioFormat? = nil, audioTrack: AudioTrackChoice? = nil, interval: Duration, container: AudioFileFormat? = nil
    ) throws(AudioFileError) {
        self = try AudioFileError.attempt(path) {
            let reader = try PCMFileReader.opening(path, raw: raw, audioTrack: audioTrack)
            let length = max(1, interval.frameCount(atRate: reader.properties.sampleRate))
            let frameCount = try JoinedPCMSource.frameCount(reader)
            var starts = [0] + stride(from: length, to: frameCount, by: length)
            if let container, !container.storesGaplessInfo, starts.count > 1 {
                let unit = try AccessUnitReader(path: path, audioTrack: audioTrack).firstConfiguration()?.framesPerUnit ?? 1
                if frameCount - starts[starts.count - 1] < unit { starts.removeLast() }
            }
            return ChapterSplit(starts: starts, sampleRate: reader.properties.sampleRate)
        }
    }

    /// Divides a file in the middle of its pauses.
    ///
    /// Silence at the end stays in the part before it.
    ///
    /// - Parameters:
    ///   - raw: The format of headerless PCM, or `nil` to detect the format.
    ///   - audioTrack: The audio track to read, or `nil` for the default one.
    ///   - silenceLevel: The RMS level up to which a window of 20 ms is silent, in dBFS.
    /// - Throws: ``/PCMFiles/AudioFileError`` if the file cannot be read.
    package init(
        path: String, raw: AudioFormat? = nil, audioTrack: AudioTrackChoice? = nil, silenceLevel: Double
    ) throws(AudioFileError) {
        self = try AudioFileError.attempt(path) {
            let reader = try PCMFileReader.opening(path, raw: raw, audioTrack: audioTrack)
            let properties = reader.properties
            var pauses = PauseSplitter(level: silenceLevel, sampleRate: properties.sampleRate, channelCount: properties.channelCount)
            var buffer = PCMBuffer(
                sampleRate: properties.sampleRate, channelCount: properties.channelCount, frameCapacity: Self.readLength)
            var starts = [0]
            while true {
                try reader.read(into: &buffer)
                guard buffer.frameCount > 0 else { break }
                starts += pauses.cuts(buffer, after: starts[starts.count - 1])
            }
            if starts.count > 1, pauses.isSilent(from: starts[starts.count - 1]) { starts.removeLast() }
            return ChapterSplit(starts: starts, sampleRate: properties.sampleRate)
        }
    }

    /// Divides encoded audio into the longest parts whose copies do not exceed a size.
    ///
    /// Empty if the tags or the access units before a part need all of it.
    ///
    /// - Parameters:
    ///   - audioTrack: The audio track to read, or `nil` for the default one.
    ///   - byteCount: The maximum size of a file.
    /// - Throws: ``/PCMFiles/AudioFileError`` if the file cannot be read.
    package init(
        path: String, audioTrack: AudioTrackChoice? = nil, byteCount: Int, container: AudioFileFormat
    ) throws(AudioFileError) {
        self = try AudioFileError.attempt(path) {
            let reader = try AccessUnitReader(path: path, audioTrack: audioTrack)
            let omitted = reader.metadata.omittedRanges
            let growth = FileGrowth(container, tags: reader.metadata.tags.byteCount + Self.bytesPerEdit * omitted.count)
            let origin = reader.metadata.gaplessInfo?.primingFrames ?? 0
            var configuration: CodecConfiguration?
            var (position, starts) = (0, [0])
            /// The sizes of the access units of the part, and of those that a decoder needs before the next one.
            var (count, payload, recent) = (0, 0, ArraySlice<Int>())
            while let event = try reader.next() {
                if case .configuration(let found) = event { configuration = configuration ?? found }
                guard case .accessUnit(let demuxed) = event, let configuration else { continue }
                let frames = configuration.decodedFrameCount(of: demuxed.accessUnit)
                if configuration.hasAccessPoints, configuration.isAccessPoint(demuxed.accessUnit) { recent.removeAll() }
                let preroll =
                    configuration.hasAccessPoints
                    ? recent.count
                    : container.storesGaplessInfo ? configuration.cutPrerollFrames(isStored: true) / max(1, frames) + 1 : 0
                let size = demuxed.accessUnit.payload.count
                if growth.byteCount(frames: 0, accessUnits: count + 1, payload: payload + size) > byteCount {
                    guard count > preroll else { return ChapterSplit(starts: [], sampleRate: 1) }
                    recent = recent.suffix(preroll)
                    (count, payload) = (recent.count, recent.reduce(0, +))
                    guard growth.byteCount(frames: 0, accessUnits: count + 1, payload: payload + size) <= byteCount else {
                        return ChapterSplit(starts: [], sampleRate: 1)
                    }
                    starts.append(omitted.reduce(position - origin) { $0 - $1.clamped(to: 0..<max(0, position)).count })
                }
                (count, payload, position) = (count + 1, payload + size, position + frames)
                recent.append(size)
                if !configuration.hasAccessPoints, recent.count > Self.prerollLimit { recent.removeFirst() }
            }
            return ChapterSplit(starts: starts, sampleRate: configuration?.sampleRate ?? 1)
        }
    }

    /// Creates numbered parts that start at these frames.
    private init(starts: [Int], sampleRate: Int) {
        parts = starts.enumerated().map { index, first in
            let end = index + 1 < starts.count ? Duration(frameCount: starts[index + 1], sampleRate: sampleRate) : Self.end
            var part = Part(range: Duration(frameCount: first, sampleRate: sampleRate)..<end)
            part.tags.track = .init(number: index + 1, total: starts.count)
            return part
        }
    }

    /// The end of an open-ended range.
    private static let end = Duration.seconds(Int64.max)
    /// The size of an edit in the longer form (ISO/IEC 14496-12, 8.6.6).
    private static let bytesPerEdit = 20
    /// The number of frames to read at a time.
    private static let readLength = 16_384
    /// The maximum number of access units that a decoder needs before a part.
    private static let prerollLimit = 256
}

extension AccessUnitReader {
    /// Reads up to the first configuration, and returns it.
    fileprivate func firstConfiguration() throws(AudioFileError) -> CodecConfiguration? {
        while let event = try next() {
            if case .configuration(let configuration) = event { return configuration }
        }
        return nil
    }
}
