// SPDX-License-Identifier: Apache-2.0

/// The offset and time of every access unit of a track.
struct SampleTable: Equatable {
    /// A run of contiguous access units.
    struct Chunk: Equatable {
        /// The file offset of the first access unit.
        let offset: Int
        /// The index of the first access unit.
        let firstUnit: Int
    }

    /// A run of access units with the same duration.
    struct TimeRun: Equatable {
        /// The index of the first access unit.
        let firstUnit: Int
        /// The time of the first access unit, in ticks.
        let firstTime: Int
        /// The duration of each access unit, in ticks.
        let duration: Int
    }

    /// The maximum size of an access unit to read or write in bytes, far larger than any AAC access unit.
    static let maximumUnitByteCount = 1 << 20

    /// The number of access units.
    private(set) var count = 0
    /// The end time of the last access unit, in ticks.
    private(set) var duration = 0
    private var sizes: [UInt32] = []
    private var constantSize: Int?
    private var chunks: [Chunk] = []
    private var times: [TimeRun] = []
    /// Whether a fragment starts before the end of earlier access units, as if they were repeated.
    private(set) var hasFalseTimes = false
    /// The indexes of access units in missing fragments, and of those with the configuration of another sample entry.
    private var missing: [Range<Int>] = []

    /// The maximum number of access units per gap: 10 s and more, so that false times cost little.
    private static let missingLimit = 1024

    /// The maximum time, so that later arithmetic cannot overflow.
    private static let timeLimit = Int(clamping: Int64(1) << 52) / 2

    /// Returns `time` advanced by a number of access units, but at most the limit.
    private static func later(_ time: Int, units: Int, duration: Int) -> Int {
        let (ticks, overflow) = units.multipliedReportingOverflow(by: duration)
        return overflow ? timeLimit : min(timeLimit, time + min(ticks, timeLimit))
    }

    /// Creates an empty table, for fragments.
    init() {}

    /// Creates the table of an unfragmented track, ignoring access units without an offset.
    ///
    /// `byteCount` is the file size. It limits the number of access units with a constant size.
    init(_ box: SampleTableBox, byteCount: Int) {
        sizes = box.sizes.sizes
        constantSize = box.sizes.constantSize
        let limit = min(box.sizes.count, constantSize.map { byteCount / max(1, $0) } ?? Int.max)
        count = placeChunks(box, limit: limit)
        setTimes(box.times)
    }

    /// Sets the chunks and returns their number of access units.
    private mutating func placeChunks(_ box: SampleTableBox, limit: Int) -> Int {
        let offsets = box.offsets
        let runs = box.chunks
        var unit = 0
        for (index, run) in runs.enumerated() {
            let first = unit
            defer { if box.description.otherNumbers.contains(run.descriptionNumber) { recordMissing(first..<unit) } }
            let end = index + 1 < runs.count ? runs[index + 1].firstChunk - 1 : offsets.count
            // An empty run, or one that does not continue the previous run, is damage and ends the table.
            guard (1...offsets.count + 1).contains(run.firstChunk), run.unitsPerChunk >= 1, end >= run.firstChunk else { break }
            for chunk in run.firstChunk - 1..<max(run.firstChunk - 1, min(end, offsets.count)) {
                guard unit < limit else { return limit }
                chunks.append(Chunk(offset: offsets[chunk], firstUnit: unit))
                unit += min(limit - unit, run.unitsPerChunk)
            }
        }
        return unit
    }

    private mutating func setTimes(_ runs: [SampleTableBox.TimeRun]) {
        var unit = 0
        for run in runs where run.count > 0 && unit < count {
            appendTime(unit, run.duration)
            let taken = min(run.count, count - unit)
            duration = Self.later(duration, units: taken, duration: run.duration)
            unit += taken
        }
        // Access units without a duration get the last known duration.
        if unit < count, let last = times.last { duration = Self.later(duration, units: count - unit, duration: last.duration) }
        if times.isEmpty { appendTime(0, 0) }
    }

    /// Appends a run of times, unless it continues the last run.
    private mutating func appendTime(_ unit: Int, _ duration: Int) {
        if let last = times.last, last.duration == duration,
            Self.later(last.firstTime, units: unit - last.firstUnit, duration: duration) == self.duration
        {
            return
        }
        times.append(TimeRun(firstUnit: unit, firstTime: self.duration, duration: duration))
    }

