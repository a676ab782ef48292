// SPDX-License-Identifier: Apache-2.0

package import AudioMetadata
package import AudioPrimitives

/// Options of an ``OggOpusWriter``.
package struct OggOpusWriterOptions: Hashable, Sendable {
    /// Title, artist and so on.
    package var tags = AudioTags()

    /// Sample frames at 48 kHz before the first valid one, where they are not those of the configuration, as after cutting; at most 65 535.
    package var preSkip: Int?

    /// The most sample frames at 48 kHz on a page, after which it is written.
    ///
    /// The default is a second.
    package var maximumPageDuration = OpusConfiguration.sampleRate

    /// The number of the logical stream; nil for a checksum of the first page of audio, so that the same input gives the same bytes.
    package var serialNumber: UInt32?

    /// Creates options with default values.
    package init() {}
}

/// Writes Opus packets into an Ogg stream (RFC 3533, RFC 7845).
///
/// Nothing is overwritten, so that a pipe or a socket can be the sink. A page is written when it holds the packets of a second.
package struct OggOpusWriter<Sink: ByteSink>: ContainerWriter {
    /// The destination of the pages.
    package var sink: Sink

    private let configuration: OpusConfiguration
    private let options: OggOpusWriterOptions
    /// The next page of audio; its numbers are set when it is written.
    private var page = OggPage()
    /// Sample frames on that page.
    private var pageDuration = 0
    /// The granule position after its last packet.
    private var position = 0
    private var serialNumber: UInt32?
    private var sequenceNumber: UInt32 = 0
    private var isFinished = false

    /// Creates a writer.
    ///
    /// - Parameters:
    ///   - sink: The destination of the pages.
    ///   - configuration: The configuration of the stream.
    ///   - options: Tags, pre-skip, pages and the number of the logical stream.
    package init(to sink: Sink, _ configuration: OpusConfiguration, options: OggOpusWriterOptions = OggOpusWriterOptions()) {
        self.sink = sink
        self.options = options
        var configuration = configuration
        if let preSkip = options.preSkip { configuration.preSkip = UInt16(clamping: preSkip) }
        self.configuration = configuration
    }

    /// Adds a packet to the next page, which is written before if it is full.
    ///
    /// - Parameter unit: The packet.
    /// - Throws: ``ContainerError/codec(_:)`` if the duration of the packet can't be told, ``ContainerError/emptyAccessUnit``,
    ///   ``ContainerError/accessUnitTooLong(byteCount:limit:)``, or ``ContainerError/outputFailed(code:)``.
    package mutating func append(_ unit: AccessUnit) throws(ContainerError) {
        precondition(!isFinished, "append after finish")
        let payload = unit.payload
        try unit.checkLength(limit: OggOpusParser.maximumPacketByteCount)
        let duration: Int
        do throws(CodecError) { duration = try OpusPacket(payload).duration } catch { throw .codec(error) }
        let segmentCount = payload.count / 255 + 1
        let isFull = pageDuration + duration > options.maximumPageDuration || page.lacing.count + segmentCount > OggPage.maximumSegmentCount
        if !page.lacing.isEmpty, isFull { try writePage() }
        page.append(packet: payload)
        pageDuration += duration
        position += duration
    }

    /// Writes the last page, whose position trims the padding.
    ///
    /// - Parameter gaplessInfo: The priming and padding in sample frames at 48 kHz; nil stands for no padding.
    /// - Throws: ``ContainerError/outputFailed(code:)``.
    package mutating func finish(_ gaplessInfo: GaplessInfo?) throws(ContainerError) {
        precondition(!isFinished, "finish after finish")
        isFinished = true
        // Not by the remainder, since other containers may have shortened the last packet.
        if let gaplessInfo { position = min(position, gaplessInfo.primingFrames + gaplessInfo.validFrames) }
        page.isLast = true
        try writePage()
    }

    /// Writes the page and, before the first one, the headers.
    private mutating func writePage() throws(ContainerError) {
        if serialNumber == nil { try writeHeaders() }
        page.granulePosition = Int64(position)
        try write(page)
        page = OggPage()
        pageDuration = 0
    }

    /// Writes the pages of the identification header and the comment header.
    private mutating func writeHeaders() throws(ContainerError) {
        serialNumber = options.serialNumber ?? OggChecksum.value(page.body, continuing: OggChecksum.value(configuration.opusHead))
        var first = OggPage()
        first.isFirst = true
        first.append(packet: configuration.opusHead)
        try write(first)
        let header = OggOpusParser.tagSignature + VorbisComments(tags: options.tags).serialized(.opus)
        let lacing = OggPage.lacing(of: header.count)
        for start in stride(from: 0, to: lacing.count, by: OggPage.maximumSegmentCount) {
            var next = OggPage()
            next.isContinued = start > 0
            next.lacing = Array(lacing[start..<min(lacing.count, start + OggPage.maximumSegmentCount)])
            next.body = Array(header[255 * start..<min(header.count, 255 * (start + OggPage.maximumSegmentCount))])
            next.granulePosition = next.endingPacketCount > 0 ? 0 : OggPage.noPosition
            try write(next)
        }
    }

    /// Writes a page with the numbers that it has in the stream.
    private mutating func write(_ page: OggPage) throws(ContainerError) {
        var page = page
        page.serialNumber = serialNumber ?? 0
        page.sequenceNumber = sequenceNumber
        sequenceNumber &+= 1
        try sink.append(page.serialized)
    }
}

extension OggOpusWriter: Sendable where Sink: Sendable {}
