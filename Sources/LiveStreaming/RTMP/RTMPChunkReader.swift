// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// Joins chunks, received in parts of any size, to messages (Real-Time Messaging Protocol 1.0, 5.3).
package struct RTMPChunkReader: Sendable {
    /// Errors of a peer that doesn't follow the protocol.
    package enum Failure: Error, Hashable {
        /// A message is longer than any that a server sends to a publisher.
        case messageTooLong(byteCount: Int, limit: Int)
        /// A chunk without a header starts a chunk stream.
        case missingHeader(chunkStream: Int)
        /// The peer announced a chunk size of 0 or above 2^24 − 1.
        case invalidChunkSize(Int)
        /// The peer uses more chunk streams than any known server.
        case tooManyChunkStreams(limit: Int)
    }

    /// The state of a chunk stream.
    private struct ChunkStream: Sendable {
        var timestamp: UInt32 = 0
        var timestampDelta: UInt32 = 0
        var isExtended = false
        var length = 0
        var type: UInt8 = 0
        var streamID: UInt32 = 0
        var payload: [UInt8] = []
        var isInside = false
    }

    /// The longest message accepted, in bytes.
    private static let messageLimit = 1 << 20
    /// The most chunk streams accepted.
    private static let streamLimit = 64

    private var streams: [Int: ChunkStream] = [:]
    private var bytes: [UInt8] = []
    private var position = 0
    private var chunkSize = 128
    /// The number of bytes of complete chunks so far, modulo 2^32, as acknowledgements count them.
    package private(set) var byteCount: UInt32 = 0

    /// Creates a reader for a new connection.
    package init() {}

    /// Appends received bytes.
    package mutating func append(_ received: some Collection<UInt8>) {
        if position > 0 {
            bytes.removeFirst(position)
            position = 0
        }
        bytes += received
    }

    /// Returns the next complete message; nil if more bytes are needed.
    ///
    /// Changes of the chunk size and aborted messages are handled, and also returned.
    package mutating func next() throws(Failure) -> RTMPMessage? {
        while true {
            let start = position
            var message: RTMPMessage?
            guard try readChunk(&message) else {
                position = start
                return nil
            }
            byteCount &+= UInt32(truncatingIfNeeded: position - start)
            guard let message else { continue }
            try handle(message)
            return message
        }
    }

    /// Reads a chunk; returns false if it is incomplete, and nothing has changed then.
    private mutating func readChunk(_ message: inout RTMPMessage?) throws(Failure) -> Bool {
        guard let first = read(1) else { return false }
        var id = Int(first & 0x3F)
        if id == 0 {
            guard let low = read(1) else { return false }
            id = 64 + Int(low)
        } else if id == 1 {
            guard let low = read(1), let high = read(1) else { return false }
            id = 64 + Int(low) + 256 * Int(high)
        }
        guard let known = streams[id] ?? (streams.count < Self.streamLimit ? ChunkStream() : nil) else {
            throw .tooManyChunkStreams(limit: Self.streamLimit)
        }
        var stream = known
        let format = first >> 6
        guard format < 3 || streams[id] != nil else { throw .missingHeader(chunkStream: id) }
        guard readHeader(Int(format), &stream) else { return false }
        guard stream.length <= Self.messageLimit else { throw .messageTooLong(byteCount: stream.length, limit: Self.messageLimit) }
        let count = min(chunkSize, stream.length - stream.payload.count)
        guard bytes.count - position >= count else { return false }
        stream.payload += bytes[position..<position + count]
        position += count
        stream.isInside = stream.payload.count < stream.length
        if !stream.isInside {
            message = RTMPMessage(type: stream.type, timestamp: stream.timestamp, streamID: stream.streamID, payload: stream.payload)
            stream.payload = []
        }
        streams[id] = stream
        return true
    }

    /// Reads the message header and the extended timestamp of a chunk (5.3.1.2 and 5.3.1.3); returns false if they are incomplete.
    private mutating func readHeader(_ format: Int, _ stream: inout ChunkStream) -> Bool {
        if format < 3 {
            // A header inside a message starts a new one.
            stream.payload = []
            guard let time = read(3) else { return false }
            if format < 2 {
                guard let length = read(3), let type = read(1) else { return false }
                stream.length = Int(length)
                stream.type = UInt8(type)
            }
            if format == 0 {
                guard let id = read(4) else { return false }
                stream.streamID = UInt32(id).byteSwapped
            }
            stream.isExtended = time == 0xFF_FFFF
            stream.timestampDelta = UInt32(time)
        }
        if stream.isExtended {
            guard let time = read(4) else { return false }
            if format < 3 { stream.timestampDelta = UInt32(time) }
        }
        guard format < 3 || !stream.isInside else { return true }
        stream.timestamp = format == 0 ? stream.timestampDelta : stream.timestamp &+ stream.timestampDelta
        return true
    }

    /// Applies a message about the chunks themselves.
    private mutating func handle(_ message: RTMPMessage) throws(Failure) {
        guard message.payload.count >= 4 else { return }
        let value = message.payload.prefix(4).reduce(0) { $0 << 8 | Int($1) }
        switch message.kind {
        case .setChunkSize:
            guard (1..<1 << 24).contains(value) else { throw .invalidChunkSize(value) }
            chunkSize = value
        case .abort:
            streams[value]?.payload = []
            streams[value]?.isInside = false
        default: break
        }
    }

    /// Returns an unsigned integer, the most significant byte first; nil if the bytes have not arrived.
    private mutating func read(_ count: Int) -> UInt64? {
        guard bytes.count - position >= count else { return nil }
        defer { position += count }
        return bytes[position..<position + count].reduce(0) { $0 << 8 | UInt64($1) }
    }
}
