// SPDX-License-Identifier: Apache-2.0

#if !hasFeature(Embedded)
/// Wraps Vorbis packets in Ogg pages with their positions (Vorbis I specification, A.2).
struct VorbisPages {
    private let headers: [[UInt8]]
    private let modeBlockSizes: [Int]
    private let modeBitCount: Int
    private var previousBlockSize: Int?
    private var position = 0
    private var sequenceNumber: UInt32 = 0

    /// Splits the header packets of a `CodecPrivate` with Xiph lacing, or returns `nil` if they are damaged.
    static func headers(_ bytes: [UInt8]) -> [[UInt8]]? {
        var cursor = ByteCursor(bytes)
        guard let count = try? cursor.readInteger(1), count == 2 else { return nil }
        var sizes: [Int] = []
        for _ in 0..<count {
            var size = 0
            while let byte = try? cursor.readInteger(1) {
                size += byte
                if byte < 255 { break }
            }
            sizes.append(size)
        }
        guard let first = try? cursor.readBytes(sizes[0]), let second = try? cursor.readBytes(sizes[1]), let third = try? cursor.readRest()
        else { return nil }
        return [first, second, third]
    }

    /// Creates pages, or returns `nil` if the headers are damaged.
    init?(_ headers: [[UInt8]]) {
        guard headers.count == 3, headers[0].count >= 30, headers[0].starts(with: [1] + "vorbis".utf8),
            let flags = Self.modeFlags(headers[2])
        else { return nil }
        self.headers = headers
        let sizes = [1 << Int(headers[0][28] & 0xF), 1 << Int(headers[0][28] >> 4)]
        modeBlockSizes = flags.map { sizes[$0 ? 1 : 0] }
        modeBitCount = Int.bitWidth - (flags.count - 1).leadingZeroBitCount
    }

    /// Returns which modes have long blocks, or `nil` if the setup header is damaged.
    ///
    /// The modes are the last fields of the header (4.2.4), so that they are read backwards from its framing bit. Each has a flag, two
    /// fields of 16 zero bits, and the number of a mapping; their count precedes them.
    private static func modeFlags(_ setup: [UInt8]) -> [Bool]? {
        /// Returns a number of `count` bits, least significant first, or `nil` before the start.
        func bits(_ start: Int, _ count: Int) -> Int? {
            guard start >= 0 else { return nil }
            return (0..<count).reduce(0) { $0 | Int(setup[(start + $1) / 8] >> UInt8((start + $1) % 8) & 1) << $1 }
        }
        guard let last = setup.lastIndex(where: { $0 != 0 }) else { return nil }
        var start = 8 * last + 7 - setup[last].leadingZeroBitCount
        var flags: [Bool] = []
        var found: [Bool]?
        while flags.count < 64, let mapping = bits(start - 8, 8), mapping < 64, bits(start - 40, 32) == 0, let flag = bits(start - 41, 1) {
            start -= 41
            flags.append(flag == 1)
            // A mapping could look like the count, so the longest list is right.
            if bits(start - 6, 6) == flags.count - 1 { found = flags.reversed() }
        }
        return found
    }

    /// The pages of the header packets; each of the first two starts a page.
    var headerPages: [UInt8] {
        mutating get { headers.enumerated().flatMap { pages($1, position: 0, isFirst: $0 == 0, isLast: false) } }
    }

    /// Returns the pages of an audio packet.
    ///
    /// - Parameter discarded: The number of sample frames at its end that are not part of the signal.
    mutating func page(_ packet: [UInt8], discarding discarded: Int, isLast: Bool) -> [UInt8] {
        if let first = packet.first, first & 1 == 0 {
            let mode = Int(first >> 1) & ((1 << modeBitCount) - 1)
            let size = mode < modeBlockSizes.count ? modeBlockSizes[mode] : 0
            if let previousBlockSize { position += (previousBlockSize + size) / 4 }
            previousBlockSize = size
        }
        return pages(packet, position: max(0, position - discarded), isFirst: false, isLast: isLast)
    }

    private mutating func pages(_ packet: [UInt8], position: Int, isFirst: Bool, isLast: Bool) -> [UInt8] {
        var bytes: [UInt8] = []
        let lacing = OggPage.lacing(of: packet.count)
        var start = 0
        for first in stride(from: 0, to: lacing.count, by: OggPage.maximumSegmentCount) {
            let segments = Array(lacing[first..<min(lacing.count, first + OggPage.maximumSegmentCount)])
            let isEnd = first + segments.count == lacing.count
            let end = start + segments.reduce(0) { $0 + Int($1) }
            let page = OggPage(
                isContinued: first > 0, isFirst: isFirst, isLast: isLast && isEnd,
                granulePosition: isEnd ? Int64(position) : OggPage.noPosition, serialNumber: 1, sequenceNumber: sequenceNumber,
                lacing: segments, body: Array(packet[start..<end]))
            bytes += page.serialized
            sequenceNumber &+= 1
            start = end
        }
        return bytes
    }
}
#endif
