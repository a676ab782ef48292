// SPDX-License-Identifier: Apache-2.0

/// A packet of a logical Ogg stream.
struct OggPacket: Hashable, Sendable {
    /// The payload, empty if it exceeds the limit.
    var payload: [UInt8]
    /// The range in the stream from the packet's first to its last byte, including page headers in between.
    var byteRange: Range<Int>
    /// Whether the packet exceeds the limit.
    var isTooLong = false
}

/// Assembles the packets of a logical stream from its pages (RFC 3533, 4), dropping packets with missing pages.
struct OggPacketAssembler: Sendable {
    /// The result of adding a page.
    struct Outcome {
        /// The packets that end on the page.
        var packets: [OggPacket] = []
        /// The ranges of packets that are incomplete because of missing pages.
        var lost: [Range<Int>] = []
        /// The number of pages missing before this one.
        var missingPageCount = 0
    }

    var maximumByteCount: Int

    /// The start of a packet that continues on the next page.
    private var open: OggPacket?
    /// The expected sequence number, or `nil` before the first page.
    private var nextSequenceNumber: UInt32?

    init(maximumByteCount: Int) { self.maximumByteCount = maximumByteCount }

    /// Adds the next page of the logical stream, which is at `range` in the physical stream.
    mutating func append(_ page: OggPage, at range: Range<Int>) -> Outcome {
        var outcome = Outcome()
        // A parser that starts inside a stream may miss the start of a packet, which is not damage.
        let isJoining = nextSequenceNumber == nil
        if let expected = nextSequenceNumber { outcome.missingPageCount = Int(clamping: page.sequenceNumber &- expected) }
        nextSequenceNumber = page.sequenceNumber &+ 1
        if let packet = open, outcome.missingPageCount > 0 || !page.isContinued {
            outcome.lost.append(packet.byteRange)
            open = nil
        }
        // The end of a packet whose start is missing.
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

    /// Appends a segment to the open packet, or starts a packet with it.
    private mutating func extend(with segment: ArraySlice<UInt8>, at position: Int) {
        guard var packet = open else {
            open = OggPacket(payload: Array(segment), byteRange: position..<position + segment.count)
            return
        }
        // Clearing the property avoids a copy of the array.
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

    /// Ends the stream and returns the range of an incomplete packet, if any.
    mutating func finish() -> Range<Int>? {
        defer { open = nil }
        return open?.byteRange
    }
}
