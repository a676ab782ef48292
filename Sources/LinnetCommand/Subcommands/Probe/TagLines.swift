// SPDX-License-Identifier: Apache-2.0

import AudioMetadata
import AudioPrimitives
import JSONText

/// Tags as text and JSON.
enum TagLines {
    /// The JSON names of common tags.
    ///
    /// Other tags keep their names.
    private static let names: [AudioTags.Key: String] = [
        .title: "title", .artist: "artist", .albumArtist: "albumArtist", .album: "album", .date: "date", .genre: "genre",
        .composer: "composer", .comment: "comment", .copyright: "copyright", .lyrics: "lyrics", .compilation: "compilation",
        .encoder: "encoder", .titleSort: "titleSort", .artistSort: "artistSort", .albumSort: "albumSort",
        .albumArtistSort: "albumArtistSort", .composerSort: "composerSort", .isrc: "isrc",
    ]
    /// The maximum length of a printed text, in characters.
    private static let maximumLineLength = 200

    /// Returns the tags with their names.
    ///
    /// Values of one name are joined by commas.
    static func named(_ tags: AudioTags) -> [(name: String, value: String)] {
        var result: [(name: String, value: String)] = []
        var written: Set<AudioTags.Key> = [.trackNumber, .trackTotal, .discNumber, .discTotal]
        for (name, number, total) in [("track", AudioTags.Key.trackNumber, AudioTags.Key.trackTotal), ("disc", .discNumber, .discTotal)] {
            let parts = [tags.first(number) ?? (tags.first(total) == nil ? nil : "0"), tags.first(total)].compactMap { $0 }
            if !parts.isEmpty { result.append((name, parts.joined(separator: "/"))) }
        }
        for field in tags.fields where written.insert(field.key).inserted {
            result.append((names[field.key] ?? field.key.name, tags.joined(field.key) ?? ""))
        }
        for (name, gain) in [("replayGain", tags.replayGain), ("albumReplayGain", tags.albumReplayGain)] {
            guard let gain else { continue }
            let peak = gain.peak.map { ", peak \(Format.fixed($0, digits: 6))" } ?? ""
            result.append((name, "\(Format.fixed(gain.gain, digits: 2)) dB" + peak))
        }
        return result
    }

    static func rows(_ tags: AudioTags) -> [(String, String)] {
        var rows = named(tags).map { name, value in
            let line = Format.line(value)
            let text = line.count > maximumLineLength ? line.prefix(maximumLineLength) + "…" : line[...]
            return (heading(name), String(text))
        }
        for name in tags.wave.names { rows.append(("WAV", name)) }
        for picture in tags.pictures {
            let number = picture.kind.rawValue
            let kind = pictureKinds.indices.contains(number) ? pictureKinds[number] : "kind \(number)"
            rows.append(("Picture", "\(kind), \(Format.line(picture.mediaType)), \(picture.bytes.count) bytes"))
        }
        for chapter in tags.chapters.prefix(listedChapters) { rows.append(("Chapter", time(chapter) + " " + Format.line(chapter.title))) }
        if tags.chapters.count > listedChapters { rows.append(("Chapter", "\(tags.chapters.count - listedChapters) more")) }
        return rows
    }

    /// Returns rows as lines: the names with colons in a column, and their values.
    static func lines(_ rows: [(String, String)]) -> [String] {
        rows.map { name, value in name.count < 14 ? Format.padded(name + ":", to: -15) + value : "\(name): \(value)" }
    }

    /// Returns the name of a tag as a heading: `albumArtist` as "Album artist", `MOVEMENTNAME` as "Movement name".
    private static func heading(_ name: String) -> String {
        if let known = headings[name] { return known }
        if name.contains(where: \.isLowercase) {
            let words = name.dropFirst().map { $0.isUppercase ? " " + $0.lowercased() : String($0) }.joined()
            return name.prefix(1).uppercased() + words
        }
        return TagNames.named(AudioTags.Key(name)) == nil ? name : name.prefix(1) + name.dropFirst().lowercased()
    }

    /// The headings of names without visible word boundaries.
    private static let headings = [
        "isrc": "ISRC", "BPM": "BPM", "replayGain": "ReplayGain", "albumReplayGain": "Album ReplayGain", "MOVEMENTNAME": "Movement name",
        "MOVEMENTTOTAL": "Movement total", "DISCSUBTITLE": "Disc subtitle", "ORIGINALDATE": "Original date", "RELEASEDATE": "Release date",
        "ORIGINALARTIST": "Original artist", "ORIGINALALBUM": "Original album", "ENCODEDBY": "Encoded by",
        "LONGDESCRIPTION": "Long description", "STOREDESCRIPTION": "Store description", "SHOWSORT": "Show sort", "EPISODEID": "Episode ID",
        "PODCASTCATEGORY": "Podcast category", "PODCASTKEYWORDS": "Podcast keywords", "PODCASTID": "Podcast ID",
        "PODCASTURL": "Podcast URL", "MEDIAKIND": "Media kind", "SHOWMOVEMENT": "Show movement", "BARCODE": "Barcode",
        "CATALOGNUMBER": "Catalog number", "RATING": "Rating", "ORIGINATOR": "Originator", "ORIGINATOR_REFERENCE": "Originator reference",
        "ORIGINATION_DATE": "Origination date", "ORIGINATION_TIME": "Origination time", "TIME_REFERENCE": "Time reference",
        "CODING_HISTORY": "Coding history", "IXML": "iXML", "LOUDNESS_VALUE": "Loudness value", "LOUDNESS_RANGE": "Loudness range",
        "MAX_TRUE_PEAK_LEVEL": "Maximum true peak", "MAX_MOMENTARY_LOUDNESS": "Maximum momentary loudness",
        "MAX_SHORT_TERM_LOUDNESS": "Maximum short-term loudness",
    ]

    /// The kinds of pictures by their numbers in ID3v2 and FLAC.
    private static let pictureKinds = [
        "other", "file icon", "other file icon", "front cover", "back cover", "leaflet", "media", "lead artist", "artist", "conductor",
        "band", "composer", "lyricist", "location", "recording", "performance", "video", "bright fish", "illustration", "artist logo",
        "publisher logo",
    ]

    /// The maximum number of printed chapters.
    private static let listedChapters = 100

    /// Returns the start of a chapter as `00:01:02.500`.
    private static func time(_ chapter: AudioTags.Chapter) -> String { ChapterTime.text(chapter.start(in: ChapterTime.timescale)) }

    /// Returns a chapter as JSON, without the bytes of its picture.
    static func json(_ chapter: AudioTags.Chapter) -> JSONValue {
        .object([
            ("start", .rounded(chapter.seconds, digits: 9)), ("title", .string(chapter.title)),
            ("address", chapter.address.map { .string($0) } ?? .null), ("picture", chapter.picture.map(json) ?? .null),
        ])
    }

    /// Returns a picture as JSON, without its bytes.
    static func json(_ picture: AudioTags.Picture) -> JSONValue {
        .object([
            ("kind", .integer(picture.kind.rawValue)), ("mediaType", .string(picture.mediaType)),
            ("description", .string(picture.text)), ("bytes", .integer(picture.bytes.count)),
        ])
    }
}
