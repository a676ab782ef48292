// SPDX-License-Identifier: Apache-2.0

package import AudioMetadata
package import AudioPrimitives
package import PCMFiles

/// The parts of a file from chapter to chapter, which together are all of it: to convert each with a ``FileConverter``.
package struct ChapterSplit: Hashable, Sendable {
    /// A part.
    package struct Part: Hashable, Sendable {
        /// The range of the file, exact to the sample frame; the last one is open.
        package let range: Range<Duration>
        /// The title of the chapter, its number of how many as the track, and the title of the book as the album, unless it has one.
        package let tags: AudioTags
    }

    /// The parts in the order of their starts; none of a file without chapters.
    package let parts: [Part]

    /// Reads the chapters of a file.
    ///
    /// What precedes the first chapter belongs to it. Of chapters that begin at the same frame the last counts, and those after the end are left out.
    ///
    /// - Parameters:
    ///   - path: The file's path.
    ///   - raw: The format of PCM without a header; nil to detect the format.
    ///   - chapters: Chapters in place of those of the file; empty for those of the file.
    /// - Throws: ``/PCMFiles/AudioFileError`` if the file can't be read.
    package init(path: String, raw: AudioFormat? = nil, chapters: [AudioTags.Chapter] = []) throws(AudioFileError) {
        let properties: PCMFileProperties
        do {
            properties = try PCMFileReader.opening(path, raw: raw).properties
        } catch {
            throw AudioFileError(error, input: path, output: path)
        }
        let rate = properties.sampleRate
        let tags = properties.tags
        var starts: [(frame: Int, title: String)] = []
        for chapter in chapters.isEmpty ? tags.chapters : chapters {
            let frame = chapter.start(in: rate)
            guard frame < properties.frameCount ?? .max else { break }
            if starts.last?.frame == frame { starts.removeLast() }
            starts.append((frame, chapter.title))
        }
        parts = starts.indices.map { index in
            let first = index == 0 ? 0 : starts[index].frame
            let end = index + 1 < starts.count ? Duration(frameCount: starts[index + 1].frame, sampleRate: rate) : .seconds(Int64.max)
            var requested = AudioTags()
            requested.title = starts[index].title
            requested.track = .init(number: index + 1, total: starts.count)
            if tags.album == nil { requested.album = tags.title }
            return Part(range: Duration(frameCount: first, sampleRate: rate)..<end, tags: requested)
        }
    }
}
