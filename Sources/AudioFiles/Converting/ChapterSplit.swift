// SPDX-License-Identifier: Apache-2.0

package import AudioMetadata
package import AudioPrimitives
package import PCMFiles

/// The chapters or equal parts of a file as time ranges, each to be converted with a ``FileConverter``.
///
/// The ranges cover the whole file.
package struct ChapterSplit: Hashable, Sendable {
    package struct Part: Hashable, Sendable {
        /// The time range, exact to the sample frame.
        ///
        /// The last chapter's range is open-ended.
        package let range: Range<Duration>
        /// The chapter's title, its number and the chapter count as the track, and the book's title as the album unless the file has an
        /// album; the performer and ISRC of a CUE sheet.
        package let tags: AudioTags
    }

    /// The chapters in order of their start times.
    ///
    /// Empty for a file without chapters.
    package let parts: [Part]

    /// Reads the chapters of a file.
    ///
    /// Audio before the first chapter is added to it. Of several chapters that start at the same frame, the last one is used. Chapters
    /// after the end of the file are ignored.
    ///
    /// - Parameters:
    ///   - path: The file's path.
    ///   - raw: The format of headerless PCM, or `nil` to detect the format.
    ///   - audioTrack: The audio track to read, or `nil` for the default one.
    ///   - chapters: Replacements for the file's chapters, if not empty.
    /// - Throws: ``/PCMFiles/AudioFileError`` if the file cannot be read.
    package init(
        path: String, raw: AudioFormat? = nil, audioTrack: AudioTrackChoice? = nil, chapters: [AudioTags.Chapter] = []
    ) throws(AudioFileError) {
        let properties = try Self.properties(path, raw, audioTrack)
        let rate = properties.sampleRate
        let tags = properties.tags
        var starts: [(frame: Int, chapter: AudioTags.Chapter)] = []
        for chapter in chapters.isEmpty ? tags.chapters : chapters {
            let frame = chapter.start(in: rate)
            guard frame < properties.frameCount ?? .max else { break }
            if starts.last?.frame == frame { starts.removeLast() }
            starts.append((frame, chapter))
        }
        parts = starts.indices.map { index in
            let first = index == 0 ? 0 : starts[index].frame
            let end = index + 1 < starts.count ? Duration(frameCount: starts[index + 1].frame, sampleRate: rate) : .seconds(Int64.max)
            var requested = AudioTags()
            requested.title = starts[index].chapter.title
            requested[.artist] = [starts[index].chapter.performer].compactMap(\.self)
            requested[.isrc] = [starts[index].chapter.isrc].compactMap(\.self)
            requested.track = .init(number: index + 1, total: starts.count)
            if tags.album == nil { requested.album = tags.title }
            return Part(range: Duration(frameCount: first, sampleRate: rate)..<end, tags: requested)
        }
    }

    /// Divides a file into parts of equal duration, numbered as tracks.
    ///
    /// The last part is shorter. Empty if the file's length is unknown.
    ///
    /// - Parameters:
    ///   - path: The file's path.
    ///   - raw: The format of headerless PCM, or `nil` to detect the format.
    ///   - audioTrack: The audio track to read, or `nil` for the default one.
    ///   - interval: The duration of a part, at least one sample frame.
    /// - Throws: ``/PCMFiles/AudioFileError`` if the file cannot be read.
    package init(
        path: String, raw: AudioFormat? = nil, audioTrack: AudioTrackChoice? = nil, interval: Duration
    ) throws(AudioFileError) {
        let properties = try Self.properties(path, raw, audioTrack)
        let rate = properties.sampleRate
        let length = max(1, interval.frameCount(atRate: rate))
        let starts = Array(stride(from: 0, to: properties.frameCount ?? 0, by: length))
        parts = starts.enumerated().map { index, first in
            let isLast = index + 1 == starts.count
            let end = isLast ? Duration.seconds(Int64.max) : Duration(frameCount: first + length, sampleRate: rate)
            var requested = AudioTags()
            requested.track = .init(number: index + 1, total: starts.count)
            return Part(range: Duration(frameCount: first, sampleRate: rate)..<end, tags: requested)
        }
    }

    private static func properties(
        _ path: String, _ raw: AudioFormat?, _ audioTrack: AudioTrackChoice?
    ) throws(AudioFileError) -> PCMFileProperties {
        do {
            return try PCMFileReader.opening(path, raw: raw, audioTrack: audioTrack).properties
        } catch {
            throw AudioFileError(error, input: path, output: path)
        }
    }
}
