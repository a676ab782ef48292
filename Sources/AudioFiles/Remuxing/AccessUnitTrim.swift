// SPDX-License-Identifier: Apache-2.0

internal import AudioContainers
internal import AudioPrimitives
internal import PCMFiles

/// Selects the access units that decode to a time range and computes the exact range within them.
///
/// Positions are decoded sample frames at the configuration's output rate, counted from the start of the first access unit.
struct AccessUnitTrim {
    /// The position of the first requested frame.
    private let start: Int
    /// The position after the last requested frame; `Int.max` if unknown.
    private let end: Int
    /// Sample frames per access unit, or `nil` if they differ.
    private let framesPerAccessUnit: Int?
    private let sampleRate: Int
    /// The ranges that the input's edit list omits.
    private let omitted: [Range<Int>]
    /// The number of access units of the input, or `nil` if unknown.
    private let availableUnitCount: Int?
    /// Access units that end at or before this position are discarded, unless they follow the access point at which decoding starts.
    private let discardedEnd: Int
    private let configuration: CodecConfiguration
    /// The access units from the last access point on, until one is kept.
    private var held: [DemuxedAccessUnit] = []
    /// The position of the first held access unit.
    private var heldStart = 0
    /// The position of the first kept access unit, if any.
    private var firstRetained: Int?
    /// The position of the first read access unit.
    private let origin: Int
    /// The duration of the read access units, in ticks of their timescale.
    private var ticks = 0
    private var position: Int

    /// Selects the access units of a range and moves `reader` close to them if it is seekable.
    ///
    /// - Parameters:
    ///   - range: The time range, or `nil` for all.
    ///   - reader: A reader whose next event is the first access unit.
    ///   - configuration: The stream's configuration.
    ///   - storesGaplessInfo: Whether the output stores the exact range, so that players skip preceding access units.
    ///   - isPart: Whether other outputs have the remaining ranges. Without the exact range, each access unit then belongs to one of them, except
    ///     that each output starts with an access point.
    /// - Returns: `nil` without a range.
    /// - Throws: ``/PCMFiles/AudioFileError`` if the file cannot be read, or its edit list does not permit trimming.
    init?(
        _ range: Range<Duration>?, of reader: AccessUnitReader, _ configuration: CodecConfiguration, storesGaplessInfo: Bool,
        isPart: Bool = false
    ) throws(AudioFileError) {
        guard let range else { return nil }
        let metadata = reader.metadata
        guard !metadata.isRearranged else { throw AudioFileError(.unsupportedEditList, path: reader.path) }
        let frames = range.frames(atRate: configuration.sampleRate)
        let origin = metadata.gaplessInfo?.primingFrames ?? 0
        let limit = metadata.gaplessInfo.map { origin + $0.validFrames } ?? .max
        let omitted = metadata.omittedRanges
        let playedFrameCount = limit - origin - metadata.omittedFrameCount
        start = omitted.reduce(min(frames.lowerBound, playedFrameCount) + origin) { $1.lowerBound <= $0 ? $0 + $1.count : $0 }
        end = omitted.reduce(min(frames.upperBound, playedFrameCount) + origin) { $1.lowerBound < $0 ? $0 + $1.count : $0 }
        self.omitted = omitted
        guard start < end else { throw AudioFileError(.emptyRange, path: reader.path) }
        framesPerAccessUnit = configuration.framesPerUnit
        sampleRate = configuration.sampleRate
        availableUnitCount = metadata.accessUnitCount
        let isContiguous = isPart && !storesGaplessInfo
        let firstEnd = start - origin > 0 ? start + (framesPerAccessUnit ?? 1) - 1 : 0
        self.configuration = configuration
        discardedEnd =
            configuration.hasAccessPoints
            ? max(0, start - configuration.framesAfterAccessPoint)
            : isContiguous ? firstEnd : max(0, start - configuration.cutPrerollFrames(isStored: storesGaplessInfo))
        self.origin = discardedEnd > 0 && reader.canSeek ? discardedEnd - (try reader.seek(toFrame: discardedEnd)) : 0
        position = self.origin
    }

    /// Returns the access units to keep after the next one, or `nil` if it and all later ones are after the range.
    mutating func next(_ unit: DemuxedAccessUnit) -> [DemuxedAccessUnit]? {
        guard position < end else { return nil }
        let first = position
        ticks += unit.accessUnit.duration
        // Rounding each duration would move the end.
        let timescale = Int(unit.accessUnit.presentationTime.timescale)
        position = framesPerAccessUnit.map { first + $0 } ?? origin + ticks.frames(timescale: timescale, atRate: sampleRate)
        guard firstRetained == nil else { return [unit] }
        if configuration.isAccessPoint(unit.accessUnit) && first <= discardedEnd { held.removeAll() }
        if held.isEmpty { heldStart = first }
        held.append(unit)
        guard position > discardedEnd else { return [] }
        firstRetained = heldStart
        defer { held = [] }
        return held
    }

    /// The number of decoded output frames before the range.
    var primingFrames: Int { max(0, start - (firstRetained ?? start)) }

    /// The number of output access units, known once the first is kept.
    ///
    /// `nil` if access unit lengths differ, and if the input's length is unknown, because the range may extend far beyond it.
    var expectedUnitCount: Int? {
        guard let firstRetained, let framesPerAccessUnit, let availableUnitCount else { return nil }
        return min((end - firstRetained - 1) / framesPerAccessUnit + 1, availableUnitCount)
    }

    /// The ranges within the requested one that the edit list omits, counted from the first kept access unit.
    var omittedRanges: [Range<Int>] {
        let (first, last) = (firstRetained ?? 0, min(end, position))
        return omitted.filter { $0.lowerBound > start && $0.upperBound < last }
            .map { $0.lowerBound - first..<$0.upperBound - first }
    }

    /// Returns the output's priming, valid and remainder frames, after the last access unit.
    ///
    /// - Throws: ``/PCMFiles/AudioFileError/Code/emptyRange`` if the file ends before the range.
    func gaplessInfo(path: String) throws(AudioFileError) -> GaplessInfo {
        let last = min(end, position)
        guard last > start else { throw AudioFileError(.emptyRange, path: path) }
        return GaplessInfo(primingFrames: primingFrames, validFrames: last - start, remainderFrames: position - last)
    }
}
