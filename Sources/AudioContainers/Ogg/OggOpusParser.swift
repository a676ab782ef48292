// SPDX-License-Identifier: Apache-2.0

package import AudioMetadata
internal import AudioPrimitives

/// A parser that finds the packets of Opus streams in an Ogg stream, passed in chunks of any size (RFC 3533, RFC 7845).
///
/// Of several multiplexed logical streams it reads the first Opus stream or a chosen one. Of chained streams, common in Internet radio,
/// it reads all, each with its own configuration.
package struct OggOpusParser: StreamParser {
    /// The current logical stream.
    private struct Link: Sendable {
        var serialNumber: UInt32
        var assembler: OggPacketAssembler
        var timeline: OggOpusTimeline
        /// Whether the comment header was read.
        var hasTags = false
        /// Whether the last page was read.
        var isFinished = false
        /// The number of damaged bytes since the latest page.
        var lostByteCount = 0
    }

    private var pages: OggPageParser
    private var link: Link?
    /// Whether the previous page was the first of a logical stream.
    ///
    /// The first pages of multiplexed streams are consecutive.
    private var isInFirstPages = false
    /// Whether one of the multiplexed streams was selected.
    private var isChosen = false
    /// The number of the stream to read among multiplexed audio streams, from 1, or `nil` for the first Opus stream.
    private let audioTrack: Int?
    /// The number of audio streams so far among the multiplexed ones.
    private var audioStreamCount = 0
    private var events = ReaderEventQueue()
    private var isFinished = false
    private var isEndReported = false

    /// The configuration of the latest packet, or `nil` before the first packet.
    package var configuration: CodecConfiguration? { link.map { .opus($0.timeline.configuration) } }

    /// Title, artist and other tags of the logical stream, empty before its comment header.
    package private(set) var tags = AudioTags()

    /// The first eight bytes of a comment header (RFC 7845, 5.2).
    package static let tagSignature = Array("OpusTags".utf8)

    /// The maximum size of a comment header, in bytes.
    ///
    /// The tags of a larger one are ignored.
    static let maximumTagByteCount = 1 << 26

    /// The maximum packet size per stream, in bytes (RFC 7845, 6).
    static let maximumPacketByteCount = 61_440

    package init() { self.init(audioTrack: nil) }

    /// Creates a parser that starts at the first page of a logical stream, at the given offset.
    ///
    /// - Parameter number: The number of the stream to read among multiplexed audio streams, from 1, or `nil` for the first Opus stream.
    package init(offset: Int = 0, audioTrack number: Int?) {
        pages = OggPageParser(offset: offset)
        audioTrack = number
    }

    /// Creates a parser that starts at a page inside a logical stream.
    ///
    /// - Parameters:
    ///   - timeline: The packet times from that page.
    ///   - number: The number of the stream to read in later links.
    init(at offset: Int, serialNumber: UInt32, _ timeline: OggOpusTimeline, audioTrack number: Int?) {
        pages = OggPageParser(offset: offset)
        audioTrack = number
        link = Link(
            serialNumber: serialNumber, assembler: Self.assembler(timeline.configuration), timeline: timeline, hasTags: true)
    }

    private static func assembler(_ configuration: OpusConfiguration) -> OggPacketAssembler {
        OggPacketAssembler(maximumByteCount: maximumPacketByteCount * configuration.mapping.streamCount)
    }

    /// The timeline of the logical stream, if one was found.
    var timeline: OggOpusTimeline? { link?.timeline }

    /// The serial number of the logical stream, if one was found.
    var serialNumber: UInt32? { link?.serialNumber }

    /// The offset of the logical stream's first audio page, if reached.
    private(set) var audioStart: Int?

    /// Appends the next bytes of the stream, and traps after ``finish()``.
    package mutating func append(_ bytes: some Collection<UInt8>) { pages.append(bytes) }

    /// Marks the end of the stream, which completes the last page.
    package mutating func finish() {
        pages.finish()
        isFinished = true
    }

    /// Returns the next event, or `nil` if more bytes are needed or, after ``finish()``, at the end.
    package mutating func nextEvent() -> ReaderEvent? {
        while events.isEmpty {
            switch pages.nextEvent() {
            case .page(let page, let range): take(page, at: range)
            case .lost(let range, let isEnd):
                link?.lostByteCount += range.count
                report(range, isEnd ? .truncatedFrame : .unrecognized)
            case nil:
                guard isFinished, !isEndReported else { return nil }
                isEndReported = true
                if let range = link?.assembler.finish() { report(range, .truncatedFrame) }
            }
        }
        return events.removeFirst()
    }

    private mutating func report(_ range: Range<Int>, _ reason: SkippedBytes.Reason) {
        events.append(.skipped(SkippedBytes(byteRange: range, reason: reason)))
    }

    private mutating func take(_ page: OggPage, at range: Range<Int>) {
        if page.isFirst {
            if !isInFirstPages { (isChosen, audioStreamCount) = (false, 0) }
            isInFirstPages = true
            return begin(page, at: range)
        }
        isInFirstPages = false
        guard let current = link else { return report(range, .missingConfiguration) }
        guard page.serialNumber == current.serialNumber, !current.isFinished else { return }
        let outcome = link?.assembler.append(page, at: range) ?? OggPacketAssembler.Outcome()
        for lost in outcome.lost { report(lost, .truncatedFrame) }
        if page.isLast { link?.isFinished = true }
        link?.lostByteCount = 0
        var packets = outcome.packets
        if !current.hasTags {
            guard let header = packets.first else { return }
            audioStart = range.lowerBound
            if readTags(header) {
                packets.removeFirst()
                audioStart = range.upperBound
            }
        }
        // A stream that was joined late lacks its first pages without any damage.
        let isDamaged = outcome.missingPageCount > 0 && current.lostByteCount / OggPage.headerByteCount >= outcome.missingPageCount
        let lostByteCount = isDamaged ? current.lostByteCount : 0
        guard let result = link?.timeline.accessUnits(of: packets, on: page, lostByteCount: lostByteCount) else { return }
        if outcome.missingPageCount > 0, result.missingCount > 0 {
            report(range.lowerBound..<range.lowerBound, .missing(unitCount: result.missingCount))
        }
        for range in result.invalid { report(range, .unrecognized) }
        for accessUnit in result.accessUnits { events.append(.accessUnit(accessUnit)) }
    }

    /// Starts a logical stream at its first page, if it is the one to read among multiplexed ones.
    private mutating func begin(_ page: OggPage, at range: Range<Int>) {
        if OggAudioHeader(page.body[...]) != nil { audioStreamCount += 1 }
        guard !isChosen, page.body.starts(with: OpusConfiguration.signature), audioTrack ?? audioStreamCount == audioStreamCount else {
            return
        }
        do throws(CodecError) {
            let configuration = try OpusConfiguration(opusHead: page.body)
            if let range = link?.assembler.finish() { report(range, .truncatedFrame) }
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

    /// Reads the comment header before the audio packets, and returns whether the first packet is one.
    private mutating func readTags(_ header: OggPacket) -> Bool {
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
