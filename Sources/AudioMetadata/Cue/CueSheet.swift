// SPDX-License-Identifier: Apache-2.0

/// A CUE sheet, which lists the tracks of a disc in one or several files (CDRWIN user's guide, appendix A).
package struct CueSheet: Hashable, Sendable {
    /// A track with its start (index 1) within its file.
    package struct Track: Hashable, Sendable {
        package let file: Int
        /// Whether it contains audio: `false` for `MODE1/2048` and other modes of data.
        fileprivate let isAudio: Bool
        /// The title, or empty if missing.
        package fileprivate(set) var title = ""
        package fileprivate(set) var performer: String?
        /// The International Standard Recording Code.
        package fileprivate(set) var isrc: String?
        /// The start in sectors, or `nil` if missing.
        package fileprivate(set) var start: Int?
    }

    package private(set) var files: [String] = []
    /// The tracks of all files, in order.
    package private(set) var tracks: [Track] = []

    /// The title of the disc as the album, its performer as the album artist, and its genre and date.
    package private(set) var disc = AudioTags()

    /// The time unit of the sheet.
    package static let sectorsPerSecond = 75
    package static let maximumByteCount = 1 << 22
    /// The index of a track's start, after index 0 (the pause before it).
    private static let firstIndex = 1

    /// Parses a sheet, or returns `nil` if the text has no track.
    package init?(_ text: String) {
        guard text.utf8.count <= Self.maximumByteCount else { return nil }
        for line in text.split(whereSeparator: { $0.isNewline }) { take(Self.words(line)) }
        guard !tracks.isEmpty else { return nil }
    }

    private mutating func take(_ words: [String]) {
        guard words.count >= 2, let command = words.first?.uppercased() else { return }
        switch command {
        case "FILE":
            if files.count < AudioTags.Chapter.countLimit { files.append(words[1]) }
        case "TRACK":
            guard tracks.count < AudioTags.Chapter.countLimit else { return }
            let mode = words.dropFirst(2).first?.uppercased() ?? ""
            let isAudio = !["MODE", "CDI"].contains { mode.hasPrefix($0) }
            tracks.append(Track(file: max(0, files.count - 1), isAudio: isAudio))
        // Before the first track, these describe the disc.
        case "TITLE" where tracks.isEmpty: disc[.album] = [words[1]]
        case "PERFORMER" where tracks.isEmpty: disc[.albumArtist] = [words[1]]
        case "REM" where tracks.isEmpty && words.count >= 3 && words[1].uppercased() == "GENRE": disc[.genre] = [words[2]]
        case "REM" where tracks.isEmpty && words.count >= 3 && words[1].uppercased() == "DATE": disc[.date] = [words[2]]
        case "TITLE": tracks[tracks.count - 1].title = words[1]
        case "PERFORMER": tracks[tracks.count - 1].performer = words[1]
        case "ISRC" where !tracks.isEmpty: tracks[tracks.count - 1].isrc = words[1]
        case "INDEX" where !tracks.isEmpty && words.count >= 3 && Int(words[1]) == Self.firstIndex:
            if let start = Self.sectors(words[2]) { tracks[tracks.count - 1].start = start }
        default: break
        }
    }

    /// The chapters of the only file without its data tracks, or none if the sheet has one file per track.
    package var chapters: [AudioTags.Chapter] {
        guard files.count <= 1 else { return [] }
        return tracks.enumerated().compactMap { index, track in
            guard track.isAudio else { return nil }
            return track.start.map {
                let title = track.title.isEmpty ? "Track \(index + 1)" : track.title
                var chapter = AudioTags.Chapter(start: $0, timescale: Self.sectorsPerSecond, title: title)
                (chapter.performer, chapter.isrc) = (track.performer ?? disc.first(.albumArtist), track.isrc)
                return chapter
            }
        }
    }

    /// Returns the sectors of a time in minutes, seconds and sectors, or `nil` if it is invalid.
    private static func sectors(_ text: String) -> Int? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false).map { $0.utf8.count <= 6 ? Int($0) : nil }
        guard parts.count == 3, let minutes = parts[0], let seconds = parts[1], let sectors = parts[2], minutes >= 0,
            (0..<60).contains(seconds), (0..<sectorsPerSecond).contains(sectors)
        else { return nil }
        return (minutes * 60 + seconds) * sectorsPerSecond + sectors
    }

    /// Returns the words of a line, with quoted words unquoted.
    private static func words(_ line: Substring) -> [String] {
        var words: [String] = []
        var rest = line[...]
        // No command has more words.
        while words.count < 4 {
            rest = rest.drop { $0 == " " || $0 == "\t" || $0 == "\u{FEFF}" }
            guard let first = rest.first else { break }
            let isQuoted = first == "\""
            if isQuoted { rest = rest.dropFirst() }
            let word = rest.prefix { isQuoted ? $0 != "\"" : $0 != " " && $0 != "\t" }
            words.append(String(word))
            rest = rest.dropFirst(word.count + (isQuoted ? 1 : 0))
        }
        return words
    }
}
