// SPDX-License-Identifier: Apache-2.0

/// An RTCP packet of the kinds that an audio sender uses (RFC 3550, 6).
package enum RTCPPacket: Hashable, Sendable {
    /// A sender report without report blocks (6.4.1). Relates wall-clock time to stream time.
    ///
    /// `clockTime` is an NTP timestamp: time since 1900 in units of 2^-32 s. `timestamp` is the same instant in clock ticks of the stream.
    case senderReport(source: UInt32, clockTime: UInt64, timestamp: UInt32, packetCount: UInt32, byteCount: UInt32)
    /// The sender's canonical name (CNAME, 6.5).
    case name(source: UInt32, name: String)
    /// The end of streams (BYE, 6.6).
    case goodbye(sources: [UInt32])

    /// The packet types (12.1).
    private enum PacketType {
        static let senderReport: UInt8 = 200
        static let description: UInt8 = 202
        static let goodbye: UInt8 = 203
    }

    /// The item type of CNAME (6.5.1).
    private static let nameItem: UInt8 = 1
    private static let maximumNameLength = 255
}

// MARK: Reading

extension RTCPPacket {
    /// Returns the sources whose streams a datagram ends.
    ///
    /// Reads up to the first malformed packet. The result is empty if the datagram is not RTCP.
    package static func endedSources(in datagram: some Collection<UInt8>) -> [UInt32] {
        var rest = Array(datagram)[...]
        var sources: [UInt32] = []
        while rest.count >= 4 {
            let first = rest.startIndex
            let length = 4 * (Int(rest[first + 2]) << 8 | Int(rest[first + 3])) + 4
            guard rest[first] >> 6 == 2, length <= rest.count else { break }
            if rest[first + 1] == PacketType.goodbye {
                let packet = Array(rest.prefix(length))
                let count = Int(packet[0] & 0x1F)
                guard length >= 4 + 4 * count else { break }
                sources += (0..<count).map { packet.bigEndianWord(at: 4 + 4 * $0) }
            }
            rest = rest.dropFirst(length)
        }
        return sources
    }
}

// MARK: Writing

extension RTCPPacket {
    package static func serialize(_ packets: [RTCPPacket]) -> [UInt8] { packets.flatMap(\.serialized) }

    private var serialized: [UInt8] {
        switch self {
        case .senderReport(let source, let clockTime, let timestamp, let packetCount, let byteCount):
            var fields: [UInt8] = []
            for word in [
                source, UInt32(clockTime >> 32), UInt32(truncatingIfNeeded: clockTime), timestamp, packetCount, byteCount,
            ] { fields.append(bigEndian: word, byteCount: 4) }
            return Self.packet(PacketType.senderReport, count: 0, fields)
        case .name(let source, let name):
            let text = Array(name.utf8.prefix(Self.maximumNameLength))
            var fields: [UInt8] = []
            fields.append(bigEndian: source, byteCount: 4)
            fields += [Self.nameItem, UInt8(text.count)] + text
            // At least one zero byte ends the item list.
            fields += [UInt8](repeating: 0, count: 4 - fields.count % 4)
            return Self.packet(PacketType.description, count: 1, fields)
        case .goodbye(let sources):
            var fields: [UInt8] = []
            for source in sources.prefix(31) { fields.append(bigEndian: source, byteCount: 4) }
            return Self.packet(PacketType.goodbye, count: min(31, sources.count), fields)
        }
    }

    /// Serializes a packet; `fields` must be whole words.
    private static func packet(_ type: UInt8, count: Int, _ fields: [UInt8]) -> [UInt8] {
        let words = fields.count / 4
        return [0x80 | UInt8(count), type, UInt8(truncatingIfNeeded: words >> 8), UInt8(truncatingIfNeeded: words)] + fields
    }
}
