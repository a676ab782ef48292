// SPDX-License-Identifier: Apache-2.0

/// A message of RTMP (Adobe, *Real-Time Messaging Protocol Specification 1.0*, 2012, 5.3.1 and 6).
package struct RTMPMessage: Hashable, Sendable {
    /// The type of a message (5.4 and 7.1).
    package enum Kind: UInt8, Sendable {
        /// The size of the sender's chunks from the next one on.
        case setChunkSize = 1
        /// The partially sent message of a chunk stream is discarded.
        case abort = 2
        /// The number of bytes received so far.
        case acknowledgement = 3
        /// An event of the stream or a ping.
        case userControl = 4
        /// The number of bytes after which an acknowledgement is wanted.
        case windowAcknowledgementSize = 5
        /// The window that the receiver of this message has to keep as a sender.
        case setPeerBandwidth = 6
        /// A tag of FLV audio.
        case audio = 8
        /// A tag of FLV video.
        case video = 9
        /// Metadata in AMF 0.
        case data = 18
        /// A command in AMF 0.
        case command = 20
    }

    /// The type; values without a ``Kind`` are ignored by the receiver.
    package var type: UInt8
    /// The time in milliseconds, modulo 2^32.
    package var timestamp: UInt32
    /// The message stream, 0 for the connection itself.
    package var streamID: UInt32
    /// The content.
    package var payload: [UInt8]

    /// The type, if it is a known one.
    package var kind: Kind? { Kind(rawValue: type) }

    /// Creates a message.
    package init(_ kind: Kind, timestamp: UInt32 = 0, streamID: UInt32 = 0, payload: [UInt8]) {
        self.init(type: kind.rawValue, timestamp: timestamp, streamID: streamID, payload: payload)
    }

    /// Creates a message of any type.
    package init(type: UInt8, timestamp: UInt32, streamID: UInt32, payload: [UInt8]) {
        self.type = type
        self.timestamp = timestamp
        self.streamID = streamID
        self.payload = payload
    }
}
