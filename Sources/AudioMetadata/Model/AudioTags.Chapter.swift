// SPDX-License-Identifier: Apache-2.0

extension AudioTags {
    /// A chapter of a book or an album, which ends where the next one starts.
    ///
    /// ```swift
    /// tags.chapters = [.init(start: 0, timescale: 44_100, title: "Prologue"), .init(start: 2_646_000, timescale: 44_100, title: "One")]
    /// ```
    public struct Chapter: Hashable, Sendable {
        /// The start in ticks, counted from the first valid sample frame.
        package private(set) var start: Int
        /// Ticks per second, from 1 to 2³¹ - 1.
        package private(set) var timescale: Int
        /// The title.
        public var title: String
        /// The URL of a page about the chapter, if any.
        public var address: String?
        /// A picture, if any.
        public var picture: Picture?
        /// The performer and the International Standard Recording Code from a CUE sheet, which no chapter in a file has.
        package var performer: String?
        package var isrc: String?

        /// The maximum number of chapters to read from a file.
        package static let countLimit = 10_000
        /// The range of ``timescale``.
        private static let timescales = 1...Int(Int32.max)

        /// Creates a chapter.
        ///
        /// Clamps `start` and `timescale` to their ranges.
        public init(start: Int, timescale: Int, title: String) {
            self.start = max(0, start)
            self.timescale = min(max(timescale, Self.timescales.lowerBound), Self.timescales.upperBound)
            self.title = title
        }

        /// Returns the start in another timescale, rounded to nearest and clamped to `Int`.
        ///
        /// - Parameter scale: Ticks per second, for example a sample rate. At least 1.
        package func start(in scale: Int) -> Int {
            let product = UInt(start).multipliedFullWidth(by: UInt(max(1, scale)))
            let (low, overflow) = product.low.addingReportingOverflow(UInt(timescale / 2))
            let high = product.high + (overflow ? 1 : 0)
            guard high < UInt(timescale) else { return Int.max }
            return Int(clamping: UInt(timescale).dividingFullWidth((high, low)).quotient)
        }

        /// The start in seconds.
        public var seconds: Double { Double(start) / Double(timescale) }

        package func moved(to start: Int, timescale: Int) -> Chapter {
            var result = Chapter(start: start, timescale: timescale, title: title)
            (result.address, result.picture) = (address, picture)
            (result.performer, result.isrc) = (performer, isrc)
            return result
        }

        /// Whether a chapter starts before another, compared exactly in any timescales.
        package static func isBefore(_ first: Chapter, _ second: Chapter) -> Bool {
            let left = UInt(first.start).multipliedFullWidth(by: UInt(second.timescale))
            let right = UInt(second.start).multipliedFullWidth(by: UInt(first.timescale))
            return left.high == right.high ? left.low < right.low : left.high < right.high
        }
    }

    /// Cuts the chapters to a part of the audio.
    ///
    /// The chapter at its first frame starts there, and chapters outside are removed.
    ///
    /// - Parameters:
    ///   - frames: The part, in sample frames. Its first frame becomes frame 0.
    ///   - sampleRate: In hertz.
    package mutating func cutChapters(to frames: Range<Int>, sampleRate: Int) {
        var kept: [Chapter] = []
        for chapter in chapters {
            let start = chapter.start(in: sampleRate)
            guard start < frames.upperBound else { break }
            // A chapter before the part continues into it until another starts.
            if start <= frames.lowerBound { kept = [] }
            kept.append(chapter.moved(to: max(0, start - frames.lowerBound), timescale: sampleRate))
        }
        chapters = kept
    }

    /// Sets chapters found in a file, sorted by start and limited in number.
    package mutating func setChapters(_ found: [Chapter]) { chapters = found.prefix(Chapter.countLimit).sorted(by: Chapter.isBefore) }
}
