// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives

/// The timeline of a logical Ogg Opus stream, which computes the times of its packets (RFC 7845, 4).
struct OggOpusTimeline: Sendable {
    let configuration: OpusConfiguration

    /// The granule position of the first decoded sample frame, or `nil` before the first page with a packet.
    private(set) var initialPosition: Int64?
    /// The granule position after the last decoded sample frame so far.
    private(set) var decodedPosition: Int64 = 0
    /// The granule position after the last valid sample frame so far.
    private(set) var playedPosition: Int64 = 0
    /// The number of pages with packets so far.
    private(set) var pageCount = 0
    /// Whether a page has an earlier position than its packet durations imply, so that positions are unreliable.
    private(set) var hasFalsePositions = false
    /// The granule position before the packets of the latest page with packets.
    private var pageStart: Int64 = 0

    /// The time of the first decoded sample frame in the physical stream.
    private let startTime: Int64

    /// Creates a timeline that starts before the first packet, or inside a stream before a page other than its last.
    ///
    /// - Parameters:
    ///   - startTime: The time of the first decoded sample frame, in sample frames.
    ///   - initialPosition: The granule position of that frame, if known.
    init(_ configuration: OpusConfiguration, startTime: Int64, initialPosition: Int64? = nil) {
        self.configuration = configuration
        self.startTime = startTime
        self.initialPosition = initialPosition
        decodedPosition = initialPosition ?? 0
        playedPosition = decodedPosition
    }

    /// The time after the last decoded sample frame so far, in sample frames of the physical stream.
    var endTime: Int64 { startTime &+ (decodedPosition &- (initialPosition ?? decodedPosition)) }

    /// Returns the access units of a page's packets, the ranges of invalid packets, and how many access units are missing before the page.
    ///
    /// - Parameter lostByteCount: The number of damaged bytes that hold all pages missing before the page, or 0.
    mutating func accessUnits(
        of packets: [OggPacket], on page: OggPage, lostByteCount: Int
    ) -> (accessUnits: [DemuxedAccessUnit], invalid: [Range<Int>], missingCount: Int) {
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
        // Pages of headers and of continued packets have no frames. The last page can be empty and only end the signal.
        guard !valid.isEmpty || page.isLast && initialPosition != nil else { return ([], invalid, 0) }
        let total = Int64(durations.reduce(0, +))
        let duration = Int64(max(1, durations.first ?? 1))
        // The stream starts at 0 if the damaged bytes can hold the packets since then.
        let start = page.granulePosition &- total
        if initialPosition == nil, start > 0, start <= Int64(lostByteCount) * duration { initialPosition = 0 }
        let (previous, isJoining) = (decodedPosition, initialPosition == nil)
        let end = advance(by: total, on: page)
        var position = decodedPosition &- total
        let missing = isJoining ? 0 : Int(clamping: (position &- previous &+ duration / 2) / duration)
        let accessUnits = zip(valid, durations).map { packet, duration in
            let local = position &- (initialPosition ?? position)
            let time = MediaTime(value: startTime &+ local, timescale: Int32(OpusConfiguration.sampleRate))
            let accessUnit = AccessUnit(payload: packet.payload, presentationTime: time, duration: duration)
            var coded = DemuxedAccessUnit(accessUnit: accessUnit, byteRange: packet.byteRange)
            position = position &+ Int64(duration)
            coded.trim.leading = min(duration, Int(clamping: max(0, Int64(configuration.preSkip) &- local)))
            coded.trim.trailing = min(duration - coded.trim.leading, Int(clamping: max(0, position &- end)))
            return coded
        }
        return (accessUnits, invalid, min(max(0, missing), Int(Int32.max)))
    }

    /// Advances past a page whose packets have the given total duration.
    ///
    /// Returns the position after the last valid sample frame.
    ///
    /// A page's position applies if it is later, so that times are right after missing pages. Only the last page can end before its packets
    /// do, but not before its own start (RFC 7845, 4 and 4.4).
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
