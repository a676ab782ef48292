// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives
internal import MPEG4Audio

/// The read position in a file with an index.
struct UnitCursor<Source: ByteSource> {
    private let configuration: CodecConfiguration
    private let table: SampleTable
    private let timescale: Int
    /// Output sample frames per access unit, or `nil` if variable.
    private let framesPerUnit: Int?
    private var input: ReadAhead<Source>
    /// The end of the part of the file with access units.
    private let end: Int
    private var isAnnounced = false
    private var nextUnit = 0
    private var nextOffset = 0

    /// Creates a cursor at the first access unit, for a table with the given timescale.
    ///
    /// - Parameter end: The end of the part of the file with access units, or `nil` for all of it.
    init(_ source: Source, configuration: CodecConfiguration, table: SampleTable, timescale: Int, end: Int? = nil) {
        self.configuration = configuration
        self.table = table
        self.timescale = timescale
        input = ReadAhead(source)
        self.end = min(end ?? .max, source.byteCount)
        framesPerUnit = configuration.framesPerUnit
    }

    /// Output sample frames of all access units.
    var frameCount: Int { framesPerUnit.map { Int(clamping: Int64(table.count) * Int64($0)) } ?? frames(atTime: table.duration) }

    /// Converts a time of the table to output sample frames.
    private func frames(atTime time: Int) -> Int { TimeRatio(configuration.sampleRate, timescale).applied(to: time) }

    /// Returns the next event, or `nil` at the end.
    mutating func nextEvent() throws(ContainerError) -> ReaderEvent? {
        guard isAnnounced else {
            isAnnounced = true
            return .configuration(configuration)
        }
        guard nextUnit < table.count else { return nil }
        if let skipped = skipUnitsOutsideFile() { return .skipped(skipped) }
        let time = table.time(of: nextUnit)
        let range = takeRange()
        guard range.count <= SampleTable.maximumUnitByteCount else {
            return .skipped(SkippedBytes(byteRange: range, reason: .truncatedFrame))
        }
        let accessUnit = AccessUnit(
            payload: try input.bytes(in: range),
            presentationTime: MediaTime(value: Int64(time.start), timescale: Int32(timescale)), duration: time.duration)
        var demuxed = DemuxedAccessUnit(accessUnit: accessUnit, byteRange: range)
        demuxed.payloadBit = 8 * range.lowerBound
        return .accessUnit(demuxed)
    }

    /// The number of access units up to the last one that is in the file as a whole.
    private lazy var inFileCount = {
        var (count, offset) = (0, 0)
        for unit in 0..<table.count {
            let range = range(of: unit, after: offset)
            offset = range.upperBound
            // Missing fragments leave access units without bytes.
            if !range.isEmpty, offset <= end { count = unit + 1 }
        }
        return count
    }()

    /// Returns the file range of an access unit, given the end of the previous one.
    private func range(of unit: Int, after offset: Int) -> Range<Int> {
        let first = min(table.offset(ofChunkBeginningWith: unit) ?? offset, Int.max / 2)
        return first..<first + min(table.size(of: unit), Int.max / 2)
    }

    private var nextRange: Range<Int> { range(of: nextUnit, after: nextOffset) }

    /// Advances past the next access unit and returns its file range.
    private mutating func takeRange() -> Range<Int> {
        let range = nextRange
        nextOffset = range.upperBound
        nextUnit += 1
        return range
    }

    /// Skips the next access units that the file does not contain, or returns `nil` if it contains the next one.
    ///
    /// The file is cut off only if it contains no later ones either. Otherwise, false offsets hide them, and later ones keep their times.
    private mutating func skipUnitsOutsideFile() -> SkippedBytes? {
        let first = nextUnit
        let position = min(nextOffset, end)
        nextUnit += table.missingCount(from: nextUnit)
        if nextUnit > first, nextUnit == table.count {
            // No later access unit tells how many to conceal.
            let start = table.byteRange(of: first).lowerBound
            let range = start..<max(start, table.byteRange(of: nextUnit - 1).upperBound)
            return SkippedBytes(byteRange: range.clamped(to: 0..<end), reason: .unsupportedConfiguration(.unsupportedCodec(nil)))
        }
        if nextUnit == first {
            guard nextRange.upperBound > end else { return nil }
            guard nextUnit < inFileCount else { return skipAfterEnd() }
            repeat { _ = takeRange() } while nextRange.upperBound > end
        }
        return SkippedBytes(byteRange: position..<position, reason: .missing(unitCount: nextUnit - first))
    }

    /// Skips the next access unit if it is cut off, or else all that follow the end of the file.
    private mutating func skipAfterEnd() -> SkippedBytes {
        if nextRange.lowerBound < end {
            return SkippedBytes(byteRange: takeRange().clamped(to: 0..<end), reason: .truncatedFrame)
        }
        let count = table.count - nextUnit
        nextUnit = table.count
        return SkippedBytes(byteRange: end..<end, reason: .afterEnd(unitCount: count))
    }

    /// Seeks to the access unit where decoding must start for an output sample frame.
    ///
    /// Returns the number of sample frames to discard.
    mutating func seek(toFrame frame: Int) -> Int {
        let frame = max(0, frame)
        guard frame < frameCount, let unit = unit(at: frame) else {
            nextUnit = table.count
            return 0
        }
        nextUnit = accessPoint(notAfter: self.unit(at: max(0, frame - configuration.framesAfterAccessPoint)) ?? unit)
        nextOffset = table.byteRange(of: nextUnit).lowerBound
        return frame - (framesPerUnit.map { nextUnit * $0 } ?? frames(atTime: table.time(of: nextUnit).start))
    }

    /// Returns the last access unit up to `unit` where decoding can start, or 0 without one.
    private func accessPoint(notAfter unit: Int) -> Int {
        guard configuration.hasAccessPoints else { return unit }
        var unit = unit
        var first = table.byteRange(of: unit).lowerBound
        while unit > 0 {
            // Its first byte has the flags.
            if (0..<input.source.byteCount).contains(first), let payload = try? input.source.bytes(in: first..<first + 1),
                configuration.isAccessPoint(payload)
            {
                break
            }
            // Finding an offset counts from the start of its chunk.
            let startsChunk = table.offset(ofChunkBeginningWith: unit) != nil
            unit -= 1
            first = startsChunk ? table.byteRange(of: unit).lowerBound : first - table.size(of: unit)
        }
        return unit
    }

    /// Returns the access unit that contains an output sample frame.
    private func unit(at frame: Int) -> Int? {
        if let framesPerUnit { return frame / framesPerUnit }
        guard let unit = table.unit(at: TimeRatio(timescale, configuration.sampleRate).applied(to: frame)) else { return nil }
        // The time is rounded.
        return unit > 0 && frames(atTime: table.time(of: unit).start) > frame ? unit - 1 : unit
    }
}
