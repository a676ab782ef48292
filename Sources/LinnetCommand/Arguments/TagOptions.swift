// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import AudioMetadata
import PCMFiles
import SystemFiles

/// The tag options of all commands that write files.
package struct TagOptions: Sendable {
    /// The requested tags.
    ///
    /// An empty value removes the input's tag.
    private(set) var tags = AudioTags()
    /// The disc's tags of a CUE sheet for `--split`, which outputs lack if their format does not support them.
    private(set) var discTags = AudioTags()
    /// Whether outputs inherit the tags of their inputs.
    let inheritsTags: Bool

    package static let options =
        [CommandOption.title]
        + texts.dropFirst().map { CommandOption($0.name, value: $0.value, $0.meaning) } + [
            CommandOption("track", value: "N/M", "track number, with an optional total"),
            CommandOption("disc", value: "N/M", "disc number, with an optional total"),
            CommandOption("lyrics-file", value: "FILE", "lyrics from a text file"),
            CommandOption(
                "picture", value: "FILE", "picture (repeatable): the first is the front cover; others have a kind, as in back=FILE",
                aliases: [.init("cover")]),
            CommandOption("tag", value: "KEY=VALUE", "any other tag (repeatable), such as ISRC=…; KEY= removes it"),
            CommandOption("chapters", value: "FILE", "chapters from lines with start and title (1:02:03.5 Title), a CUE sheet or JSON"),
            CommandOption("no-tags", "omit the input's tags and pictures"),
        ]

    private static let texts: [(name: String, value: String, meaning: String, key: AudioTags.Key)] = [
        ("title", "TEXT", "title", .title), ("artist", "TEXT", "performer or speaker", .artist),
        ("album-artist", "TEXT", "artist of the whole album", .albumArtist), ("album", "TEXT", "album or collection", .album),
        ("date", "DATE", "year or date such as 2026-11-20", .date), ("genre", "TEXT", "genre", .genre),
        ("composer", "TEXT", "composer", .composer), ("comment", "TEXT", "comment", .comment),
        ("copyright", "TEXT", "copyright", .copyright),
    ]

    /// The kinds of pictures that can precede a file name, as in `back=FILE`.
    private static let kinds: [(name: String, kind: AudioTags.Picture.Kind)] = [
        ("other", .other), ("front", .frontCover), ("back", .backCover), ("leaflet", .init(rawValue: 5)), ("media", .init(rawValue: 6)),
        ("artist", .init(rawValue: 8)), ("composer", .init(rawValue: 11)), ("logo", .init(rawValue: 20)),
    ]
    /// The maximum size of lyrics, in bytes.
    private static let lyricsByteLimit = 1 << 20

    init(_ arguments: ParsedArguments) throws {
        inheritsTags = !arguments.offers("no-tags") || !arguments.has("no-tags")
        for option in Self.texts + [("tag", "KEY=VALUE", "", .comment)] {
            for text in arguments.texts(option.name) where !PathName.isUTF8(text) {
                throw arguments.failure("invalid --\(option.name) value '\(text)'; it is not UTF-8")
            }
        }
        for option in Self.texts { tags[option.key] = arguments.texts(option.name) }
        try Self.checkDate(arguments)
        for (name, number, total) in [("track", AudioTags.Key.trackNumber, AudioTags.Key.trackTotal), ("disc", .discNumber, .discTotal)] {
            try setPosition(name, number, total, arguments)
        }
        for text in arguments.texts("tag") { try add(text, arguments) }
        try setChapters(arguments)
        if let path = arguments.text("lyrics-file") { tags.lyrics = try TextFile.contents(path, byteLimit: Self.lyricsByteLimit) }
        for text in arguments.texts("picture") { tags.pictures.append(try Self.picture(text, isFirst: tags.pictures.isEmpty)) }
    }

    /// Throws if a date is not a year, optionally with month, day and time.
    private static func checkDate(_ arguments: ParsedArguments) throws(CommandFailure) {
        guard let text = arguments.text("date"), !text.isEmpty else { return }
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        let fields = text.prefix { $0 != "T" && $0 != " " }.split(separator: "-", omittingEmptySubsequences: false)
        let ranges = [0...9999, 1...12, 1...31]
        let isValid = zip(fields, ranges).allSatisfy { field, range in
            guard field.utf8.allSatisfy({ digits.contains($0) }), let number = Int(field) else { return false }
            return field.utf8.count == (range.upperBound > 31 ? 4 : 2) && range.contains(number)
        }
        guard isValid, fields.count <= ranges.count else {
            throw arguments.failure("invalid --date value '\(text)'; use a year or a date such as 2026-11-20")
        }
    }

    private mutating func setChapters(_ arguments: ParsedArguments) throws {
        guard let path = arguments.text("chapters") else { return }
        guard let found = try ChapterFile.tags(path) else {
            throw arguments.failure(
                "no chapters found in \(path); use lines such as 1:02:03.5 Title, a CUE sheet of one file, or JSON")
        }
        tags.chapters = found.chapters
        // Each part of a split has the performer of its track.
        guard !(arguments.offers("split") && arguments.has("split")) else {
            discTags.fields = found.fields
            return
        }
        let given = Set(tags.fields.map(\.key))
        tags.fields += found.fields.filter { !given.contains($0.key) }
        if let artist = found.first(.albumArtist), !given.contains(.artist) { tags[.artist] = [artist] }
    }

    /// Sets a number and a total, such as `3/12`.
    private mutating func setPosition(
        _ name: String, _ number: AudioTags.Key, _ total: AudioTags.Key, _ arguments: ParsedArguments
    ) throws(CommandFailure) {
        guard let text = arguments.text(name) else { return }
        if text.isEmpty {
            (tags[number], tags[total]) = ([""], [""])
            return
        }
        let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
        guard parts.count <= 2, parts.allSatisfy({ (0...65_535).contains($0 ?? -1) }) else {
            throw arguments.failure("invalid --\(name) value '\(text)'; use a number like 3, or 3/12")
        }
        tags[number] = parts[0].map { [String($0)] } ?? []
        if parts.count == 2 { tags[total] = parts[1].map { [String($0)] } ?? [] }
    }

    private mutating func add(_ text: String, _ arguments: ParsedArguments) throws(CommandFailure) {
        guard let separator = text.firstIndex(of: "="), separator > text.startIndex else {
            throw arguments.failure("invalid --tag value '\(text)'; use KEY=VALUE, such as ISRC=DEA450700001")
        }
        let key = AudioTags.Key(freeName: String(text[..<separator]))
        tags.fields.append(AudioTags.Field(key, String(text[text.index(after: separator)...])))
    }

    /// Reads a picture file with an optional kind, as in `back=FILE`.
    private static func picture(_ text: String, isFirst: Bool) throws(AudioFileError) -> AudioTags.Picture {
        let parts = text.split(separator: "=", maxSplits: 1)
        let named = parts.count == 2 ? kinds.first { $0.name == parts[0] } : nil
        var picture = try AudioTags.Picture(path: named == nil ? text : String(parts[1]))
        picture.kind = named?.kind ?? (isFirst ? .frontCover : .other)
        return picture
    }
}
