// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives

// Merging of requested tags and input tags.
extension AudioTags {
    /// Returns these tags, completed with names, kinds of pictures, chapters and gains that only `other` has.
    ///
    /// An empty value in these tags removes the name.
    public func inheriting(_ other: AudioTags) -> AudioTags {
        var result = self
        let names = Set(fields.map { $0.key })
        result.fields = fields.filter { !$0.value.isEmpty } + other.fields.filter { !names.contains($0.key) }
        let kinds = Set(pictures.map { $0.kind })
        result.pictures += other.pictures.filter { !kinds.contains($0.kind) }
        if chapters.isEmpty { result.chapters = other.chapters }
        result.replayGain = replayGain ?? other.replayGain
        result.albumReplayGain = albumReplayGain ?? other.albumReplayGain
        if wave == WAVEParts() { result.wave = other.wave }
        result.unreadNames += other.unreadNames
        return result
    }

    /// Completes these tags with a second tag of the same file.
    mutating func merge(_ other: AudioTags) { self = inheriting(other) }

    /// The human-readable names of all contents without duplicates, such as `title`, `cover` or `MUSICBRAINZ_ALBUMID`, except the encoder.
    package var names: [String] {
        var names: [String] = []
        for field in fields where field.key != .encoder && !field.value.isEmpty { names.append(Self.name(of: field.key)) }
        for picture in pictures { names.append(picture.kind == .frontCover ? "cover" : "other pictures") }
        if !chapters.isEmpty { names.append("chapters") }
        if chapters.contains(where: { $0.picture != nil }) { names.append("chapter pictures") }
        if chapters.contains(where: { $0.address != nil }) { names.append("chapter URLs") }
        if replayGain != nil { names.append("loudness") }
        if albumReplayGain != nil { names.append("album loudness") }
        var found = Set<String>()
        return (names + wave.names + unreadNames).filter { found.insert($0).inserted }
    }

    /// Returns the human-readable name of a field.
    private static func name(of key: Key) -> String {
        switch key {
        case .albumArtist: "album artist"
        case .trackNumber, .trackTotal: "track"
        case .discNumber, .discTotal: "disc"
        case .titleSort, .artistSort, .albumSort, .albumArtistSort, .composerSort: "sort names"
        case .title, .artist, .album, .date, .genre, .composer, .comment, .copyright, .lyrics, .compilation: key.name.asciiLowercased
        default: key.name
        }
    }
}
