// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

internal import AudioPrimitives
internal import MPEG4Audio

/// The position in a file with an index: the part that readers of such files share.
struct UnitCursor<Source: ByteSource> {
    /// The number of units to decode before the wanted one for the overlap of its windows.
    private static var plainPreroll: Int { 1 }
    /// The same with SBR, whose header and envelopes depend on earlier ones.
    private static var replicationPreroll: Int { 16 }

    private let configuration: AudioSpecificConfig
    private let table: SampleTable
    private let timescale: Int
    /// Sample frames that a unit decodes to, at the output rate.
    let framesPerUnit: Int
    private var input: ReadAhead<Source>
    private var isAnnounced = false
    private var nextUnit = 0
    private var nextOffset = 0

    /// Creates a cursor at the first unit; `timescale` is that of the table's times.
    init(_ source: Source, configuration: AudioSpecificConfig, table: SampleTable, timescale: Int) {
        self.configuration = configuration
        self.table = table
        self.timescale = timescale
        input = ReadAhead(source)
        let isDoubled = configuration.extensionConfig.hasSBR == true && configuration.outputSampleRate > configuration.sampleRate
        // For object types without a `GASpecificConfig`, the duration of the first unit.
        let unsaid =
            table.count > 0 ? TimeRatio(configuration.sampleRate, timescale).applied(to: table.time(of: 0).duration) : 1024
        framesPerUnit = max(1, configuration.frameLength ?? unsaid) * (isDoubled ? 2 : 1)
    }

    /// The number of units.
    var unitCount: Int { table.count }

    /// The next event; nil at the end.
    mutating func nextEvent() throws(ContainerError) -> ReaderEvent? {
        guard isAnnounced else {
            isAnnounced = true
            return .configuration(configuration)
        }
        guard nextUnit < table.count else { return nil }
        let start = table.offset(ofChunkBeginningWith: nextUnit) ?? nextOffset
        let range = start..<min(start, Int.max / 2) + table.size(of: nextUnit)
        nextOffset = range.upperBound
        let time = table.time(of: nextUnit)
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

    /// Moves to a unit early enough for a sample frame of the output rate; returns the number of frames before that.
    mutating func seek(toFrame frame: Int) -> Int {
        let unit = max(0, frame) / framesPerUnit
        guard unit < table.count else {
            nextUnit = table.count
            return 0
        }
        let mayReplicate = configuration.extensionConfig.hasSBR ?? (configuration.sampleRate <= 24_000)
        nextUnit = max(0, unit - (mayReplicate ? Self.replicationPreroll : Self.plainPreroll))
        nextOffset = table.byteRange(of: nextUnit).lowerBound
        return max(0, frame) - nextUnit * framesPerUnit
    }
}
