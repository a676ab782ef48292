// SPDX-License-Identifier: Apache-2.0

/// A CUE sheet, the text that names the tracks of a disc in one file or several (CDRWIN user's guide, appendix A).
package struct CueSheet: Hashable, Sendable {
    /// A track with the start of its first index, from the start of its file on.
    package struct Track: Hashable, Sendable {
        /// The number of its file, from 0 on.
        package let file: Int
        /// The title; empty if there is none.
        package fileprivate(set) var title = ""
        /// The performer; nil if the sheet does not name one.
        package fileprivate(set) var performer: String?
        /// The start in sectors; nil if it is missing.
        package fileprivate(set) var start: Int?
    }

    /// The names of the files.
    package private(set) var files: [String] = []
    /// The tracks of all files, in order.
    package private(set) var tracks: [Track] = []

    /// Sectors a second, in which the sheet counts.
    package static let sectorsPerSecond = 75
    /// The most bytes of a sheet that are read.
    package static let largestByteCount = 1 << 22
    /// The index at which a track begins; that with 0 is the pause before it.
    private static let firstIndex = 1

    /// Parses a sheet; nil if the text names no track.
    package init?(_ text: String) {
        guard text.utf8.count <= Self.largestByteCount else { return nil }
        for line in text.split(whereSeparator: { $0.isNewline }) { take(Self.words(line)) }
        guard !tracks.isEmpty else { return nil }
    }

    /// Takes the words of a line.
    private mutating func take(_ words: [String]) {
        guard words.count >= 2, let command = words.first?.uppercased() else { return }
        switch command {
        case "FILE":
            if files.count < AudioTags.Chapter.countLimit { files.append(words[1]) }
        case "TRACK":
            if tracks.count < AudioTags.Chapter.countLimit { tracks.append(Track(file: max(0, files.count - 1))) }
        // Before the first track they are those of the disc.
        case "TITLE" where !tracks.isEmpty: tracks[tracks.count - 1].title = words[1]
        case "PERFORMER" where !tracks.isEmpty: tracks[tracks.count - 1].performer = words[1]
        case "INDEX" where !tracks.isEmpty && words.count >= 3 && Int(words[1]) == Self.firstIndex:
            if let start = Self.sectors(words[2]) { tracks[tracks.count - 1].start = start }
        default: break
        }
    }

    /// The chapters of the first file; none if a sheet has several, since then a file has one track.
    package var chapters: [AudioTags.Chapter] {
        guard files.count <= 1 else { return [] }
        return tracks.enumerated().compactMap { index, track in
            track.start.map {
                .init(start: $0, timescale: Self.sectorsPerSecond, title: track.title.isEmpty ? "Track \(index + 1)" : track.title)
            }
        }
    }

    /// Returns the sectors of a time in minutes, seconds and sectors; nil if it is none.
    private static func sectors(_ text: String) -> Int? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false).map { $0.utf8.count <= 6 ? Int($0) : nil }
        guard parts.count == 3, let minutes = parts[0], let seconds = parts[1], let sectors = parts[2], minutes >= 0,
            (0..<60).contains(seconds), (0..<sectorsPerSecond).contains(sectors)
        else { return nil }
        return (minutes * 60 + seconds) * sectorsPerSecond + sectors
    }

    /// Returns the words of a line; those between quotation marks may have spaces.
    private static func words(_ line: Substring) -> [String] {
        var words: [String] = []
        var rest = line[...]
        // No command has more.
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
