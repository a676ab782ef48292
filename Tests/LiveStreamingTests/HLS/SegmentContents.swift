// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The access units of a segment, parsed independently of the module that wrote it.
struct SegmentContents {
    var payloads: [[UInt8]] = []
    /// The first access unit's time: in sample frames for fragmented MP4, in 1/90000 s for packed audio.
    var time: Int?

    /// Parses a segment or part of fragmented MP4.
    init(fragmentedMP4 bytes: [UInt8]) throws {
        var sizes: [Int] = []
        try Self.boxes(bytes[...]) { type, body in
            switch type {
            case "moof":
                try Self.boxes(body) { type, body in
                    guard type == "traf" else { return }
                    try Self.boxes(body) { type, body in
                        if type == "tfdt", time == nil { time = Self.number(body.dropFirst(4).prefix(8)) }
                        guard type == "trun" else { return }
                        sizes = Self.sizes(trackRun: body)
                    }
                }
            case "mdat":
                var rest = body
                for size in sizes {
                    payloads.append(Array(rest.prefix(size)))
                    rest = rest.dropFirst(size)
                }
                guard rest.isEmpty else { throw StrictPlaylist.Violation(description: "bytes are left in mdat") }
            default: break
            }
        }
    }

    /// Parses the sizes in a track run box (ISO/IEC 14496-12, 8.8.8).
    private static func sizes(trackRun body: ArraySlice<UInt8>) -> [Int] {
        let flags = number(body.dropFirst().prefix(3))
        let first = 8 + [0x1, 0x4].count { flags & $0 != 0 } * 4
        let stride = [0x100, 0x200, 0x400, 0x800].count { flags & $0 != 0 } * 4
        let offset = flags & 0x100 == 0 ? first : first + 4
        return (0..<number(body.dropFirst(4).prefix(4))).map { number(body.dropFirst(offset + stride * $0).prefix(4)) }
    }

    /// Parses a segment or part of packed audio.
    init(packedAudio bytes: [UInt8]) throws {
        guard bytes.starts(with: Array("ID3".utf8)), let owner = String(bytes: bytes[20..<64], encoding: .utf8),
            owner == "com.apple.streaming.transportStreamTimestamp", bytes[64] == 0
        else { throw StrictPlaylist.Violation(description: "no time stamp") }
        time = Self.number(bytes[65..<73])
        payloads = try Self.payloads(adts: bytes[73...])
    }

    static func payloads(adts bytes: ArraySlice<UInt8>) throws -> [[UInt8]] {
        var payloads: [[UInt8]] = []
        var rest = bytes
        while !rest.isEmpty {
            let header = Array(rest.prefix(7))
            guard header.count == 7, header[0] == 0xFF, header[1] & 0xF0 == 0xF0 else {
                throw StrictPlaylist.Violation(description: "no ADTS")
            }
            let length = Int(header[3] & 3) << 11 | Int(header[4]) << 3 | Int(header[5]) >> 5
            payloads.append(Array(rest.prefix(length).dropFirst(7)))
            rest = rest.dropFirst(length)
        }
        return payloads
    }

    /// Calls `body` with each box.
    private static func boxes(_ bytes: ArraySlice<UInt8>, _ body: (String, ArraySlice<UInt8>) throws -> Void) throws {
        var rest = bytes
        while !rest.isEmpty {
            let size = number(rest.prefix(4))
            guard size >= 8, size <= rest.count else { throw StrictPlaylist.Violation(description: "box of \(size) bytes") }
            try body(String(decoding: rest.dropFirst(4).prefix(4), as: UTF8.self), rest.prefix(size).dropFirst(8))
            rest = rest.dropFirst(size)
        }
    }

    /// Parses a big-endian number.
    private static func number(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }
}
