// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives

// Tags of a user and those of an input as tags of an output.
extension AudioTags {
    /// Returns these tags with what others have where these have nothing: names, kinds of pictures, chapters, gains.
    ///
    /// An empty value of these removes the name.
    public func inheriting(_ other: AudioTags) -> AudioTags {
        var result = self
        let names = Set(fields.map { $0.key })
        result.fields = fields.filter { !$0.value.isEmpty } + other.fields.filter { !names.contains($0.key) }
        let kinds = Set(pictures.map { $0.kind })
        result.pictures += other.pictures.filter { !kinds.contains($0.kind) }
        if chapters.isEmpty { result.chapters = other.chapters }
        result.replayGain = replayGain ?? other.replayGain
        result.albumReplayGain = albumReplayGain ?? other.albumReplayGain
        result.unreadNames += other.unreadNames
        return result
    }

    /// Adds what a second tag of the same file has and these tags have not.
    mutating func merge(_ other: AudioTags) { self = inheriting(other) }

    /// The names for people of all that is there, each once: `title`, `cover`, `MUSICBRAINZ_ALBUMID`; without the encoder.
    package var names: [String] {
        var names: [String] = []
        for field in fields where field.key != .encoder && !field.value.isEmpty { names.append(Self.name(of: field.key)) }
        for picture in pictures { names.append(picture.kind == .frontCover ? "cover" : "other pictures") }
        if !chapters.isEmpty { names.append("chapters") }
        if chapters.contains(where: { $0.picture != nil }) { names.append("pictures of chapters") }
        if chapters.contains(where: { $0.address != nil }) { names.append("addresses of chapters") }
        if replayGain != nil { names.append("loudness") }
        if albumReplayGain != nil { names.append("loudness of the album") }
        var found = Set<String>()
        return (names + unreadNames).filter { found.insert($0).inserted }
    }

    /// The names for people where they are not the usual ones in lower case.
    private static let spokenNames: [Key: String] = [
        .albumArtist: "album artist", .trackNumber: "track", .trackTotal: "track", .discNumber: "disc", .discTotal: "disc",
        .titleSort: "sort names", .artistSort: "sort names", .albumSort: "sort names", .albumArtistSort: "sort names",
        .composerSort: "sort names", .isrc: "ISRC",
    ]
    private static let plainNames: Set<Key> = [
        .title, .artist, .album, .date, .genre, .composer, .comment, .copyright, .lyrics, .compilation,
    ]

    /// Returns the name of a field for people.
    private static func name(of key: Key) -> String { spokenNames[key] ?? (plainNames.contains(key) ? key.name.asciiLowercased : key.name) }
}
