// SPDX-License-Identifier: Apache-2.0

internal import AudioMetadata
internal import AudioPrimitives

/// A logical stream of Opus in a file with random access: where it is, and how long it is.
struct OggOpusLink {
    /// The number of the logical stream.
    let serialNumber: UInt32
    /// Its configuration.
    let configuration: OpusConfiguration
    /// Its tags.
    let tags: AudioTags
    /// The bytes from the first page of audio to the next logical stream.
    let audioRange: Range<Int>
    /// The granule position of the first decoded sample frame.
    let initialPosition: Int64
    /// The number of decoded sample frames of the logical streams before this one.
    let startFrame: Int
    /// The number of sample frames that the packets decode to.
    private(set) var decodedFrames = 0
    /// The number of those from the first on without the padding at the end.
    private(set) var playedFrames = 0
    /// Whether pages state earlier positions than their packets reach: all packets were counted.
    private(set) var hasFalsePositions = false

    /// The pages at the start whose positions are compared with their packets.
    private static let comparedPageCount = 4

    /// Reads the beginning and the end of the first logical stream of Opus in a range; nil if there is none.
    ///
    /// - Parameter isDecreasing: Whether the position of a page in the range is earlier than that of the page before.
    init?<Source: ByteSource>(
        _ source: Source, in range: Range<Int>, startFrame: Int, isDecreasing: Bool
    ) throws(ContainerError) {
        var parser = OggOpusParser(offset: range.lowerBound)
        try parser.read(source, range) { parser, _ in parser.timeline?.pageCount ?? 0 < Self.comparedPageCount }
        guard let timeline = parser.timeline, let serialNumber = parser.serialNumber else { return nil }
        self.serialNumber = serialNumber
        self.startFrame = startFrame
        configuration = timeline.configuration
        tags = parser.tags
        initialPosition = timeline.initialPosition ?? 0
        audioRange = (parser.audioStart ?? range.upperBound)..<range.upperBound
        var end = try endTimeline(source)
        hasFalsePositions = isDecreasing || timeline.hasFalsePositions || end?.hasFalsePositions == true
        if hasFalsePositions {
            var parser = self.parser(at: audioRange.lowerBound)
            try parser.read(source, audioRange) { _, _ in true }
            end = parser.timeline
        }
        guard let end else { return }
        // Positions may claim anything, but each byte is at most a packet.
        let limit = audioRange.count.multipliedReportingOverflow(by: OpusPacket.maximumDuration)
        let frames = Int(clamping: max(0, end.decodedPosition &- initialPosition))
        decodedFrames = limit.overflow ? 0 : min(frames, limit.partialValue)
        playedFrames = min(decodedFrames, Int(clamping: max(0, end.playedPosition &- initialPosition)))
    }

    /// The sample frames of the signal in the timeline of the file.
    var playedRange: Range<Int> {
        let first = startFrame + min(playedFrames, Int(configuration.preSkip))
        return first..<startFrame + playedFrames
    }

    /// Returns a parser that begins at a page of audio.
    func parser(at offset: Int) -> OggOpusParser {
        let timeline = OggOpusTimeline(configuration, startTime: Int64(startFrame), initialPosition: initialPosition)
        return OggOpusParser(at: offset, serialNumber: serialNumber, timeline)
    }

    /// Returns the times after the last page; nil if there is no page of audio.
    ///
    /// Parsing begins with the last but one page, after which the position is known, and which may hold the start of a packet.
    private func endTimeline<Source: ByteSource>(_ source: Source) throws(ContainerError) -> OggOpusTimeline? {
        let search = OggPageSearch(source: source)
        let serialNumber = serialNumber
        let last = try search.lastPage(in: audioRange) { $0.serialNumber == serialNumber && ($0.endingPacketCount > 0 || $0.isLast) }
        guard let last else { return nil }
        let before = try search.lastPage(in: audioRange.lowerBound..<last.byteRange.lowerBound) {
            $0.serialNumber == serialNumber && $0.endingPacketCount > 0 && $0.granulePosition >= 0
        }
        var parser = parser(at: before?.byteRange.lowerBound ?? audioRange.lowerBound)
        try parser.read(source, (before?.byteRange.lowerBound ?? audioRange.lowerBound)..<audioRange.upperBound) { _, _ in true }
        return parser.timeline
    }
}
