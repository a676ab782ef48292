// SPDX-License-Identifier: Apache-2.0

#if !hasFeature(Embedded) || LINNET_FILES
internal import AudioPrimitives

/// Walks through the segments and clusters of a file in order.
///
/// Their sizes need not be known. After damage it continues at the next run of valid elements.
struct MatroskaWalker<Source: ByteSource> {
    enum Item {
        /// A block of the wanted track, with its timestamp in ticks, if known, and the padding of its last frame in nanoseconds, which is
        /// negative at the start of a frame.
        case block(MatroskaBlock, time: Int?, padding: Int)
        /// A part of the segment that the index needs, and the range of its contents.
        case section(UInt32, Range<Int>)
        case skipped(SkippedBytes)
    }

    /// The number of the track, or `nil` for none.
    private var trackNumber: Int?
    /// The numbers of all tracks.
    ///
    /// Blocks of others are damaged.
    private var knownTrackNumbers: Set<Int> = []
    /// Whether the first cluster is the end.
    var endsAtCluster = false
    private(set) var input: ReadAhead<Source>
    /// The offset of the next element.
    private(set) var offset: Int
    /// The offset of the current cluster, if any.
    private(set) var clusterOffset: Int?
    /// The total size of the blocks of other tracks.
    private(set) var otherByteCount = 0

    /// The time of the current cluster in ticks, or `nil` if it is unknown after damage.
    private var clusterTime: Int?
    /// The relative time of the previous block.
    private var blockTime = 0
    /// Whether damage precedes the next block, perhaps with the header of its cluster.
    private var isResumed = false
    /// The end of the current cluster, or `nil` if its size is unknown.
    private var clusterEnd: Int?
    private(set) var segmentEnd: Int?
    private var isFinished = false

    /// Creates a walker at the start of a file, or at a cluster.
    init(_ source: Source, offset: Int = 0, pieceByteCount: Int = 65_536) {
        input = ReadAhead(source, pieceByteCount: pieceByteCount)
        self.offset = offset
    }

    /// Creates a walker at the start of a file, or at a cluster, that returns the blocks of a track.
    ///
    /// - Parameter entry: The cluster, or `nil` for the start.
    init(
        _ source: Source, from entry: MatroskaUnits<Source>.Entry?, _ index: MatroskaIndex, _ track: MatroskaTrack, pieceByteCount: Int
    ) {
        self.init(source, offset: entry?.clusterOffset ?? 0, pieceByteCount: pieceByteCount)
        segmentEnd = entry?.segmentEnd
        trackNumber = track.number
        knownTrackNumbers = Set(index.tracks.map { $0.number })
    }

    private var byteCount: Int { input.source.byteCount }

    /// Returns the next item, or `nil` at the end.
    mutating func next() throws(ContainerError) -> Item? {
        while !isFinished, offset < byteCount {
            let start = offset
            guard let element = try element(at: start), MatroskaID.known.contains(element.id) else {
                // Bytes after the segment are not part of it.
                if let segmentEnd, start >= segmentEnd { break }
                return try skipDamage()
            }
            let body = start + element.headerByteCount
            switch element.id {
            case MatroskaID.segment:
                segmentEnd = element.bodyByteCount.map { Self.end(body, $0) }
                offset = body
            case MatroskaID.cluster where endsAtCluster: return nil
            case MatroskaID.cluster:
                clusterOffset = start
                (clusterTime, isResumed) = (nil, false)
                clusterEnd = element.bodyByteCount.map { Self.end(body, $0) }
                offset = body
            default:
                guard let length = element.bodyByteCount, length <= limit(of: element.id, at: start) - body else {
                    return try skipDamage()
                }
                offset = body + length
                if let item = try item(element.id, start, body..<offset) { return item }
            }
        }
        return finish()
    }

    /// Returns the end of an element's contents, clamped to `Int`.
    private static func end(_ start: Int, _ length: Int) -> Int {
        let sum = start.addingReportingOverflow(length)
        return sum.overflow ? Int.max : sum.partialValue
    }

    /// Returns the latest possible end of an element.
    private func limit(of id: UInt32, at start: Int) -> Int {
        guard MatroskaID.blocks.contains(id), let clusterEnd, start < clusterEnd else { return byteCount }
        return min(clusterEnd, byteCount)
    }

    /// Reports at the end, once, that the file is shorter than its parts.
    private mutating func finish() -> Item? {
        guard !isFinished else { return nil }
        isFinished = true
        guard max(segmentEnd ?? 0, clusterEnd ?? 0) > byteCount else { return nil }
        return .skipped(SkippedBytes(byteRange: byteCount..<byteCount, reason: .afterEnd(unitCount: 1)))
    }

    /// Returns the header at an offset, or `nil` if it is invalid.
    private mutating func element(at offset: Int) throws(ContainerError) -> EBMLElement? {
        Self.element(try input.bytes(in: offset..<offset + EBMLElement.maximumHeaderByteCount), at: offset)
    }

    /// Parses a header, or returns `nil` if it is invalid.
    private static func element(_ bytes: [UInt8], at offset: Int) -> EBMLElement? {
        var cursor = ByteCursor(bytes, fileOffset: offset)
        return try? EBMLElement(parsing: &cursor)
    }

