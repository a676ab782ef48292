// SPDX-License-Identifier: Apache-2.0

#if !hasFeature(Embedded) || LINNET_FILES
internal import AudioPrimitives

/// The access units of a track in file order, with their positions in the decoded signal.
///
/// Positions come from the durations of the access units, since timestamps are rounded. Only after damage do timestamps determine how many
/// are missing.
struct MatroskaUnits<Source: ByteSource> {
    struct Unit {
        let payload: [UInt8]
        let byteRange: Range<Int>
        /// The first decoded sample frame.
        let position: Int
        /// In sample frames.
        let duration: Int
        /// The frames to remove.
        var trim = UnitTrim()
        let clusterOffset: Int

        var end: Int { position + duration }
    }

    enum Event {
        case unit(Unit)
        case section(UInt32, Range<Int>)
        case skipped(SkippedBytes)
    }

    /// The start of a cluster for seeking.
    struct Entry {
        let clusterOffset: Int
        /// The first decoded sample frame.
        let position: Int
        /// The end of the segment, or `nil` if its size is unknown.
        let segmentEnd: Int?
    }

    private var walker: MatroskaWalker<Source>
    private let track: MatroskaTrack
    private let configuration: CodecConfiguration
    private let timestampScale: Int
    /// The input of payloads.
    private var input: ReadAhead<Source>
    /// Whether payloads are read, or only their durations.
    private let readsPayloads: Bool
    private(set) var position: Int
    /// The time of the first block, in nanoseconds.
    private(set) var startTime: Int?
    /// The frames of the current block that are still to be read.
    private var frames: ArraySlice<Range<Int>> = []
    private var padding = 0
    /// The expected time of the next block in nanoseconds, by the durations of the previous one.
    private var expectedTime: Int?
    private var lastDuration = 0
    private var lastByteCount = 0
    private var lostByteCount = 0
    /// The position of the first lost bytes since the last block with a known time.
    private var lossPosition: Int?

    /// Creates the access units from the start of the file, or from a cluster.
    init(
        _ source: Source, _ index: MatroskaIndex, _ track: MatroskaTrack, _ configuration: CodecConfiguration, from entry: Entry? = nil,
        readsPayloads: Bool = true
    ) {
        self.track = track
        self.configuration = configuration
        self.readsPayloads = readsPayloads
        timestampScale = index.timestampScale
        position = entry?.position ?? 0
        walker = MatroskaWalker(
            source, from: entry, index, track, pieceByteCount: readsPayloads ? 65_536 : 4096)
        input = ReadAhead(source)
    }

    var otherByteCount: Int { walker.otherByteCount }

    /// The end of the current segment, or `nil` if its size is unknown.
    var segmentEnd: Int? { walker.segmentEnd }

    /// Returns the next event, or `nil` at the end.
    mutating func next() throws(ContainerError) -> Event? {
        while true {
            while let range = frames.popFirst() {
                guard !range.isEmpty else { continue }
                guard let unit = try unit(range) else {
                    return skipped(SkippedBytes(byteRange: range, reason: .damagedUnit))
                }
                return .unit(unit)
            }
            switch try walker.next() {
            case nil: return nil
            case .section(let id, let range): return .section(id, range)
            case .skipped(let skipped): return self.skipped(skipped)
            case .block(let block, let time, let padding):
                frames = block.frames[...]
                self.padding = padding
                guard let time, let missingCount = advance(toTicks: time), let start = frames.first?.lowerBound else { continue }
                return .skipped(SkippedBytes(byteRange: start..<start, reason: .missing(unitCount: missingCount)))
            }
        }
    }

    private mutating func skipped(_ skipped: SkippedBytes) -> Event {
        lostByteCount += skipped.byteRange.count
        lossPosition = lossPosition ?? position
        return .skipped(skipped)
    }

    /// Advances the position to the time of a block, past the access units that damage has removed.
    ///
    /// Returns the number of missing access units if blocks without a known time have followed the damage, so that it is known only now.
    private mutating func advance(toTicks ticks: Int) -> Int? {
        let product = ticks.multipliedReportingOverflow(by: timestampScale)
        let time = product.overflow ? Int.max / 2 : min(max(product.partialValue, 0), Int.max / 2)
        startTime = startTime ?? time
        defer {
            (lostByteCount, lossPosition) = (0, nil)
            expectedTime = time
        }
        guard lostByteCount > 0, lastDuration > 0, let expectedTime, time > expectedTime else { return nil }
        let lost = min(track.frames(time - expectedTime, atRate: configuration.sampleRate), Int.max / 2) + lastDuration / 2
        // A damaged timestamp must not add more than the lost bytes could be.
        let count = min(lost / lastDuration, 1 + lostByteCount / max(1, lastByteCount / 4))
        let isLate = position != lossPosition
        position += count * lastDuration
        return isLate && count > 0 ? count : nil
    }

    /// Returns the next access unit, or `nil` if it is damaged.
    private mutating func unit(_ range: Range<Int>) throws(ContainerError) -> Unit? {
        guard range.count <= SampleTable.maximumUnitByteCount else { return nil }
        let isEncoded = track.encodings.isApplied(to: .frames)
        let stored = try input.bytes(in: readsPayloads || isEncoded ? range : range.prefix(ALACConfiguration.packetHeaderLength))
        guard let payload = isEncoded ? track.encodings.decode(stored, .frames) : stored, !payload.isEmpty,
            let duration = configuration.frameCount(of: payload)
        else { return nil }
        var unit = Unit(
            payload: payload, byteRange: range, position: position, duration: duration, clusterOffset: walker.clusterOffset ?? 0)
        if frames.isEmpty, padding != 0 {
            let frames = track.frames(Int(clamping: padding.magnitude), atRate: configuration.sampleRate)
            if padding > 0 { unit.trim.trailing = min(duration, frames) } else { unit.trim.leading = min(duration, frames) }
        }
        position += duration
        lastDuration = duration
        lastByteCount = range.count
        expectedTime = expectedTime.map {
            $0 + TimeRatio(MatroskaIndex.ticksPerSecond, configuration.sampleRate).applied(to: duration)
        }
        return unit
    }
}
#endif
