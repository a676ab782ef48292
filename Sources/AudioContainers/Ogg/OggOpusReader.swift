// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives

/// Reads the Opus streams of an Ogg file with random access (RFC 7845).
///
/// Of chained streams all are read, one after the other; the padding at the end of one and the pre-skip of the next are
/// ``ContainerMetadata/omittedRanges``. To read a pipe or a socket, use an ``OggOpusParser``.
package struct OggOpusReader<Source: ByteSource>: ContainerReader {
    /// The configuration of the latest access unit; before the first one, that of the first one.
    package private(set) var configuration: CodecConfiguration

    /// Gapless information and the tags of the first logical stream.
    package let metadata: ContainerMetadata

    private let source: Source
    private let links: [OggOpusLink]
    private var parser = OggOpusParser()
    private var input: SequentialBytes<Source>
    private var isFinished = false
    /// Units that end up to this time are not given.
    private var droppedTime: Int64 = 0
    /// Events that are given first, in reverse order.
    private var pendingEvents: [ReaderEvent] = []

    /// Opens a file, and finds its logical streams and their lengths.
    ///
    /// - Parameter source: The bytes of the file.
    /// - Throws: ``ContainerError/unsupportedCodec(_:)`` if there is no Opus, and ``ContainerError/inputFailed(code:)``.
    package init(_ source: Source) throws(ContainerError) {
        self.source = source
        input = SequentialBytes(source)
        var links: [OggOpusLink] = []
        let (ranges, isDecreasing) = try Self.linkRanges(source)
        for range in ranges {
            let start = links.last.map { $0.startFrame + $0.decodedFrames } ?? 0
            if let link = try OggOpusLink(source, in: range, startFrame: start, isDecreasing: isDecreasing) { links.append(link) }
        }
        guard let first = links.first, let last = links.last else { throw .unsupportedCodec(nil) }
        self.links = links
        configuration = .opus(first.configuration)
        var metadata = ContainerMetadata()
        metadata.tags = first.tags
        metadata.hasFalsePositions = links.contains(where: \.hasFalsePositions)
        let priming = first.playedRange.lowerBound
        let total = last.startFrame + last.decodedFrames
        if total > 0 {
            metadata.gaplessInfo = GaplessInfo(
                primingFrames: priming, validFrames: last.playedRange.upperBound - priming,
                remainderFrames: total - last.playedRange.upperBound)
        }
        metadata.omittedRanges = zip(links, links.dropFirst()).compactMap { before, after in
            let gap = before.playedRange.upperBound..<after.playedRange.lowerBound
            return gap.isEmpty ? nil : gap
        }
        self.metadata = metadata
    }

    /// Returns the bytes of the logical streams that follow each other, or all bytes if there is only one with those beside it; and whether the
    /// position of a page is earlier than that of the previous one in its stream.
    ///
    /// Each should have a number of its own (RFC 3533 4), but files that are joined with themselves don't, so all headers are read.
    private static func linkRanges(_ source: Source) throws(ContainerError) -> (ranges: [Range<Int>], isDecreasing: Bool) {
        let all = 0..<source.byteCount
        var starts: [Int] = []
        var wasFirst = false
        var latest: (serialNumber: UInt32, position: Int64)?
        var isDecreasing = false
        try OggPageSearch(source: source).forEachHeader { header, offset in
            if header.isFirst, !wasFirst { starts.append(offset) }
            wasFirst = header.isFirst
            // The last page can end inside of the previous one.
            if header.isFirst { latest = nil }
            guard header.granulePosition >= 0, !header.isLast else { return }
            if let latest, latest.serialNumber == header.serialNumber {
                isDecreasing = isDecreasing || header.granulePosition < latest.position
            }
            latest = (header.serialNumber, header.granulePosition)
        }
        guard starts.count > 1 else { return ([all], isDecreasing) }
        return (zip(starts, starts.dropFirst() + [all.upperBound]).map { $0..<$1 }, isDecreasing)
    }

    /// Reads the next event.
    package mutating func nextEvent() throws(ContainerError) -> ReaderEvent? {
        if let event = pendingEvents.popLast() { return event }
        while let event = try parser.nextEvent(from: &input, &isFinished) {
            switch event {
            case .configuration(let found): configuration = found
            case .accessUnit(let unit):
                let end = unit.accessUnit.presentationTime.value &+ Int64(unit.accessUnit.duration)
                if end <= droppedTime { continue }
            case .skipped: break
            }
            return event
        }
        return nil
    }

    /// True: pages have positions.
    package var canSeek: Bool { true }

    /// Moves to the access unit that holds a decoded sample frame, or up to 80 ms before it.
    package mutating func seek(toFrame frame: Int) throws(ContainerError) -> Int {
        let frame = Swift.max(0, frame)
        pendingEvents = []
        droppedTime = 0
        isFinished = false
        guard let link = links.last(where: { $0.startFrame <= frame }), frame - link.startFrame < link.decodedFrames else {
            input = SequentialBytes(source, source.byteCount..<source.byteCount)
            parser = OggOpusParser(offset: source.byteCount)
            return 0
        }
        let first = Swift.max(0, frame - link.startFrame - CodecConfiguration.opus(link.configuration).prerollFrames)
        let limit = link.initialPosition &+ Int64(first)
        let page =
            try link.hasFalsePositions
            ? link.audioRange.lowerBound
            : OggPageSearch(source: source).lastPage(upTo: limit, in: link.audioRange, serialNumber: link.serialNumber)
        input = SequentialBytes(source, page..<source.byteCount)
        parser = link.parser(at: page)
        droppedTime = Int64(link.startFrame + first)
        let hasChanged = configuration != .opus(link.configuration)
        configuration = .opus(link.configuration)
        var start = frame
        // Not pending yet, since the next event would be taken from there.
        var events: [ReaderEvent] = []
        while let event = try nextEvent() {
            events.append(event)
            guard case .accessUnit(let unit) = event else { continue }
            start = Int(clamping: unit.accessUnit.presentationTime.value)
            break
        }
        pendingEvents = events.reversed()
        if hasChanged { pendingEvents.append(.configuration(configuration)) }
        return Swift.max(0, frame - start)
    }
}

extension OggOpusReader: Sequence, IteratorProtocol where Source == MemorySource {
    /// Returns the next access unit; nil at the end.
    package mutating func next() -> CodedUnit? { nextUnitInMemory() }
}
