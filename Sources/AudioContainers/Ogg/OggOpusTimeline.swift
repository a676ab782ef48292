// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives

/// The audio packets of one logical Ogg Opus stream, with their times (RFC 7845 4).
struct OggOpusTimeline: Sendable {
    /// The configuration of the stream.
    let configuration: OpusConfiguration

    /// The granule position of the first decoded sample frame; nil before the first page with a packet.
    private(set) var initialPosition: Int64?
    /// The granule position after the last decoded sample frame so far.
    private(set) var decodedPosition: Int64 = 0
    /// The granule position after the last sample frame of the signal so far.
    private(set) var playedPosition: Int64 = 0
    /// The number of pages with packets so far.
    private(set) var pageCount = 0
    /// Whether a page states an earlier position than its packets reach, so that positions can't be trusted.
    private(set) var hasFalsePositions = false
    /// The granule position before the packets of the latest page that had some.
    private var pageStart: Int64 = 0

    /// The time of the first decoded sample frame in the whole physical stream.
    private let startTime: Int64

    /// Creates a timeline before the first packet, or inside a stream before a page that is not its last one.
    ///
    /// - Parameters:
    ///   - configuration: The configuration of the stream.
    ///   - startTime: The time of the first decoded sample frame, in sample frames.
    ///   - initialPosition: The granule position of that frame, if it is known.
    init(_ configuration: OpusConfiguration, startTime: Int64, initialPosition: Int64? = nil) {
        self.configuration = configuration
        self.startTime = startTime
        self.initialPosition = initialPosition
        decodedPosition = initialPosition ?? 0
        playedPosition = decodedPosition
    }

    /// The time after the last decoded sample frame so far, in sample frames of the physical stream.
    var endTime: Int64 { startTime &+ (decodedPosition &- (initialPosition ?? decodedPosition)) }

    /// Returns the access units of a page's packets, and the ranges of packets that are invalid.
    ///
    /// - Parameters:
    ///   - packets: The packets that end on the page.
    ///   - page: The page.
    mutating func units(of packets: [OggPacket], on page: OggPage) -> (units: [CodedUnit], invalid: [Range<Int>]) {
        var invalid: [Range<Int>] = []
        var durations: [Int] = []
        let valid = packets.filter { packet in
            guard !packet.isTooLong, let duration = try? OpusPacket(packet.payload).duration else {
                invalid.append(packet.byteRange)
                return false
            }
            durations.append(duration)
            return true
        }
        // Pages of headers and of packets that continue have no frames; the last page may have none and end the signal.
        guard !valid.isEmpty || page.isLast && initialPosition != nil else { return ([], invalid) }
        let total = Int64(durations.reduce(0, +))
        let end = advance(by: total, on: page)
        var position = decodedPosition &- total
        let units = zip(valid, durations).map { packet, duration in
            let local = position &- (initialPosition ?? position)
            let time = MediaTime(value: startTime &+ local, timescale: Int32(OpusConfiguration.sampleRate))
            let unit = AccessUnit(payload: packet.payload, presentationTime: time, duration: duration)
            var coded = CodedUnit(accessUnit: unit, byteRange: packet.byteRange)
            position = position &+ Int64(duration)
            coded.trim.leading = min(duration, Int(clamping: max(0, Int64(configuration.preSkip) &- local)))
            coded.trim.trailing = min(duration - coded.trim.leading, Int(clamping: max(0, position &- end)))
            return coded
        }
        return (units, invalid)
    }

    /// Advances to the end of a page with packets of a total duration; returns the position after the last frame of the signal.
    ///
    /// Positions of pages count where they are later, so that the time is right after missing pages; only the last page can end before its last
    /// packet does, and not before the page (4 and 4.4).
    private mutating func advance(by total: Int64, on page: OggPage) -> Int64 {
        pageCount += 1
        let granule = page.granulePosition
        let reached = decodedPosition &+ total
        let start = total > 0 ? decodedPosition : pageStart
        pageStart = start
        let isFalse = granule >= 0 && initialPosition != nil && granule < (page.isLast ? start : reached)
        hasFalsePositions = hasFalsePositions || isFalse
        if isFalse {
            decodedPosition = reached
        } else if granule < 0 {
            initialPosition = initialPosition ?? 0
            decodedPosition = decodedPosition &+ total
        } else if !page.isLast {
            initialPosition = initialPosition ?? granule &- total
            decodedPosition = granule
        } else if let initialPosition {
            decodedPosition = max(decodedPosition &+ total, granule, initialPosition)
        } else {
            initialPosition = max(0, granule - total)
            decodedPosition = max(total, granule)
        }
        playedPosition = page.isLast && granule >= 0 && !hasFalsePositions ? min(granule, decodedPosition) : decodedPosition
        return playedPosition
    }
}
