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
    private var isAnnounced = false
    private var nextUnit = 0
    private var nextOffset = 0

    /// Creates a cursor at the first access unit, for a table with the given timescale.
    init(_ source: Source, configuration: CodecConfiguration, table: SampleTable, timescale: Int) {
        self.configuration = configuration
        self.table = table
        self.timescale = timescale
        input = ReadAhead(source)
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
        let lost = skipUnitsAfterEnd()
        guard lost == 0 else {
            let end = input.source.byteCount
            return .skipped(SkippedBytes(byteRange: end..<end, reason: .afterEnd(unitCount: lost)))
        }
        let missingCount = table.missingCount(from: nextUnit)
        guard missingCount == 0 else {
            nextUnit += missingCount
            return .skipped(SkippedBytes(byteRange: nextOffset..<nextOffset, reason: .missing(unitCount: missingCount)))
        }
        let range = nextRange
        let time = table.time(of: nextUnit)
        nextOffset = range.upperBound
        nextUnit += 1
        guard range.count <= SampleTable.maximumUnitByteCount, range.upperBound <= input.source.byteCount else {
            let inside = range.clamped(to: 0..<input.source.byteCount)
            return .skipped(SkippedBytes(byteRange: inside, reason: .truncatedFrame))
        }
        let accessUnit = AccessUnit(
            payload: try input.bytes(in: range),
            presentationTime: MediaTime(value: Int64(time.start), timescale: Int32(timescale)), duration: time.duration)
        var demuxed = DemuxedAccessUnit(accessUnit: accessUnit, byteRange: range)
        demuxed.payloadBit = 8 * range.lowerBound
        return .accessUnit(demuxed)
    }

    /// The file range of the next access unit.
    private var nextRange: Range<Int> {
        let first = min(table.offset(ofChunkBeginningWith: nextUnit) ?? nextOffset, Int.max / 2)
        return first..<first + min(table.size(of: nextUnit), Int.max / 2)
    }

    /// Skips and counts the next access units that start beyond the end of a truncated file.
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
