// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import AudioMetadata
import JSONText
import PCMFiles

/// A chapter file: a CUE sheet, JSON as in `linnet probe --json`, or lines with a start and a title.
enum ChapterFile {
    private static let byteLimit = CueSheet.maximumByteCount
    /// Ticks per second for starts in JSON, which are in seconds.
    private static let timescale = 1_000_000_000
    /// The latest start in JSON, in seconds.
    ///
    /// Its ticks fit in an `Int`.
    private static let latestStart = 1e9

    /// Returns the chapters of a file in the order of their starts, with the disc's tags of a CUE sheet; `nil` if the form of the file is
    /// unknown.
    static func tags(_ path: String) throws -> AudioTags? {
        let text = try TextFile.contents(path, byteLimit: byteLimit)
        var tags = AudioTags()
        if let found = json(text) ?? ChapterList.chapters(text) {
            tags.setChapters(found)
        } else if let sheet = CueSheet(text) {
            tags = sheet.disc
            tags.setChapters(sheet.chapters)
        }
        return tags.chapters.isEmpty ? nil : tags
    }

    /// Returns the chapters of a JSON array of objects with `start` and `title`, or of an object with such an array as `chapters`.
    private static func json(_ text: String) -> [AudioTags.Chapter]? {
        guard let value = try? JSONValue(parsing: text.utf8), let elements = (value["chapters"] ?? value).elements else { return nil }
        var chapters: [AudioTags.Chapter] = []
        for element in elements {
            let title = element["title"]?.text ?? ""
            if let seconds = element["start"]?.number, (0...latestStart).contains(seconds) {
                chapters.append(.init(start: Int((seconds * Double(timescale)).rounded()), timescale: timescale, title: title))
            } else if let ticks = element["start"]?.text.flatMap({ ChapterTime.ticks($0) }) {
                chapters.append(.init(start: ticks.start, timescale: ticks.timescale, title: title))
            } else {
                return nil
            }
        }
        return chapters
    }
}
