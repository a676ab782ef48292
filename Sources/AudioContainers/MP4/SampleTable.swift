// SPDX-License-Identifier: Apache-2.0

/// The offset and time of every access unit of a track.
struct SampleTable: Equatable {
    /// Units that follow each other in the file.
    struct Chunk: Equatable {
        /// The offset of the first one in the file.
        let offset: Int
        /// The number of the first.
        let firstUnit: Int
    }

    /// Units of the same length.
    struct TimeRun: Equatable {
        /// The number of the first.
        let firstUnit: Int
        /// The time of the first in ticks.
        let firstTime: Int
        /// The length of each in ticks.
        let duration: Int
    }

    /// The size of the largest access unit that is written or read, in bytes; far above that of any AAC access unit.
    static let maximumUnitByteCount = 1 << 20

    /// The number of units.
    private(set) var count = 0
    /// The time at the end of the last unit in ticks.
    private(set) var duration = 0
    private var sizes: [UInt32] = []
    private var constantSize: Int?
    private var chunks: [Chunk] = []
    private var times: [TimeRun] = []

    /// The most ticks a table may count, so that no later arithmetic can overflow.
    private static let timeLimit = Int(clamping: Int64(1) << 52) / 2

    /// Returns a time that is later by a number of units of a length, at most the limit.
    private static func later(_ time: Int, units: Int, duration: Int) -> Int {
        let (ticks, overflow) = units.multipliedReportingOverflow(by: duration)
        return overflow ? timeLimit : min(timeLimit, time + min(ticks, timeLimit))
    }

    /// Creates a table without units, for fragments.
    init() {}

    /// Creates the table of an unfragmented track; units without an offset are ignored.
    ///
    /// `byteCount` is that of the file: units of one size without a list can't be more than fit.
    init(_ box: SampleTableBox, byteCount: Int) {
        sizes = box.sizes.sizes
        constantSize = box.sizes.constantSize
        let limit = min(box.sizes.count, constantSize.map { byteCount / max(1, $0) } ?? Int.max)
        count = placeChunks(box, limit: limit)
        setTimes(box.times)
    }

    /// Sets the chunks; returns the number of units in them.
    private mutating func placeChunks(_ box: SampleTableBox, limit: Int) -> Int {
        let offsets = box.offsets
        let runs = box.chunks
        var unit = 0
        for (index, run) in runs.enumerated() {
            let end = index + 1 < runs.count ? runs[index + 1].firstChunk - 1 : offsets.count
            // A run that is empty or does not continue the last one is damage, and ends the table.
            guard (1...offsets.count + 1).contains(run.firstChunk), run.unitsPerChunk >= 1, end >= run.firstChunk else { break }
            for chunk in run.firstChunk - 1..<max(run.firstChunk - 1, min(end, offsets.count)) {
                guard unit < limit else { return limit }
                chunks.append(Chunk(offset: offsets[chunk], firstUnit: unit))
                unit += min(limit - unit, run.unitsPerChunk)
            }
        }
        return unit
    }

    /// Sets the times of all units.
    private mutating func setTimes(_ runs: [SampleTableBox.TimeRun]) {
        var unit = 0
        for run in runs where run.count > 0 && unit < count {
            appendTime(unit, run.duration)
            let taken = min(run.count, count - unit)
            duration = Self.later(duration, units: taken, duration: run.duration)
            unit += taken
        }
        // Units without a length last as long as the last one that has one.
        if unit < count, let last = times.last { duration = Self.later(duration, units: count - unit, duration: last.duration) }
        if times.isEmpty { appendTime(0, 0) }
    }

    /// Appends a run of times, unless it continues the last one.
    private mutating func appendTime(_ unit: Int, _ duration: Int) {
        if let last = times.last, last.duration == duration,
            Self.later(last.firstTime, units: unit - last.firstUnit, duration: duration) == self.duration
        {
            return
        }
        times.append(TimeRun(firstUnit: unit, firstTime: self.duration, duration: duration))
    }

