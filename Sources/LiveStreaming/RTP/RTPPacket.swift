// SPDX-License-Identifier: Apache-2.0

/// A packet of RTP (RFC 3550, 5.1).
package struct RTPPacket: Hashable, Sendable {
    /// The length of the header without contributing sources and extension, in bytes.
    package static let headerLength = 12

    /// The marker: the last packet of a unit in RFC 3640 and RFC 6416.
    package var marker: Bool
    /// The payload type, 0 to 127.
    package var payloadType: UInt8
    /// The sequence number, one more for each packet.
    package var sequenceNumber: UInt16
    /// The time of the first sample frame of the payload, in ticks of the clock of the payload type.
    package var timestamp: UInt32
    /// The number of the sender (SSRC).
    package var source: UInt32
    /// The payload without padding.
    package var payload: [UInt8]

    /// Creates a packet.
    package init(marker: Bool, payloadType: UInt8, sequenceNumber: UInt16, timestamp: UInt32, source: UInt32, payload: [UInt8]) {
        self.marker = marker
        self.payloadType = payloadType
        self.sequenceNumber = sequenceNumber
        self.timestamp = timestamp
        self.source = source
        self.payload = payload
    }

    /// Reads a packet; contributing sources, header extension and padding are skipped.
    ///
    /// - Returns: Nil if the bytes are no packet of version 2, or their lengths do not fit.
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

    /// The bytes of the packet, without contributing sources, extension and padding.
    package var serialized: [UInt8] {
        var bytes: [UInt8] = [0x80, (marker ? 0x80 : 0) | payloadType & 0x7F, UInt8(sequenceNumber >> 8), UInt8(sequenceNumber & 0xFF)]
        bytes.append(bigEndian: timestamp, byteCount: 4)
        bytes.append(bigEndian: source, byteCount: 4)
        return bytes + payload
    }
}
