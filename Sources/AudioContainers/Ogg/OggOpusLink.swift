// SPDX-License-Identifier: Apache-2.0

internal import AudioMetadata
internal import AudioPrimitives

/// A logical Opus stream in a file with random access: its position and duration.
struct OggOpusLink {
    let serialNumber: UInt32
    let configuration: OpusConfiguration
    let tags: AudioTags
    /// The range from the first audio page to the next logical stream.
    let audioRange: Range<Int>
    /// The granule position of the first decoded sample frame.
    let initialPosition: Int64
    /// The number of decoded sample frames in previous logical streams.
    let startFrame: Int
    /// The number of the stream among multiplexed audio streams, or `nil` for the first Opus stream.
    private let audioTrack: Int?
    /// The number of sample frames that the packets decode to.
    private(set) var decodedFrames = 0
    /// The number of decoded sample frames without the padding at the end.
    private(set) var playedFrames = 0
    /// Whether granule positions contradict the packet durations, so that all packets are counted.
    private(set) var hasFalsePositions = false

    /// Whether the last page is marked as the last.
    private(set) var isFinished = false

    /// The number of leading pages checked for false positions.
    private static let comparedPageCount = 4

    /// Reads the start and the end of the first logical Opus stream in a range, if any.
    ///
    /// - Parameter isDecreasing: Whether granule positions decrease within a logical stream of the file.
    init?<Source: ByteSource>(
        _ source: Source, in range: Range<Int>, startFrame: Int, isDecreasing: Bool, audioTrack: Int?
    ) throws(ContainerError) {
        var parser = OggOpusParser(offset: range.lowerBound, audioTrack: audioTrack)
        try parser.read(source, range) { parser, _ in parser.timeline?.pageCount ?? 0 < Self.comparedPageCount }
        guard let timeline = parser.timeline, let serialNumber = parser.serialNumber else { return nil }
        self.serialNumber = serialNumber
        self.startFrame = startFrame
        self.audioTrack = audioTrack
        configuration = timeline.configuration
        tags = parser.tags
        initialPosition = timeline.initialPosition ?? 0
        audioRange = (parser.audioStart ?? range.upperBound)..<range.upperBound
        let last = try lastPage(source)
        isFinished = last?.page.isLast == true
        var end = try endTimeline(source, last)
        hasFalsePositions = isDecreasing || timeline.hasFalsePositions || end?.hasFalsePositions == true
        if hasFalsePositions {
            var parser = self.parser(at: audioRange.lowerBound)
            try parser.read(source, audioRange) { _, _ in true }
            end = parser.timeline
        }
        guard let end else { return }
        // Positions can be arbitrary, but each byte is at most one packet.
        let limit = audioRange.count.multipliedReportingOverflow(by: OpusPacket.maximumDuration)
        let frames = Int(clamping: max(0, end.decodedPosition &- initialPosition))
        decodedFrames = limit.overflow ? 0 : min(frames, limit.partialValue)
        playedFrames = min(decodedFrames, Int(clamping: max(0, end.playedPosition &- initialPosition)))
    }

    /// The sample frames of the signal on the file's timeline.
    var playedRange: Range<Int> {
        let first = startFrame + min(playedFrames, Int(configuration.preSkip))
        return first..<startFrame + playedFrames
    }

    /// Returns a parser that starts at an audio page.
    func parser(at offset: Int) -> OggOpusParser {
        let timeline = OggOpusTimeline(configuration, startTime: Int64(startFrame), initialPosition: initialPosition)
        return OggOpusParser(at: offset, serialNumber: serialNumber, timeline, audioTrack: audioTrack)
    }

    /// Returns the last page of the logical stream that ends a packet or the stream.
    private func lastPage<Source: ByteSource>(_ source: Source) throws(ContainerError) -> OggPageSearch<Source>.FoundPage? {
        let serialNumber = serialNumber
        return try OggPageSearch(source: source).lastPage(in: audioRange) {
            $0.serialNumber == serialNumber && ($0.endingPacketCount > 0 || $0.isLast)
        }
    }

    /// Returns the timeline after the last page, or `nil` without audio pages.
    ///
    /// Parsing starts at the second to last page: its granule position is known, and it can contain the start of a packet.
    private func endTimeline<Source: ByteSource>(
        _ source: Source, _ last: OggPageSearch<Source>.FoundPage?
    ) throws(ContainerError) -> OggOpusTimeline? {
        guard let last else { return nil }
        let serialNumber = serialNumber
        let before = try OggPageSearch(source: source).lastPage(in: audioRange.lowerBound..<last.byteRange.lowerBound) {
            $0.serialNumber == serialNumber && $0.endingPacketCount > 0 && $0.granulePosition >= 0
        }
        var parser = parser(at: before?.byteRange.lowerBound ?? audioRange.lowerBound)
        try parser.read(source, (before?.byteRange.lowerBound ?? audioRange.lowerBound)..<audioRange.upperBound) { _, _ in true }
        return parser.timeline
    }
}
