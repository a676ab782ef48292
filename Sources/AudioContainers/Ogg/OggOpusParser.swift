// SPDX-License-Identifier: Apache-2.0

package import AudioMetadata
internal import AudioPrimitives

/// Finds the packets of the Opus streams in an Ogg stream, given in chunks of any size (RFC 3533, RFC 7845).
///
/// Of several logical streams at the same time the first with Opus is read, and the others are ignored. Of several one after the other
/// (chained, as Internet radio sends them) all are read, each with a configuration of its own.
package struct OggOpusParser: StreamParser {
    /// The logical stream that is read.
    private struct Link: Sendable {
        /// Its number.
        var serialNumber: UInt32
        /// Its packets.
        var assembler: OggPacketAssembler
        /// Their times.
        var timeline: OggOpusTimeline
        /// Whether the comment header has been read.
        var hasTags = false
        /// Whether its last page has been read.
        var isFinished = false
    }

    private var pages: OggPageParser
    private var link: Link?
    /// Whether the latest page was the first of a logical stream; those of all streams that begin together follow each other.
    private var isInFirstPages = false
    /// Whether one of these streams is read.
    private var isChosen = false
    private var events = ReaderEventQueue()
    private var isFinished = false
    private var isEndReported = false

    /// The configuration of the latest packet; nil before the first one.
    package var configuration: CodecConfiguration? { link.map { .opus($0.timeline.configuration) } }

    /// Title, artist and so on of the logical stream; empty before its comment header.
    package private(set) var tags = AudioTags()

    /// The eight bytes at the start of a comment header (RFC 7845 5.2).
    package static let tagSignature = Array("OpusTags".utf8)

    /// The largest number of bytes of a comment header; the tags of a longer one are ignored.
    static let maximumTagByteCount = 1 << 26

    /// The largest number of bytes of a packet of one stream (RFC 7845 6).
    static let maximumPacketByteCount = 61_440

    /// Creates a parser at the start of a stream.
    package init() { self.init(offset: 0) }

    /// Creates a parser that begins at an offset, with the first page of a logical stream.
    init(offset: Int) { pages = OggPageParser(offset: offset) }

    /// Creates a parser inside of a logical stream, which begins at a page.
    ///
    /// - Parameters:
    ///   - offset: The offset of the page.
    ///   - serialNumber: The number of the logical stream.
    ///   - timeline: The times of the packets from there on.
    init(at offset: Int, serialNumber: UInt32, _ timeline: OggOpusTimeline) {
        pages = OggPageParser(offset: offset)
        link = Link(
            serialNumber: serialNumber, assembler: Self.assembler(timeline.configuration), timeline: timeline, hasTags: true)
    }

    /// Returns an assembler of audio packets.
    private static func assembler(_ configuration: OpusConfiguration) -> OggPacketAssembler {
        OggPacketAssembler(maximumByteCount: maximumPacketByteCount * configuration.mapping.streamCount)
    }

    /// The times of the logical stream; nil before it.
    var timeline: OggOpusTimeline? { link?.timeline }

    /// The number of the logical stream; nil before it.
    var serialNumber: UInt32? { link?.serialNumber }

    /// The offset of the first page of audio of the logical stream; nil before it.
    private(set) var audioStart: Int?

    /// Appends the next bytes of the stream; traps after ``finish()``.
    package mutating func append(_ bytes: some Collection<UInt8>) { pages.append(bytes) }

    /// Ends the stream, so that the last page can be found.
    package mutating func finish() {
        pages.finish()
        isFinished = true
    }

    /// Returns the next event; nil if more bytes are needed or, after ``finish()``, at the end.
    package mutating func nextEvent() -> ReaderEvent? {
        while events.isEmpty {
            switch pages.nextEvent() {
            case .page(let page, let range): take(page, at: range)
            case .lost(let range, let isEnd): report(range, isEnd ? .truncatedFrame : .unrecognized)
            case nil:
                guard isFinished, !isEndReported else { return nil }
                isEndReported = true
                if let range = link?.assembler.finish() { report(range, .truncatedFrame) }
            }
        }
        return events.takeFirst()
    }

    /// Reports bytes without a packet.
    private mutating func report(_ range: Range<Int>, _ reason: SkippedBytes.Reason) {
        events.append(.skipped(SkippedBytes(byteRange: range, reason: reason)))
    }

    /// Handles a page.
    private mutating func take(_ page: OggPage, at range: Range<Int>) {
        if page.isFirst {
            if !isInFirstPages { isChosen = false }
            isInFirstPages = true
            return begin(page, at: range)
        }
        isInFirstPages = false
        guard let current = link else { return report(range, .missingConfiguration) }
        guard page.serialNumber == current.serialNumber, !current.isFinished else { return }
        let outcome = link?.assembler.append(page, at: range) ?? OggPacketAssembler.Outcome()
        for lost in outcome.lost { report(lost, .truncatedFrame) }
        if page.isLast { link?.isFinished = true }
        var packets = outcome.packets
        if !current.hasTags {
            guard let header = packets.first else { return }
            audioStart = range.lowerBound
            if takeTags(header) {
                packets.removeFirst()
                audioStart = range.upperBound
            }
        }
        guard let result = link?.timeline.units(of: packets, on: page) else { return }
        for range in result.invalid { report(range, .unrecognized) }
        for unit in result.units { events.append(.accessUnit(unit)) }
    }

    /// Begins the logical stream of a first page, if it is the first one of Opus among those that begin together.
    private mutating func begin(_ page: OggPage, at range: Range<Int>) {
        guard !isChosen, page.body.starts(with: OpusConfiguration.signature) else { return }
        do throws(CodecError) {
            let configuration = try OpusConfiguration(opusHead: page.body)
            let timeline = OggOpusTimeline(configuration, startTime: link?.timeline.endTime ?? 0)
            link = Link(
                serialNumber: page.serialNumber, assembler: OggPacketAssembler(maximumByteCount: Self.maximumTagByteCount),
                timeline: timeline)
            _ = link?.assembler.append(page, at: range)
            tags = AudioTags()
            audioStart = nil
            isChosen = true
            events.append(.configuration(.opus(configuration)))
        } catch {
            report(range, .unsupportedConfiguration(.codec(error)))
        }
    }

    /// Reads the comment header, after which the packets of audio come; returns whether the first packet is one.
    private mutating func takeTags(_ header: OggPacket) -> Bool {
        link?.hasTags = true
        if let configuration = link?.timeline.configuration {
            link?.assembler.maximumByteCount = Self.assembler(configuration).maximumByteCount
        }
        if header.isTooLong { return true }
        guard header.payload.starts(with: Self.tagSignature) else { return false }
        tags = VorbisComments(parsing: header.payload[Self.tagSignature.count...])?.tags ?? AudioTags()
        return true
    }
}
