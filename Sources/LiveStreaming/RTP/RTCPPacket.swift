// SPDX-License-Identifier: Apache-2.0

/// A packet of RTCP, of the kinds that a sender of audio uses (RFC 3550, 6).
package enum RTCPPacket: Hashable, Sendable {
    /// The relation of the sender's clock and that of its stream, with its counts (6.4.1).
    case senderReport(SenderReport)
    /// The name of a sender (CNAME, 6.5).
    case name(source: UInt32, name: String)
    /// The end of streams (6.6).
    case goodbye(sources: [UInt32])
    /// A packet of another type.
    case other(type: UInt8)

    /// The fields of a sender report, without report blocks.
    package struct SenderReport: Hashable, Sendable {
        /// The number of the sender (SSRC).
        package var source: UInt32
        /// The time since 1900 in units of 2^-32 s (NTP timestamp).
        package var clockTime: UInt64
        /// The same time in ticks of the stream.
        package var timestamp: UInt32
        /// The packets sent since the start.
        package var packetCount: UInt32
        /// The bytes of their payloads.
        package var byteCount: UInt32

        /// Creates a report.
        package init(source: UInt32, clockTime: UInt64, timestamp: UInt32, packetCount: UInt32, byteCount: UInt32) {
            self.source = source
            self.clockTime = clockTime
            self.timestamp = timestamp
            self.packetCount = packetCount
            self.byteCount = byteCount
        }
    }

    /// The packet types (12.1).
    private enum PacketType {
        static let senderReport: UInt8 = 200
        static let description: UInt8 = 202
        static let goodbye: UInt8 = 203
    }

    /// The type of the item that is a sender's name (6.5.1).
    private static let nameItem: UInt8 = 1
    /// The largest length of a name in bytes.
    private static let longestName = 255
}

// MARK: Reading

extension RTCPPacket {
    /// Reads the packets of a datagram.
    ///
    /// - Returns: The packets up to the first one that does not fit; empty if the datagram is no RTCP.
    package static func parse(_ datagram: some Collection<UInt8>) -> [RTCPPacket] {
        var rest = Array(datagram)[...]
        var packets: [RTCPPacket] = []
        while rest.count >= 4 {
            let first = rest.startIndex
            let length = 4 * (Int(rest[first + 2]) << 8 | Int(rest[first + 3])) + 4
            guard rest[first] >> 6 == 2, length <= rest.count else { break }
            let packet = Array(rest.prefix(length))
            guard let read = RTCPPacket(type: packet[1], count: Int(packet[0] & 0x1F), packet) else { break }
            packets.append(read)
            rest = rest.dropFirst(length)
        }
        return packets
    }

    /// Reads a packet whose length is right.
    private init?(type: UInt8, count: Int, _ bytes: [UInt8]) {
        switch type {
        case PacketType.senderReport:
            guard bytes.count >= 28 else { return nil }
            self = .senderReport(
                SenderReport(
                    source: bytes.bigEndianWord(at: 4),
                    clockTime: UInt64(bytes.bigEndianWord(at: 8)) << 32 | UInt64(bytes.bigEndianWord(at: 12)),
                    timestamp: bytes.bigEndianWord(at: 16), packetCount: bytes.bigEndianWord(at: 20),
                    byteCount: bytes.bigEndianWord(at: 24)))
        case PacketType.goodbye:
            guard bytes.count >= 4 + 4 * count else { return nil }
            self = .goodbye(sources: (0..<count).map { bytes.bigEndianWord(at: 4 + 4 * $0) })
        case PacketType.description:
            guard count == 1, bytes.count >= 10, bytes[8] == Self.nameItem, 10 + Int(bytes[9]) <= bytes.count else {
                self = .other(type: type)
                return
            }
            self = .name(source: bytes.bigEndianWord(at: 4), name: String(decoding: bytes[10..<10 + Int(bytes[9])], as: UTF8.self))
        default: self = .other(type: type)
        }
    }
}

// MARK: Writing

extension RTCPPacket {
    /// Returns a datagram of packets; those of other types are left out.
    package static func serialize(_ packets: [RTCPPacket]) -> [UInt8] { packets.flatMap(\.serialized) }

    /// The bytes of the packet; empty for one of another type.
    private var serialized: [UInt8] {
        switch self {
        case .senderReport(let report):
            var fields: [UInt8] = []
            for word in [
                report.source, UInt32(report.clockTime >> 32), UInt32(truncatingIfNeeded: report.clockTime), report.timestamp,
                report.packetCount, report.byteCount,
            ] { fields.appendBigEndian(word) }
            return Self.packet(PacketType.senderReport, count: 0, fields)
        case .name(let source, let name):
            let text = Array(name.utf8.prefix(Self.longestName))
            var fields: [UInt8] = []
            fields.appendBigEndian(source)
            fields += [Self.nameItem, UInt8(text.count)] + text
            // At least one zero ends the list of items.
            fields += [UInt8](repeating: 0, count: 4 - fields.count % 4)
            return Self.packet(PacketType.description, count: 1, fields)
        case .goodbye(let sources):
            var fields: [UInt8] = []
            for source in sources.prefix(31) { fields.appendBigEndian(source) }
            return Self.packet(PacketType.goodbye, count: min(31, sources.count), fields)
        case .other: return []
        }
    }

    /// Returns a packet of fields, which are whole words.
    private static func packet(_ type: UInt8, count: Int, _ fields: [UInt8]) -> [UInt8] {
        let words = fields.count / 4
        return [0x80 | UInt8(count), type, UInt8(truncatingIfNeeded: words >> 8), UInt8(truncatingIfNeeded: words)] + fields
    }
}
