// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives

/// Reads the Opus streams of an Ogg file with random access (RFC 7845).
///
/// Chained streams are read in order. The padding at the end of one and the pre-skip of the next become
/// ``ContainerMetadata/omittedRanges``. For a pipe or a socket, use ``OggOpusParser``.
package struct OggOpusReader<Source: ByteSource>: ContainerReader {
    /// The configuration of the current access unit (initially the first).
    package private(set) var configuration: CodecConfiguration

    /// Gapless information, and the tags of the first logical stream.
    package let metadata: ContainerMetadata

    private let source: Source
    private let links: [OggOpusLink]
    private let audioTrack: Int?
    private var parser: OggOpusParser
    private var input: SequentialBytes<Source>
    private var isFinished = false
    /// The configuration of the latest returned event.
    private var announced: CodecConfiguration?
    /// Events to return first, in reverse order.
    private var pendingEvents: [ReaderEvent] = []

    /// Opens a file and locates its logical streams.
    ///
    /// - Parameter number: The number of the stream to read among multiplexed audio streams, from 1, or `nil` for the first Opus stream.
    /// - Throws: ``ContainerError/unsupportedCodec(_:)`` if there is no Opus, the error of an unsupported header, and
    ///   ``ContainerError/inputFailed(code:)``.
    package init(_ source: Source, audioTrack number: Int? = nil) throws(ContainerError) {
        self.source = source
        audioTrack = number
        parser = OggOpusParser(audioTrack: number)
        input = SequentialBytes(source)
        var links: [OggOpusLink] = []
        let (ranges, isDecreasing) = try Self.linkRanges(source)
        for range in ranges {
            let start = links.last.map { $0.startFrame + $0.decodedFrames } ?? 0
            if let link = try OggOpusLink(source, in: range, startFrame: start, isDecreasing: isDecreasing, audioTrack: number) {
                links.append(link)
            }
        }
        guard let first = links.first, let last = links.last else { throw try Self.headerError(source, number) }
        self.links = links
        configuration = .opus(first.configuration)
        var metadata = ContainerMetadata()
        metadata.tags = first.tags
        metadata.isUnfinished = !last.isFinished
        metadata.hasFalsePositions = links.contains { $0.hasFalsePositions }
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

    /// Returns the error of a file without a readable stream: the reason that a header is unsupported, if one is.
    private static func headerError(_ source: Source, _ number: Int?) throws(ContainerError) -> ContainerError {
        var parser = OggOpusParser(audioTrack: number)
        var (input, isFinished) = (SequentialBytes(source), false)
        return try parser.nextEvent(from: &input, &isFinished)?.refusal ?? .unsupportedCodec(nil)
    }

    /// Returns the ranges of chained logical streams, or one range with all bytes if the file is not chained.
    ///
    /// Also returns whether granule positions decrease within a stream.
    ///
    /// Serial numbers should be unique (RFC 3533, 4) but are not if a file was concatenated with itself, so all headers are read.
    private static func linkRanges(_ source: Source) throws(ContainerError) -> (ranges: [Range<Int>], isDecreasing: Bool) {
        let all = 0..<source.byteCount
        var starts: [Int] = []
        var wasFirst = false
        var latest: (serialNumber: UInt32, position: Int64)?
        var isDecreasing = false
        try OggPageSearch(source: source).forEachHeader { header, offset in
            if header.isFirst, !wasFirst { starts.append(offset) }
            wasFirst = header.isFirst
            // The last page can end before the previous page.
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

    package mutating func nextEvent() throws(ContainerError) -> ReaderEvent? {
        let event = if let pending = pendingEvents.popLast() { pending } else { try parsedEvent() }
        if case .configuration(let found)? = event { announced = found }
        return event
    }

    /// Returns the next event after the pending ones.
    private mutating func parsedEvent() throws(ContainerError) -> ReaderEvent? {
        let event = try parser.nextEvent(from: &input, &isFinished)
        if case .configuration(let found)? = event { configuration = found }
        return event
    }

    package var canSeek: Bool { true }

    /// Seeks to the access unit that contains a decoded sample frame, or up to 80 ms before it.
    ///
    /// If that is missing, seeks to the last access unit before it, so that the loss can be concealed.
    package mutating func seek(toFrame frame: Int) throws(ContainerError) -> Int {
        let frame = Swift.max(0, frame)
        pendingEvents = []
        isFinished = false
        guard let link = links.last(where: { $0.startFrame <= frame }), frame - link.startFrame < link.decodedFrames else {
            input = SequentialBytes(source, source.byteCount..<source.byteCount)
            parser = OggOpusParser(offset: source.byteCount, audioTrack: audioTrack)
            if announced == nil { pendingEvents = [.configuration(configuration)] }
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
        configuration = .opus(link.configuration)
        let head = announced == configuration ? [] : [ReaderEvent.configuration(configuration)]
        var start: Int?
        var events: [ReaderEvent] = []
        while let event = try parsedEvent() {
            guard case .accessUnit(let demuxed) = event else {
                events.append(event)
                continue
            }
            let position = Int(clamping: demuxed.accessUnit.presentationTime.value)
            // Damage before the first access unit is not reported.
            if start == nil || position <= link.startFrame + first { (start, events) = (position, []) }
            events.append(event)
            if position + demuxed.accessUnit.duration > link.startFrame + first { break }
        }
        guard let start, start <= frame else {
            // No access unit precedes the frame, so that the loss is found from the start of the file.
            (input, parser, isFinished) = (SequentialBytes(source), OggOpusParser(audioTrack: audioTrack), false)
            return frame
        }
        pendingEvents = (head + events).reversed()
        return frame - start
    }
}

extension OggOpusReader: Sequence, IteratorProtocol where Source == MemorySource {
    package mutating func next() -> DemuxedAccessUnit? { nextUnitInMemory() }
}
