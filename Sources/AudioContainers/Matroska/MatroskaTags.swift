// SPDX-License-Identifier: Apache-2.0

#if !hasFeature(Embedded) || LINNET_FILES
internal import AudioMetadata
internal import AudioPrimitives

/// The tags of a file (RFC 9559, 5.1.8, and draft-ietf-cellar-tags).
struct MatroskaTags {
    private struct Tag {
        /// 50 for an album, 30 for a track, or `nil` if the file doesn't state it.
        var level: Int?
        /// The tracks that the tag belongs to, or none for all.
        var trackUIDs: [Int] = []
        /// Whether the tag belongs to a chapter or an attachment.
        var isOther = false
        var fields: [(name: String, value: String)] = []
        var hasBinaries = false

        /// Adds the text of a `SimpleTag`, which may have binary data instead.
        mutating func add(_ body: ByteCursor) {
            var body = body
            var (name, text) = ("", String?.none)
            while let (id, part) = body.nextElement() {
                switch id {
                case MatroskaID.tagName: name = part.text
                case MatroskaID.tagString: text = part.text
                default: break
                }
            }
            if let text { fields.append((name, text)) } else { hasBinaries = true }
        }
    }

    /// The maximum number of tags, and of texts.
    private static let countLimit = 10_000
    /// The level of albums.
    private static let album = 50
    /// The level of discs.
    private static let disc = 40
    /// The level of tracks.
    private static let track = 30

    /// Names with another meaning than in Vorbis comments.
    private static let names: [String: AudioTags.Key] = [
        "date_released": .date, "date_recorded": .date, "part_number": .trackNumber, "total_parts": .trackTotal, "encoded_by": "ENCODEDBY",
        "replaygain_gain": "replaygain_track_gain", "replaygain_peak": "replaygain_track_peak", "lead_performer": .artist,
    ]
    /// Names of tags of an album, if a file also has tags of its track.
    private static let albumNames: [String: AudioTags.Key] = [
        "title": .album, "artist": .albumArtist, "lead_performer": .albumArtist, "part_number": .discNumber,
        "replaygain_gain": "replaygain_album_gain", "replaygain_peak": "replaygain_album_peak",
    ]
    /// Statistics by the program that wrote the file.
    private static let statistics: Set<String> = ["duration", "bps", "number_of_frames", "number_of_bytes", "source_id"]

    private var tags: [Tag] = []

    mutating func read(_ body: ByteCursor) {
        var body = body
        while tags.count < Self.countLimit, let (id, field) = body.nextElement() {
            if id == MatroskaID.tag { tags.append(Self.tag(field)) }
        }
    }

    private static func tag(_ body: ByteCursor) -> Tag {
        var body = body
        var tag = Tag()
        while let (id, field) = body.nextElement() {
            var field = field
            if id == MatroskaID.targets {
                while let (id, target) = field.nextElement() {
                    switch id {
                    case MatroskaID.targetTypeValue: tag.level = target.unsigned
                    case MatroskaID.tagTrackUID: if let uid = target.unsigned, uid != 0 { tag.trackUIDs.append(uid) }
                    case MatroskaID.tagChapterUID, MatroskaID.tagAttachmentUID: tag.isOther = tag.isOther || target.unsigned != 0
                    default: break
                    }
                }
            } else if id == MatroskaID.simpleTag {
                tag.add(field)
            }
        }
        return tag
    }

    func tags(trackUID: Int) -> AudioTags {
        // The narrowest come first, because some names keep their first value.
        let found = tags.filter { !$0.isOther && ($0.trackUIDs.isEmpty || $0.trackUIDs.contains(trackUID)) }.sorted {
            ($0.trackUIDs.isEmpty ? 1 : 0, $0.level ?? Self.album) < ($1.trackUIDs.isEmpty ? 1 : 0, $1.level ?? Self.album)
        }
        let hasTrackLevel = found.contains { $0.level == Self.track && !$0.fields.isEmpty }
        var result = AudioTags()
        for tag in found {
            let isAlbum = hasTrackLevel && tag.level.map { $0 > Self.track } ?? false
            for (name, value) in tag.fields where result.fields.count < Self.countLimit {
                let folded = name.asciiLowercased
                guard !Self.statistics.contains(folded), !folded.utf8.starts(with: "_statistics".utf8) else { continue }
                let key = (isAlbum ? Self.albumNames[folded] : nil) ?? Self.names[folded] ?? AudioTags.Key(freeName: name)
                result.add(value, named: tag.level == Self.disc && key == .album ? "DISCSUBTITLE" : key)
            }
            if tag.hasBinaries { result.addUnread("binary tags") }
        }
        return result
    }
}
#endif
