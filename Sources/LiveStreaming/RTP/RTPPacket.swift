// SPDX-License-Identifier: Apache-2.0

/// An RTP packet (RFC 3550, 5.1).
package struct RTPPacket: Hashable, Sendable {
    /// The header length in bytes, without contributing sources and extension.
    package static let headerLength = 12

    /// The marker bit.
    ///
    /// In RFC 3640 and RFC 6416 it marks the last packet of an access unit.
    package var marker: Bool
    /// The payload type, 0 to 127.
    package var payloadType: UInt8
    package var sequenceNumber: UInt16
    /// The time of the payload's first sample frame, in clock ticks of the payload type.
    package var timestamp: UInt32
    package var source: UInt32
    /// The payload, without padding.
    package var payload: [UInt8]

    package init(marker: Bool, payloadType: UInt8, sequenceNumber: UInt16, timestamp: UInt32, source: UInt32, payload: [UInt8]) {
        self.marker = marker
        self.payloadType = payloadType
        self.sequenceNumber = sequenceNumber
        self.timestamp = timestamp
        self.source = source
        self.payload = payload
    }

    /// Parses a packet.
    ///
    /// Skips contributing sources, header extension and padding.
    ///
    /// - Returns: `nil` if the bytes are not a valid RTP version 2 packet.
    package init?(parsing bytes: some Collection<UInt8>) {
        let bytes = Array(bytes)
        guard bytes.count >= Self.headerLength, bytes[0] >> 6 == 2 else { return nil }
        marker = bytes[1] & 0x80 != 0
        payloadType = bytes[1] & 0x7F
        sequenceNumber = UInt16(bytes[2]) << 8 | UInt16(bytes[3])
        timestamp = bytes.bigEndianWord(at: 4)
        source = bytes.bigEndianWord(at: 8)
        var start = Self.headerLength + 4 * Int(bytes[0] & 0x0F)
        if bytes[0] & 0x10 != 0 {
            guard start + 4 <= bytes.count else { return nil }
            start += 4 + 4 * (Int(bytes[start + 2]) << 8 | Int(bytes[start + 3]))
        }
        var end = bytes.count
        if bytes[0] & 0x20 != 0 {
            guard let padding = bytes.last, padding > 0 else { return nil }
            end -= Int(padding)
        }
        guard start <= end else { return nil }
        payload = Array(bytes[start..<end])
    }

    /// The serialized packet, without contributing sources, extension and padding.
    package var serialized: [UInt8] {
        var bytes: [UInt8] = [0x80, (marker ? 0x80 : 0) | payloadType & 0x7F, UInt8(sequenceNumber >> 8), UInt8(sequenceNumber & 0xFF)]
        bytes.append(bigEndian: timestamp, byteCount: 4)
        bytes.append(bigEndian: source, byteCount: 4)
        return bytes + payload
    }
}