    /// Adds units of a fragment that follow each other from `offset` on, each with its size and its length in ticks.
    mutating func append(offset: Int, sizes units: [UInt32], durations: some Collection<Int>, startTime: Int?) {
        guard !units.isEmpty else { return }
        if let startTime, startTime < Self.timeLimit { duration = max(duration, startTime) }
        chunks.append(Chunk(offset: offset, firstUnit: count))
        if let constantSize {
            sizes = [UInt32](repeating: UInt32(truncatingIfNeeded: constantSize), count: count)
            self.constantSize = nil
        }
        sizes.removeSubrange(min(count, sizes.count)...)
        for (size, ticks) in zip(units, durations) {
            appendTime(count, ticks)
            sizes.append(size)
            duration = Self.later(duration, units: 1, duration: ticks)
            count += 1
        }
    }

    /// The bytes of a unit in the file.
    func byteRange(of unit: Int) -> Range<Int> {
        let chunk = chunks[Self.lastIndex(chunks) { $0.firstUnit <= unit }]
        let before = (chunk.firstUnit..<unit).reduce(0) { Self.later($0, units: 1, duration: size(of: $1)) }
        let start = min(chunk.offset, Int.max / 4) + before
        return start..<start + min(size(of: unit), Int.max / 4)
    }

    /// The bytes of all units in the order of the file's chunks, those that follow each other joined.
    ///
    /// - Parameters:
    ///   - unitByteCount: The size of every unit; nil for the sizes of the table.
    ///   - fileByteCount: The size of the file: what lies after its end is left out, and what chunks that overlap each other have beyond it.
    func chunkRanges(unitByteCount: Int?, fileByteCount: Int) -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        var left = fileByteCount
        for (index, chunk) in chunks.enumerated() where chunk.offset < fileByteCount {
            let units = chunk.firstUnit..<(index + 1 < chunks.count ? chunks[index + 1].firstUnit : count)
            let byteCount =
                (unitByteCount ?? constantSize).map { Self.later(0, units: units.count, duration: $0) }
                ?? units.reduce(0) { Self.later($0, units: 1, duration: size(of: $1)) }
            let range = chunk.offset..<chunk.offset + min(byteCount, left, fileByteCount - chunk.offset)
            left -= range.count
            if let last = ranges.last, last.upperBound == range.lowerBound {
                ranges[ranges.count - 1] = last.lowerBound..<range.upperBound
            } else if !range.isEmpty {
                ranges.append(range)
            }
        }
        return ranges
    }

    /// The bytes of a unit.
    func size(of unit: Int) -> Int { constantSize ?? (unit < sizes.count ? Int(clamping: sizes[unit]) : 0) }

    /// The number of the chunk that begins with a unit, else nil.
    func offset(ofChunkBeginningWith unit: Int) -> Int? {
        let chunk = chunks[Self.lastIndex(chunks) { $0.firstUnit <= unit }]
        return chunk.firstUnit == unit ? chunk.offset : nil
    }

    /// The time of a unit and its length in ticks.
    func time(of unit: Int) -> (start: Int, duration: Int) {
        let run = times[Self.lastIndex(times) { $0.firstUnit <= unit }]
        return (Self.later(run.firstTime, units: unit - run.firstUnit, duration: run.duration), run.duration)
    }

    /// The unit that covers a time in ticks, the last one for times after it; nil in a table without units.
    func unit(at time: Int) -> Int? {
        guard count > 0 else { return nil }
        let run = times[Self.lastIndex(times) { $0.firstTime <= time }]
        let steps = run.duration > 0 ? max(0, time - run.firstTime) / run.duration : 0
        return min(count - 1, run.firstUnit + steps)
    }

    /// The last index whose element meets a condition that holds for all before it; 0 if none does.
    private static func lastIndex<Element>(_ list: [Element], where isBefore: (Element) -> Bool) -> Int {
        var low = 0
        var high = list.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if isBefore(list[middle]) { low = middle } else { high = middle }
        }
        return low
    }
}
