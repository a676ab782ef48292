// SPDX-License-Identifier: Apache-2.0

/// Splits messages into chunks (Real-Time Messaging Protocol 1.0, 5.3).
///
/// Each message starts with a full header (type 0), so that the receiver needs no state. Continuation chunks omit the header (type 3). The eleven bytes
/// per message amount to 0.5 kB/s for AAC.
package struct RTMPChunkWriter: Sendable {
    /// The chunk stream of control messages (5.4).
    package static let controlStream: UInt8 = 2
    package static let commandStream: UInt8 = 3
    package static let audioStream: UInt8 = 4

    /// The maximum payload bytes per chunk; initially 128.
    package private(set) var chunkSize = 128

    package init() {}

    /// Appends the chunks of a message.
    ///
    /// - Parameters:
    ///   - message: A message of at most 2^24 − 1 bytes.
    ///   - chunkStream: The chunk stream, 2 to 63.
    package func append(_ message: RTMPMessage, chunkStream: UInt8, to bytes: inout [UInt8]) {
        precondition((2...63).contains(chunkStream) && message.payload.count < 1 << 24)
        let isExtended = message.timestamp >= 0xFF_FFFF
        bytes.append(chunkStream)
        bytes.append(bigEndian: min(message.timestamp, 0xFF_FFFF), byteCount: 3)
        bytes.append(bigEndian: message.payload.count, byteCount: 3)
        bytes.append(message.type)
        // The stream ID is the only little-endian field.
        bytes.append(bigEndian: message.streamID.byteSwapped, byteCount: 4)
        if isExtended { bytes.append(bigEndian: message.timestamp, byteCount: 4) }
        var start = 0
        repeat {
            if start > 0 {
                bytes.append(0xC0 | chunkStream)
                // Repeated in continuations, as all servers expect (5.3.1.3).
                if isExtended { bytes.append(bigEndian: message.timestamp, byteCount: 4) }
            }
            let end = min(start + chunkSize, message.payload.count)
            bytes += message.payload[start..<end]
            start = end
        } while start < message.payload.count
    }

    /// Appends a Set Chunk Size message, and uses the size for later messages.
    ///
    /// - Parameter size: 1 to 65 536.
    package mutating func setChunkSize(_ size: Int, to bytes: inout [UInt8]) {
        var payload: [UInt8] = []
        payload.append(bigEndian: size, byteCount: 4)
        append(RTMPMessage(.setChunkSize, payload: payload), chunkStream: Self.controlStream, to: &bytes)
        chunkSize = size
    }
}
