// SPDX-License-Identifier: Apache-2.0

/// A text list of chapters, with a start and a title per line, such as `00:12:34.500 The Storm`.
package enum ChapterList {
    /// Returns the chapters of a list in line order, or `nil` if it is empty or a line has no valid start.
    ///
    /// Skips empty lines and lines that start with `#`.
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
