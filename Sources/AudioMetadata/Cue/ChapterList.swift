// SPDX-License-Identifier: Apache-2.0

/// A list of chapters as people write it: a line each, with its start and its title, such as `00:12:34.500 The Storm`.
package enum ChapterList {
    /// Returns the chapters of a list, in the order of its lines; nil if a line has no start, or there is none.
    ///
    /// Empty lines, and those that begin with a hash, are skipped.
    package static func chapters(_ text: String) -> [AudioTags.Chapter]? {
        var chapters: [AudioTags.Chapter] = []
        for line in text.split(whereSeparator: { $0.isNewline }) {
            let words = line.drop { $0.isWhitespace || $0 == "\u{FEFF}" }
            guard let first = words.first, first != "#" else { continue }
            let start = words.prefix { !$0.isWhitespace }
            guard let ticks = ChapterTime.ticks(start) else { return nil }
            let title = TagText.trimmed(words.dropFirst(start.count))
            chapters.append(.init(start: ticks.start, timescale: ticks.timescale, title: title))
        }
        return chapters.isEmpty ? nil : chapters
    }
}
