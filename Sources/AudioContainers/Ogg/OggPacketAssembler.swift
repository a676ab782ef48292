// SPDX-License-Identifier: Apache-2.0

/// A packet of a logical Ogg stream.
struct OggPacket: Hashable, Sendable {
    /// The bytes of the packet; empty if it was longer than the limit.
    var payload: [UInt8]
    /// The bytes in the stream from the first to the last one of the packet, with headers of pages between them.
    var byteRange: Range<Int>
    /// Whether the packet was longer than the limit.
    var isTooLong = false
}

/// Puts the packets of a logical stream together from its pages (RFC 3533 4).
///
/// A packet of which a page is missing is not given.
struct OggPacketAssembler: Sendable {
    /// The outcome of a page.
    struct Outcome {
        /// The packets that end on the page.
        var packets: [OggPacket] = []
        /// The bytes of packets that are incomplete because a page is missing.
        var lost: [Range<Int>] = []
        /// Whether pages before this one are missing.
        var hasGap = false
    }

    /// The largest number of bytes of a packet.
    var maximumByteCount: Int

    /// The beginning of a packet that continues on the next page; nil between packets.
    private var open: OggPacket?
    /// The number of the next page; nil before the first one.
    private var nextSequenceNumber: UInt32?

    /// Creates an assembler before the first page.
    init(maximumByteCount: Int) { self.maximumByteCount = maximumByteCount }

    /// Adds a page.
    ///
    /// - Parameters:
    ///   - page: The next page of the logical stream.
    ///   - range: Its bytes in the stream.
    mutating func append(_ page: OggPage, at range: Range<Int>) -> Outcome {
        var outcome = Outcome()
        // A parser that starts inside a stream has missed the beginning of a packet, which is no damage.
        let isJoining = nextSequenceNumber == nil
        if let expected = nextSequenceNumber, expected != page.sequenceNumber { outcome.hasGap = true }
        nextSequenceNumber = page.sequenceNumber &+ 1
        if let packet = open, outcome.hasGap || !page.isContinued {
            outcome.lost.append(packet.byteRange)
            open = nil
        }
        // The rest of a packet whose beginning is missing.
        var isOrphan = page.isContinued && open == nil
        var position = range.upperBound - page.body.count
        var start = 0
        for length in page.lacing {
            let count = Int(length)
            if !isOrphan { extend(with: page.body[start..<start + count], at: position) }
            start += count
            position += count
            guard length < 255 else { continue }
            if isOrphan {
                if !isJoining { outcome.lost.append(position - start..<position) }
                isOrphan = false
            } else if let packet = open {
                outcome.packets.append(packet)
                open = nil
            }
        }
        return outcome
    }

    /// Adds a segment to the open packet, or begins one with it.
    private mutating func extend(with segment: ArraySlice<UInt8>, at position: Int) {
        guard var packet = open else {
            open = OggPacket(payload: Array(segment), byteRange: position..<position + segment.count)
            return
        }
        // The array is changed in place.
        open = nil
        packet.byteRange = packet.byteRange.lowerBound..<position + segment.count
        if packet.isTooLong || packet.payload.count + segment.count > maximumByteCount {
            packet.isTooLong = true
            packet.payload = []
        } else {
            packet.payload += segment
        }
        open = packet
    }

    /// Returns the bytes of the packet that the stream ends in; nil if it ends between packets.
    mutating func finish() -> Range<Int>? {
        defer { open = nil }
        return open?.byteRange
    }
}
