// SPDX-License-Identifier: Apache-2.0

/// A page of an Ogg stream (RFC 3533, 6).
package struct OggPage: Hashable, Sendable {
    /// Whether the first packet started on an earlier page.
    package var isContinued = false
    /// Whether this is the first page of its logical stream.
    package var isFirst = false
    /// Whether this is the last page of its logical stream.
    package var isLast = false
    /// The position after the last packet that ends on the page, in codec-specific units; ``noPosition`` if none does.
    package var granulePosition: Int64 = 0
    /// Identifies the logical stream.
    package var serialNumber: UInt32
    /// The page number within the logical stream.
    package var sequenceNumber: UInt32
    /// The segment lengths.
    ///
    /// A packet ends with the first one below 255.
    package var lacing: [UInt8] = []
    /// The concatenated segments.
    package var body: [UInt8] = []

    package init(
        isContinued: Bool = false, isFirst: Bool = false, isLast: Bool = false, granulePosition: Int64 = 0,
        serialNumber: UInt32 = 0, sequenceNumber: UInt32 = 0, lacing: [UInt8] = [], body: [UInt8] = []
    ) {
        self.isContinued = isContinued
        self.isFirst = isFirst
        self.isLast = isLast
        self.granulePosition = granulePosition
        self.serialNumber = serialNumber
        self.sequenceNumber = sequenceNumber
        self.lacing = lacing
        self.body = body
    }

    /// The granule position of a page on which no packet ends.
    static let noPosition: Int64 = -1
    /// The first bytes of each page.
    static let capturePattern = Array("OggS".utf8)
    /// The header size without lacing values, in bytes.
    static let headerByteCount = 27
    static let maximumSegmentCount = 255
    private static let checksumOffset = 22

    /// The size of the page in bytes, with header and segments.
    var byteCount: Int { Self.headerByteCount + lacing.reduce(lacing.count) { $0 + Int($1) } }

    package var endingPacketCount: Int { lacing.count { $0 < 255 } }

    /// Appends a packet, which must fit on the page.
    package mutating func append(packet: [UInt8]) {
        lacing += Self.lacing(of: packet.count)
        body += packet
    }

    /// Returns the lacing values for a packet size.
    package static func lacing(of byteCount: Int) -> [UInt8] {
        [UInt8](repeating: 255, count: byteCount / 255) + [UInt8(byteCount % 255)]
    }

    /// The page as bytes, with its checksum.
    package var serialized: [UInt8] {
        var bytes = Self.capturePattern
        bytes.reserveCapacity(Self.headerByteCount + lacing.count + body.count)
        bytes += [0, (isContinued ? 1 : 0) | (isFirst ? 2 : 0) | (isLast ? 4 : 0)]
        bytes += Self.littleEndian(UInt64(bitPattern: granulePosition), 8)
        bytes += Self.littleEndian(UInt64(serialNumber), 4)
        bytes += Self.littleEndian(UInt64(sequenceNumber), 4)
        bytes += [0, 0, 0, 0, UInt8(lacing.count)]
        bytes += lacing
        bytes += body
        let checksum = Self.littleEndian(UInt64(OggChecksum.value(bytes.span)), 4)
        bytes.replaceSubrange(Self.checksumOffset..<Self.checksumOffset + 4, with: checksum)
        return bytes
    }

    private static func littleEndian(_ value: UInt64, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
}

extension OggPage {
    enum Search {
        /// No valid page.
        case none
        case needsMore
        case found(OggPage, byteCount: Int)
    }

    /// Parses the bytes of one page, or returns `nil` if they are damaged.
    package init?(intact bytes: [UInt8]) {
        var window = StreamWindow()
        window.append(bytes)
        window.finish()
        guard case .found(let page, let byteCount) = Self.search(window), byteCount == bytes.count else { return nil }
        self = page
    }

    /// Searches for a page at the start of the window and verifies its checksum.
    static func search(_ window: StreamWindow) -> Search {
        guard let isPage = window.matches(capturePattern, at: 0) else { return .needsMore }
        guard isPage else { return .none }
        let missing: Search = window.isFinished ? .none : .needsMore
        guard window.has(headerByteCount) else { return missing }
        guard window[4] == 0 else { return .none }
        let start = headerByteCount + Int(window[headerByteCount - 1])
        guard window.has(start), var page = OggPage(header: window[0..<start]), window.has(page.byteCount) else { return missing }
        var header = Array(window[0..<start])
        for index in checksumOffset..<checksumOffset + 4 { header[index] = 0 }
        let body = window[start..<page.byteCount]
        let checksum = OggChecksum.value(body.span, continuing: OggChecksum.value(header.span))
        guard checksum == UInt32(number(window[checksumOffset..<checksumOffset + 4])) else { return .none }
        page.body = Array(body)
        return .found(page, byteCount: page.byteCount)
    }

    /// Parses the header and lacing values at the start of `bytes`, without the segments, or `nil` if it is invalid or truncated.
    init?(header bytes: ArraySlice<UInt8>) {
        guard bytes.starts(with: Self.capturePattern), bytes.count >= Self.headerByteCount else { return nil }
        let start = bytes.startIndex
        lacing = Array(bytes.dropFirst(Self.headerByteCount).prefix(Int(bytes[start + 26])))
        guard bytes[start + 4] == 0, lacing.count == Int(bytes[start + 26]) else { return nil }
        let flags = bytes[start + 5]
        (isContinued, isFirst, isLast) = (flags & 1 != 0, flags & 2 != 0, flags & 4 != 0)
        granulePosition = Int64(bitPattern: Self.number(bytes[start + 6..<start + 14]))
        serialNumber = UInt32(Self.number(bytes[start + 14..<start + 18]))
        sequenceNumber = UInt32(Self.number(bytes[start + 18..<start + 22]))
    }

    /// Returns the little-endian number in `bytes`.
    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) } }
}