    /// Returns the item of an element, if any.
    private mutating func item(_ id: UInt32, _ start: Int, _ body: Range<Int>) throws(ContainerError) -> Item? {
        switch id {
        case MatroskaID.timestamp:
            clusterTime = ByteCursor(try input.bytes(in: body.prefix(9))).unsigned
            isResumed = false
            return nil
        case MatroskaID.simpleBlock: return try block(body, padding: 0, in: start..<body.upperBound)
        case MatroskaID.blockGroup:
            guard let (block, padding) = try group(body) else { return .skipped(damagedUnit(start..<body.upperBound)) }
            return try self.block(block, padding: padding, in: start..<body.upperBound)
        case _ where MatroskaID.sections.contains(id): return .section(id, body)
        default: return nil
        }
    }

    private func damagedUnit(_ range: Range<Int>) -> SkippedBytes { SkippedBytes(byteRange: range, reason: .damagedUnit) }

    /// Returns the range of the block in a group and its padding in nanoseconds, or `nil` if there is no block.
    private mutating func group(_ range: Range<Int>) throws(ContainerError) -> (Range<Int>, Int)? {
        var start = range.lowerBound
        var block: Range<Int>?
        var padding = 0
        while start < range.upperBound, let element = try element(at: start), let length = element.bodyByteCount {
            let body = start + element.headerByteCount
            guard length <= range.upperBound - body else { break }
            start = body + length
            if element.id == MatroskaID.block { block = body..<start }
            if element.id == MatroskaID.discardPadding { padding = ByteCursor(try input.bytes(in: body..<start)).signed ?? 0 }
        }
        return block.map { ($0, padding) }
    }

    /// Returns a block of the wanted track, or `nil` for another track.
    private mutating func block(_ range: Range<Int>, padding: Int, in whole: Range<Int>) throws(ContainerError) -> Item? {
        let block: MatroskaBlock
        do throws(ContainerError) { block = try MatroskaBlock(&input, range, wanted: trackNumber) } catch {
            if case .inputFailed = error { throw error }
            return .skipped(damagedUnit(whole))
        }
        guard knownTrackNumbers.contains(block.trackNumber) else { return .skipped(damagedUnit(whole)) }
        guard block.trackNumber == trackNumber else {
            otherByteCount += range.count
            return nil
        }
        // Times within a cluster increase.
        if isResumed, clusterEnd.map({ whole.lowerBound >= $0 }) ?? (block.relativeTime < blockTime) { clusterTime = nil }
        (blockTime, isResumed) = (block.relativeTime, false)
        return .block(block, time: clusterTime.map { min($0, Int.max / 2) + block.relativeTime }, padding: padding)
    }
}

// Damage
extension MatroskaWalker {
    /// The number of consecutive elements that are not a coincidence.
    private static var runLength: Int { 3 }
    /// The first bytes of blocks, groups and the parts of a segment.
    private static var firstBytes: Set<UInt8> { [0xA3, 0xA0, 0x1F, 0x10, 0x11, 0x12, 0x14, 0x15, 0x16, 0x18, 0x19, 0x1A, 0x1C] }

    /// Moves to the next run of valid elements, or to the end.
    private mutating func skipDamage() throws(ContainerError) -> Item {
        let start = offset
        let header = try element(at: start)
        let firstBytes = Self.firstBytes
        var position = start + 1
        while position < byteCount {
            let window = try input.source.bytes(in: position..<min(byteCount, position + 65_536))
            if window.isEmpty { break }
            for (index, byte) in window.enumerated() where firstBytes.contains(byte) {
                guard try isRun(at: position + index, window[index...].prefix(EBMLElement.maximumHeaderByteCount)) else { continue }
                offset = position + index
                isResumed = true
                return .skipped(SkippedBytes(byteRange: start..<offset, reason: .unrecognized))
            }
            position += window.count
        }
        offset = byteCount
        isFinished = true
        let isCut = header.map { MatroskaID.known.contains($0.id) } ?? true
        return .skipped(SkippedBytes(byteRange: start..<byteCount, reason: isCut ? .truncatedFrame : .unrecognized))
    }

    /// Whether several valid elements start at an offset, or fewer up to the exact end of the file.
    ///
    /// Reads only their headers, because the second one can be far away and most runs are coincidences.
    ///
    /// - Parameter front: The bytes at the offset, as far as they are known.
    private func isRun(at start: Int, _ front: ArraySlice<UInt8>) throws(ContainerError) -> Bool {
        var position = start
        for _ in 0..<Self.runLength {
            let end = min(byteCount, position + EBMLElement.maximumHeaderByteCount)
            let isFront = position == start && front.count == end - start
            let header = isFront ? Array(front) : try input.source.bytes(in: position..<end)
            guard let element = Self.element(header, at: position), MatroskaID.known.contains(element.id) else { return false }
            let body = position + element.headerByteCount
            if element.id == MatroskaID.cluster || element.id == MatroskaID.segment {
                position = body
            } else {
                guard let length = element.bodyByteCount, length <= byteCount - body else { return false }
                position = body + length
            }
            if position == byteCount { return true }
        }
        return true
    }
}
#endif
