// SPDX-License-Identifier: Apache-2.0

extension AudioTags {
    /// A part of a book or an album, from its start to that of the next chapter.
    ///
    /// ```swift
    /// tags.chapters = [.init(start: 0, timescale: 44_100, title: "Prologue"), .init(start: 2_646_000, timescale: 44_100, title: "One")]
    /// ```
    public struct Chapter: Hashable, Sendable {
        /// The start in ticks from the first valid sample frame on; not negative.
        package private(set) var start: Int
        /// The ticks a second, from 1 to 2³¹ - 1.
        package private(set) var timescale: Int
        /// The title.
        public var title: String
        /// An address of a page about the chapter; nil if there is none.
        public var address: String?
        /// A picture; nil if there is none.
        public var picture: Picture?

        /// The most chapters that are read from a file.
        package static let countLimit = 10_000
        /// The ticks a second.
        private static let timescales = 1...Int(Int32.max)

        /// Creates a chapter; a negative start becomes 0, and a scale outside of its range the nearest inside.
        public init(start: Int, timescale: Int, title: String) {
            self.start = max(0, start)
            self.timescale = min(max(timescale, Self.timescales.lowerBound), Self.timescales.upperBound)
            self.title = title
        }

        /// Returns the start in ticks of another scale, rounded to the nearest; the largest `Int` if there is no room.
        ///
        /// - Parameter scale: Ticks a second, such as a sample rate; at least 1.
        package func start(in scale: Int) -> Int {
            let product = UInt(start).multipliedFullWidth(by: UInt(max(1, scale)))
            let (low, overflow) = product.low.addingReportingOverflow(UInt(timescale / 2))
            let high = product.high + (overflow ? 1 : 0)
            guard high < UInt(timescale) else { return Int.max }
            return Int(clamping: UInt(timescale).dividingFullWidth((high, low)).quotient)
        }

        /// The start in seconds.
        public var seconds: Double { Double(start) / Double(timescale) }

        /// Returns the chapter at another start.
        package func moved(to start: Int, timescale: Int) -> Chapter {
            var result = Chapter(start: start, timescale: timescale, title: title)
            (result.address, result.picture) = (address, picture)
            return result
        }

        /// Whether a chapter begins before another, exactly, whatever their scales.
        package static func isBefore(_ first: Chapter, _ second: Chapter) -> Bool {
            let left = UInt(first.start).multipliedFullWidth(by: UInt(second.timescale))
            let right = UInt(second.start).multipliedFullWidth(by: UInt(first.timescale))
            return left.high == right.high ? left.low < right.low : left.high < right.high
        }
    }

    /// Cuts the chapters to a part of the audio: the one at its first frame begins there, and those outside are left out.
    ///
    /// - Parameters:
    ///   - frames: The sample frames of the part, which are counted from 0 on afterwards.
    ///   - sampleRate: The sample rate in hertz.
    package mutating func cutChapters(to frames: Range<Int>, sampleRate: Int) {
        var kept: [Chapter] = []
        for chapter in chapters {
            let start = chapter.start(in: sampleRate)
            guard start < frames.upperBound else { break }
            // What began before the part goes on until another begins in it.
            if start <= frames.lowerBound { kept = [] }
            kept.append(chapter.moved(to: max(0, start - frames.lowerBound), timescale: sampleRate))
        }
        chapters = kept
    }

    /// Sets chapters of a file in the order of their starts, as many as are read at most.
    package mutating func setChapters(_ found: [Chapter]) { chapters = found.prefix(Chapter.countLimit).sorted(by: Chapter.isBefore) }
}