    /// Appends the access units of a fragment, contiguous from `offset`, with durations in ticks.
    ///
    /// - Parameter isMissing: Whether they cannot be decoded.
    mutating func append(
        offset: Int, sizes units: [UInt32], durations: some Collection<Int>, startTime: Int?, isMissing: Bool = false
    ) {
        guard !units.isEmpty else { return }
        if isMissing { recordMissing(count..<count + units.count) }
        if let startTime, startTime < Self.timeLimit {
            // Times can be rounded.
            hasFalseTimes = hasFalseTimes || duration - startTime > (durations.first ?? 0) / 2
            duration = max(duration, startTime)
        }
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

    /// Appends access units without bytes up to the start of a fragment that follows missing ones.
    ///
    /// - Parameter unitDuration: The duration of an access unit, in ticks. Samples of PCM, which last one tick, are not appended.
    mutating func appendMissing(until startTime: Int, duration unitDuration: Int) {
        guard unitDuration > 1, count > 0, startTime < Self.timeLimit, startTime > duration else { return }
        let unitCount = min(Self.missingLimit, (startTime - duration + unitDuration / 2) / unitDuration)
        guard unitCount > 0 else { return }
        append(
            offset: chunks.last?.offset ?? 0, sizes: [UInt32](repeating: 0, count: unitCount),
            durations: repeatElement(unitDuration, count: unitCount), startTime: nil, isMissing: true)
    }

    /// Records access units after all others recorded so far.
    private mutating func recordMissing(_ units: Range<Int>) {
        if let last = missing.last, last.upperBound == units.lowerBound {
            missing[missing.count - 1] = last.lowerBound..<units.upperBound
        } else if !units.isEmpty {
            missing.append(units)
        }
    }

    /// Returns how many access units from this one on are missing.
    func missingCount(from unit: Int) -> Int {
        guard !missing.isEmpty else { return 0 }
        let range = missing[Self.lastIndex(missing) { $0.lowerBound <= unit }]
        return range.contains(unit) ? range.upperBound - unit : 0
    }

    func byteRange(of unit: Int) -> Range<Int> {
        let chunk = chunks[Self.lastIndex(chunks) { $0.firstUnit <= unit }]
        let before = (chunk.firstUnit..<unit).reduce(0) { Self.later($0, units: 1, duration: size(of: $1)) }
        let start = min(chunk.offset, Int.max / 4) + before
        return start..<start + min(size(of: unit), Int.max / 4)
    }

    /// Returns the file ranges of all access units in chunk order, joining adjacent ranges.
    ///
    /// - Parameters:
    ///   - unitByteCount: The size of every access unit, or `nil` for the table's sizes.
    ///   - fileByteCount: The file size. It limits the end of each range and the total of all, since chunks can overlap.
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

    func size(of unit: Int) -> Int { constantSize ?? (unit < sizes.count ? Int(clamping: sizes[unit]) : 0) }

    /// Returns the file offset of the chunk that starts with an access unit, if one does.
    func offset(ofChunkBeginningWith unit: Int) -> Int? {
        let chunk = chunks[Self.lastIndex(chunks) { $0.firstUnit <= unit }]
        return chunk.firstUnit == unit ? chunk.offset : nil
    }

    /// Returns the start time and duration of an access unit, in ticks.
    func time(of unit: Int) -> (start: Int, duration: Int) {
        let run = times[Self.lastIndex(times) { $0.firstUnit <= unit }]
        return (Self.later(run.firstTime, units: unit - run.firstUnit, duration: run.duration), run.duration)
    }

    /// Returns the access unit at a time in ticks (the last one for later times), or `nil` if the table is empty.
    func unit(at time: Int) -> Int? {
        guard count > 0 else { return nil }
        let run = times[Self.lastIndex(times) { $0.firstTime <= time }]
        let steps = run.duration > 0 ? max(0, time - run.firstTime) / run.duration : 0
        return min(count - 1, run.firstUnit + steps)
    }

    /// Returns the last index whose element satisfies `isBefore`, or 0 if none does, in a partitioned list.
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
