// SPDX-License-Identifier: Apache-2.0

package import AudioMetadata
package import AudioPrimitives

/// Options of an ``OggOpusWriter``.
package struct OggOpusWriterOptions: Hashable, Sendable {
    /// Title, artist and other tags.
    package var tags = AudioTags()

    /// The pre-skip in sample frames at 48 kHz, at most 65 535, if it differs from the configuration (for example after cutting).
    package var preSkip: Int?

    /// The maximum duration of a page in sample frames at 48 kHz (default: one second).
    package var maximumPageDuration = OpusConfiguration.sampleRate

    /// The serial number.
    ///
    /// `nil` selects a checksum of the first audio page, so that the same input produces the same bytes.
    package var serialNumber: UInt32?

    /// Bytes of padding after the tags, for ``OggOpusWriter/setChapters(_:)``.
    package var reservedTagByteCount = 0

    package init() {}
}

/// Writes an Ogg Opus stream (RFC 3533, RFC 7845).
///
/// The writer never overwrites, so the sink can be a pipe or a socket. Each page has one second of packets by default.
package struct OggOpusWriter<Sink: ByteSink>: ContainerWriter {
    package var sink: Sink

    private let configuration: OpusConfiguration
    private var options: OggOpusWriterOptions
    /// The pending audio page.
    ///
    /// Its numbers are set when it is written.
    private var page = OggPage()
    /// The page's sample frames.
    private var pageDuration = 0
    /// The granule position after the page's last packet.
    private var position = 0
    /// The granule position of the last written page.
    private var writtenPosition = 0
    private var serialNumber: UInt32?
    private var sequenceNumber: UInt32 = 0
    private var isFinished = false
    /// The sink's offset of the comment header and the header's size without page headers, once it is written.
    private var tagPacket: (offset: Int, byteCount: Int)?

    package init(to sink: Sink, _ configuration: OpusConfiguration, options: OggOpusWriterOptions = OggOpusWriterOptions()) {
        self.sink = sink
        self.options = options
        var configuration = configuration
        if let preSkip = options.preSkip { configuration.preSkip = UInt16(clamping: preSkip) }
        self.configuration = configuration
    }

    /// Adds a packet to the pending page.
    ///
    /// Writes the page first if it is full.
    ///
    /// - Throws: ``ContainerError/codec(_:)`` if the packet's duration is unknown, ``ContainerError/emptyAccessUnit``,
    ///   ``ContainerError/accessUnitTooLong(byteCount:limit:)``, or ``ContainerError/outputFailed(code:)``.
    package mutating func append(_ accessUnit: AccessUnit) throws(ContainerError) {
        precondition(!isFinished, "append after finish")
        let payload = accessUnit.payload
        try accessUnit.checkLength(limit: OggOpusParser.maximumPacketByteCount)
        let duration: Int
        do throws(CodecError) { duration = try OpusPacket(payload).duration } catch { throw .codec(error) }
        let segmentCount = payload.count / 255 + 1
        let isFull = pageDuration + duration > options.maximumPageDuration || page.lacing.count + segmentCount > OggPage.maximumSegmentCount
        if !page.lacing.isEmpty, isFull { try writePage() }
        page.append(packet: payload)
        pageDuration += duration
        position += duration
    }

    /// Writes the pending page before it is full, so that a live stream is not delayed.
    ///
    /// - Throws: ``ContainerError/outputFailed(code:)``.
    package mutating func flush() throws(ContainerError) {
        if !page.lacing.isEmpty { try writePage() }
    }

    /// Writes the last page, whose granule position trims the padding.
    ///
    /// - Parameter gaplessInfo: Priming and padding in sample frames at 48 kHz. `nil` means no padding.
    /// - Throws: ``ContainerError/outputFailed(code:)``.
    package mutating func finish(_ gaplessInfo: GaplessInfo?) throws(ContainerError) {
        precondition(!isFinished, "finish after finish")
        isFinished = true
        // The remainder is unreliable, because another container may have shortened the last packet.
        if let gaplessInfo { position = min(position, gaplessInfo.primingFrames + gaplessInfo.validFrames) }
        page.isLast = true
        try writePage()
    }

    /// Writes the pending page, preceded by the headers if it is the first.
    private mutating func writePage() throws(ContainerError) {
        if serialNumber == nil { try writeHeaders() }
        // After a flush, the last page can be empty. It then has a position only to trim the page before it.
        let isIdle = page.lacing.isEmpty && position > 0 && position == writtenPosition
        page.granulePosition = isIdle ? OggPage.noPosition : Int64(position)
        writtenPosition = position
        try write(page)
        page = OggPage()
        pageDuration = 0
    }

    private mutating func writeHeaders() throws(ContainerError) {
        serialNumber = options.serialNumber ?? OggChecksum.value((configuration.opusHead + page.body).span)
        var first = OggPage()
        first.isFirst = true
        first.append(packet: configuration.opusHead)
        try write(first)
        let header = tagHeader + [UInt8](repeating: 0, count: options.reservedTagByteCount)
        tagPacket = (sink.byteCount, header.count)
        for page in Self.pages(header) { try write(page) }
    }

    /// The comment header without padding (RFC 7845, 5.2).
    private var tagHeader: [UInt8] { OggOpusParser.tagSignature + VorbisComments(tags: options.tags).serialized(.opus) }

    /// Returns a header packet on as many pages as it needs.
    private static func pages(_ header: [UInt8]) -> [OggPage] {
        let lacing = OggPage.lacing(of: header.count)
        return stride(from: 0, to: lacing.count, by: OggPage.maximumSegmentCount).map { start in
            var next = OggPage()
            next.isContinued = start > 0
            next.lacing = Array(lacing[start..<min(lacing.count, start + OggPage.maximumSegmentCount)])
            next.body = Array(header[255 * start..<min(header.count, 255 * (start + OggPage.maximumSegmentCount))])
            next.granulePosition = next.endingPacketCount > 0 ? 0 : OggPage.noPosition
            return next
        }
    }

    /// Writes a page with its serial and sequence number.
    private mutating func write(_ page: OggPage) throws(ContainerError) {
        try sink.append(numbered(page, sequenceNumber).serialized)
        sequenceNumber &+= 1
    }

    private func numbered(_ page: OggPage, _ sequenceNumber: UInt32) -> OggPage {
        var page = page
        page.serialNumber = serialNumber ?? 0
        page.sequenceNumber = sequenceNumber
        return page
    }
}

#if !hasFeature(Embedded)
extension OggOpusWriter: ChapterWriter {
    /// Replaces the chapters if the sink can overwrite, and the comment header has enough padding.
    package mutating func setChapters(_ chapters: [AudioTags.Chapter]) throws(ContainerError) -> Bool {
        let previous = options.tags
        options.tags.setChapters(chapters)
        guard let tagPacket else { return true }
        let padding = tagPacket.byteCount - tagHeader.count
        guard padding >= 0, sink.canOverwrite else {
            options.tags = previous
            return false
        }
        let pages = Self.pages(tagHeader + [UInt8](repeating: 0, count: padding))
        // Page 0 has the identification header.
        let bytes = pages.indices.flatMap { numbered(pages[$0], UInt32($0 + 1)).serialized }
        try sink.overwrite(bytes, at: tagPacket.offset)
        return true
    }
}
#endif

extension OggOpusWriter: Sendable where Sink: Sendable {}
