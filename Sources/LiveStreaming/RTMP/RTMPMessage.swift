// SPDX-License-Identifier: Apache-2.0

/// An RTMP message (Adobe, *Real-Time Messaging Protocol Specification 1.0*, 2012, 5.3.1 and 6).
package struct RTMPMessage: Hashable, Sendable {
    /// The message type (5.4 and 7.1).
    package enum Kind: UInt8, Sendable {
        /// The size of the sender's following chunks.
        case setChunkSize = 1
        /// Discards the partial message of a chunk stream.
        case abort = 2
        /// The number of bytes received so far.
        case acknowledgement = 3
        /// A stream event or a ping.
        case userControl = 4
        /// The number of bytes after which the peer must acknowledge.
        case windowAcknowledgementSize = 5
        /// The window that the receiver of this message must use for sending.
        case setPeerBandwidth = 6
        /// An FLV audio tag.
        case audio = 8
        /// An FLV video tag.
        case video = 9
        /// Metadata in AMF 0.
        case data = 18
        /// A command in AMF 0.
        case command = 20
    }

    /// The type.
    ///
    /// Receivers ignore values without a ``Kind``.
    package var type: UInt8
    /// The timestamp in milliseconds, modulo 2^32.
    package var timestamp: UInt32
    /// The message stream; 0 for the connection itself.
    package var streamID: UInt32
    package var payload: [UInt8]

    package var kind: Kind? { Kind(rawValue: type) }

    package init(_ kind: Kind, timestamp: UInt32 = 0, streamID: UInt32 = 0, payload: [UInt8]) {
        self.init(type: kind.rawValue, timestamp: timestamp, streamID: streamID, payload: payload)
    }

    package init(type: UInt8, timestamp: UInt32, streamID: UInt32, payload: [UInt8]) {
        self.type = type
        self.timestamp = timestamp
        self.streamID = streamID
        self.payload = payload
    }
}
