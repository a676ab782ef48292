// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives

/// The position in a file with an index: the part that readers of such files share.
struct UnitCursor<Source: ByteSource> {
    private let configuration: CodecConfiguration
    private let table: SampleTable
    private let timescale: Int
    /// Sample frames that a unit decodes to, at the output rate; nil if units differ.
    private let framesPerUnit: Int?
    private var input: ReadAhead<Source>
    private var isAnnounced = false
    private var nextUnit = 0
    private var nextOffset = 0

    /// Creates a cursor at the first unit; `timescale` is that of the table's times.
    init(_ source: Source, configuration: CodecConfiguration, table: SampleTable, timescale: Int) {
        self.configuration = configuration
        self.table = table
        self.timescale = timescale
        input = ReadAhead(source)
        framesPerUnit = configuration.framesPerUnit
    }

    /// The number of sample frames at the output rate that all units decode to.
    var frameCount: Int { framesPerUnit.map { Int(clamping: Int64(table.count) * Int64($0)) } ?? frames(atTime: table.duration) }

    /// Returns a time of the table in sample frames of the output rate.
    private func frames(atTime time: Int) -> Int { TimeRatio(configuration.sampleRate, timescale).applied(to: time) }

    /// The next event; nil at the end.
    mutating func nextEvent() throws(ContainerError) -> ReaderEvent? {
        guard isAnnounced else {
            isAnnounced = true
            return .configuration(configuration)
        }
        guard nextUnit < table.count else { return nil }
        let lost = skipUnitsAfterEnd()
        guard lost == 0 else {
            let end = input.source.byteCount
            return .skipped(SkippedBytes(byteRange: end..<end, reason: .afterEnd(unitCount: lost)))
        }
        let range = nextRange
        let time = table.time(of: nextUnit)
        nextOffset = range.upperBound
        nextUnit += 1
        guard range.count <= SampleTable.maximumUnitByteCount, range.upperBound <= input.source.byteCount else {
            let inside = range.clamped(to: 0..<input.source.byteCount)
            return .skipped(SkippedBytes(byteRange: inside, reason: .truncatedFrame))
        }
        let unit = AccessUnit(
            payload: try input.bytes(in: range),
            presentationTime: MediaTime(value: Int64(time.start), timescale: Int32(timescale)), duration: time.duration)
        return .accessUnit(CodedUnit(accessUnit: unit, byteRange: range))
    }

    /// The bytes of the next unit.
    private var nextRange: Range<Int> {
        let first = min(table.offset(ofChunkBeginningWith: nextUnit) ?? nextOffset, Int.max / 2)
        return first..<first + min(table.size(of: nextUnit), Int.max / 2)
    }

    /// Skips the next units as far as they begin after the end of the file, that is after a cut; returns their number.
    private mutating func skipUnitsAfterEnd() -> Int {
        let first = nextUnit
        while nextUnit < table.count {
            let range = nextRange
            guard !range.isEmpty, range.lowerBound >= input.source.byteCount else { break }
            nextOffset = range.upperBound
            nextUnit += 1
        }
        return nextUnit - first
    }

    /// Moves to a unit early enough for a sample frame of the output rate; returns the number of frames before that.
    mutating func seek(toFrame frame: Int) -> Int {
        let frame = max(0, frame)
        guard frame < frameCount, let unit = unit(at: frame) else {
            nextUnit = table.count
            return 0
        }
        nextUnit = self.unit(at: max(0, frame - configuration.prerollFrames)) ?? unit
        nextOffset = table.byteRange(of: nextUnit).lowerBound
        return frame - (framesPerUnit.map { nextUnit * $0 } ?? frames(atTime: table.time(of: nextUnit).start))
    }

    /// Returns the unit that holds a sample frame of the output rate.
    private func unit(at frame: Int) -> Int? {
        framesPerUnit.map { frame / $0 } ?? table.unit(at: TimeRatio(timescale, configuration.sampleRate).applied(to: frame))
    }
}
