// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import AudioMetadata
import JSONText
import PCMFiles

/// A file with chapters: a CUE sheet, JSON as `linnet probe --json` has it, or lines of a start and a title.
enum ChapterFile {
    /// The most bytes of a file.
    private static let byteLimit = CueSheet.largestByteCount
    /// Ticks a second of starts in JSON, which are seconds.
    private static let timescale = 1_000_000_000
    /// The latest start in JSON in seconds, so that its ticks fit.
    private static let latestStart = 1e9

    /// Returns the chapters of a file in the order of their starts; nil if it is of no form that is known.
    static func chapters(_ path: String) throws(AudioFileError) -> [AudioTags.Chapter]? {
        let text = try TextFile.contents(path, byteLimit: byteLimit)
        let found = json(text) ?? ChapterList.chapters(text) ?? CueSheet(text)?.chapters ?? []
        var tags = AudioTags()
        tags.setChapters(found)
        return tags.chapters.isEmpty ? nil : tags.chapters
    }

    /// Returns the chapters of JSON: a list of objects with `start` and `title`, or an object with such a list as `chapters`.
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
