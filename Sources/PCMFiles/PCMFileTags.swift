// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// Title, artist and so on of a PCM file: `INFO` of WAV, text chunks of AIFF, Vorbis comments of FLAC, ID3 of MP3.
public struct PCMFileTags: Hashable, Sendable {
    /// The title.
    public var title: String?
    /// The performer or speaker.
    public var artist: String?
    /// The album.
    public var album: String?
    /// The date, as ISO 8601 or a year.
    public var date: String?

    /// Creates empty tags.
    public init() {}

    /// Whether there is no tag.
    public var isEmpty: Bool { self == PCMFileTags() }
}

extension PCMFileFormat {
    /// Returns the tags that files of this format can store: all in WAV, CAF and FLAC, title and artist in AIFF, none in raw PCM.
    public func storable(_ tags: PCMFileTags) -> PCMFileTags {
        var result = PCMFileTags()
        guard self != .raw else { return result }
        result.title = tags.title
        result.artist = tags.artist
        guard self != .aiff else { return result }
        result.album = tags.album
        result.date = tags.date
        return result
    }
}
