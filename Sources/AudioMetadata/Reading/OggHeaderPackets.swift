// SPDX-License-Identifier: Apache-2.0

/// The first packets of the first stream of an Ogg file (RFC 3533 6), among which are its comments.
struct OggHeaderPackets {
    /// The packets, from the first on, as far as there are comments in them.
    private(set) var packets: [[UInt8]] = []

    private static let pageHeaderByteCount = 27
    /// The most pages that are read.
    private static let pageLimit = 4096
    /// The signature of the first packet of FLAC, and the number of bytes before its metadata blocks' count.
    private static let flac = Array("\u{7F}FLAC".utf8)

    /// Reads the packets from the page at an offset on.
    init(_ source: TagSource, offset: Int) {
        var offset = offset
        var serial: ArraySlice<UInt8>?
        var pending: [UInt8] = []
        var byteCount = 0
        for _ in 0..<Self.pageLimit {
            let head = source.bytes(at: offset, Self.pageHeaderByteCount)
            guard head.count == Self.pageHeaderByteCount, head.starts(with: "OggS".utf8) else { return }
            let lacing = source.bytes(at: offset + head.count, Int(head[26]))
            let length = lacing.reduce(0) { $0 + Int($1) }
            let body = source.bytes(at: offset + head.count + lacing.count, length)
            offset += head.count + lacing.count + length
            if serial == nil { serial = head[14..<18] }
            guard head[14..<18] == serial else { continue }
            byteCount += length
            guard lacing.count == Int(head[26]), body.count == length, byteCount <= TagSource.largestTag else { return }
            var position = 0
            for segment in lacing {
                pending += body[position..<position + Int(segment)]
                position += Int(segment)
                guard segment < 255 else { continue }
                packets.append(pending)
                pending = []
                if packets.count >= packetCount { return }
            }
        }
    }

    /// The number of packets up to the comments, by the first packet.
    private var packetCount: Int {
        guard let first = packets.first, first.starts(with: Self.flac), first.count > 9 else { return 2 }
        // How many metadata packets follow; 0 if the writer did not know.
        let count = Int(first[7]) << 8 | Int(first[8])
        let isLast = packets.count > 1 && (packets.last?.first ?? 0x80) & 0x80 != 0
        return isLast ? packets.count : count == 0 ? Self.pageLimit : count + 1
    }

    /// Returns the type of a block of FLAC, and its contents, for a packet with comments or a picture; nil for others.
    static func comments(_ packet: [UInt8]) -> (type: Int, contents: ArraySlice<UInt8>)? {
        if packet.starts(with: "OpusTags".utf8) { return (FLACMetadata.BlockType.comments, packet[8...]) }
        if packet.starts(with: "\u{3}vorbis".utf8) { return (FLACMetadata.BlockType.comments, packet[7...]) }
        guard packet.count > FLACMetadata.headByteCount else { return nil }
        let type = Int(packet[0] & 0x7F)
        let length = packet[1..<4].reduce(0) { $0 << 8 | Int($1) }
        let isBlock = length == packet.count - FLACMetadata.headByteCount
        return isBlock ? (type, packet[FLACMetadata.headByteCount...]) : nil
    }
}
