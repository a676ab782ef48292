// SPDX-License-Identifier: Apache-2.0

/// The first packets of the first stream in an Ogg file (RFC 3533, 6), which include the comments.
struct OggHeaderPackets {
    /// The packets from the first to the last with comments.
    private(set) var packets: [[UInt8]] = []
    /// Whether a page is missing before the last comments.
    private(set) var isIncomplete = false

    private static let pageHeaderByteCount = 27
    private static let pageLimit = 4096
    /// The signature of the first packet of FLAC in Ogg.
    private static let flac = Array("\u{7F}FLAC".utf8)

    init(_ source: TagSource, offset: Int) {
        var offset = offset
        var serial: ArraySlice<UInt8>?
        var pending: [UInt8] = []
        var byteCount = 0
        var latestNumber: Int?
        for _ in 0..<Self.pageLimit {
            let head = source.bytes(at: offset, Self.pageHeaderByteCount)
            guard head.count == Self.pageHeaderByteCount, head.starts(with: "OggS".utf8) else { return }
            let lacing = source.bytes(at: offset + head.count, Int(head[26]))
            let length = lacing.reduce(0) { $0 + Int($1) }
            let body = source.bytes(at: offset + head.count + lacing.count, length)
            offset += head.count + lacing.count + length
            if serial == nil { serial = head[14..<18] }
            guard head[14..<18] == serial else { continue }
            let number = head[18..<22].reversed().reduce(0) { $0 << 8 | Int($1) }
            isIncomplete = latestNumber.map { number > $0 + 1 } ?? false
            if isIncomplete { return }
            latestNumber = number
            byteCount += length
            guard lacing.count == Int(head[26]), body.count == length, byteCount <= TagSource.maximumTagByteCount else { return }
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

    /// The number of packets up to the last comments; in FLAC, up to the block that is marked as the last.
    ///
    /// The count in the first packet of FLAC is not used, because libFLAC omits comments that it adds itself. Frames have the same mark.
    private var packetCount: Int {
        guard let first = packets.first, first.starts(with: Self.flac) else { return 2 }
        let isLast = packets.count > 1 && (packets.last?.first ?? 0x80) & 0x80 != 0
        return isLast ? packets.count : Self.pageLimit
    }

    /// Returns the comments or FLAC metadata block of a packet, if any.
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
