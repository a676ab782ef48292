// SPDX-License-Identifier: Apache-2.0

import AudioPrimitives

/// A Core Audio Format file with Apple Lossless, complete enough to exchange files with other programs.
struct CAFFile {
    var configuration: ALACConfiguration
    var packets: [[UInt8]]
    /// The number of frames missing from the last packet.
    var remainderFrames = 0

    init(_ configuration: ALACConfiguration, packets: [[UInt8]], remainderFrames: Int) {
        self.configuration = configuration
        self.packets = packets
        self.remainderFrames = remainderFrames
    }

    init(parsing bytes: [UInt8]) throws {
        var chunks: [String: ArraySlice<UInt8>] = [:]
        var position = 8
        while position + 12 <= bytes.count {
            let size = Int(Self.number(bytes[position + 4..<position + 12]))
            let body = position + 12
            let end = size < 0 ? bytes.count : min(bytes.count, body + size)
            chunks[String(decoding: bytes[position..<position + 4], as: UTF8.self)] = bytes[body..<end]
            position = end
        }
        configuration = try ALACConfiguration(parsing: Array(chunks["kuki"] ?? []))
        packets = []
        var table = chunks["pakt"] ?? []
        var data = (chunks["data"] ?? []).dropFirst(4)
        let count = Int(Self.number(table.prefix(8)))
        remainderFrames = Int(Self.number(table.dropFirst(20).prefix(4)))
        table = table.dropFirst(24)
        for _ in 0..<count {
            var size = 0
            while let byte = table.popFirst() {
                size = size << 7 | Int(byte & 0x7F)
                if byte < 0x80 { break }
            }
            packets.append(Array(data.prefix(size)))
            data = data.dropFirst(size)
        }
    }

    var bytes: [UInt8] {
        let frames = packets.count * configuration.frameLength
        var description = Self.bytes(UInt64(Double(configuration.sampleRate).bitPattern), 8) + Array("alac".utf8)
        for number in [configuration.bitDepth / 8, 0, configuration.frameLength, configuration.channelCount, 0] {
            description += Self.bytes(UInt64(number), 4)
        }
        var table = [(packets.count, 8), (frames - remainderFrames, 8), (0, 4), (remainderFrames, 4)].flatMap { Self.bytes(UInt64($0), $1) }
        for packet in packets {
            table += [packet.count >> 14 | 0x80, packet.count >> 7 & 0x7F | 0x80, packet.count & 0x7F].map { UInt8($0) }
        }
        let chunks = [
            ("desc", description), ("kuki", configuration.serialized()), ("pakt", table), ("data", [0, 0, 0, 0] + packets.joined()),
        ]
        return Array("caff".utf8) + [0, 1, 0, 0] + chunks.flatMap { Array($0.utf8) + Self.bytes(UInt64($1.count), 8) + $1 }
    }

    /// Returns a big-endian number.
    private static func number(_ bytes: ArraySlice<UInt8>) -> Int64 {
        Int64(bitPattern: bytes.reduce(0) { $0 << 8 | UInt64($1) })
    }

    /// Returns the low bytes of a number in big-endian order.
    private static func bytes(_ value: UInt64, _ count: Int) -> [UInt8] {
        (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> UInt64(8 * $0)) }
    }
}
