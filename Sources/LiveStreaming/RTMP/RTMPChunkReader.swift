// SPDX-License-Identifier: Apache-2.0

/// Reassembles messages from received chunks (Real-Time Messaging Protocol 1.0, 5.3).
package struct RTMPChunkReader: Sendable {
    /// Protocol violations of the peer.
    package enum Failure: Error, Hashable {
        /// A message is longer than any that servers send to publishers.
        case messageTooLong(byteCount: Int, limit: Int)
        /// A chunk stream starts with a chunk without a header.
        case missingHeader(chunkStream: Int)
        /// The announced chunk size is 0 or above 2^31 − 1.
        case invalidChunkSize(Int)
        /// The peer uses more chunk streams than any known server.
        case tooManyChunkStreams(limit: Int)
    }

    /// The latest header of a chunk stream, for later headers that omit fields.
    private struct Header: Sendable {
        var timestamp: UInt32 = 0
        var timestampDelta: UInt32 = 0
        var isExtended = false
        var length = 0
        var type: UInt8 = 0
        var streamID: UInt32 = 0
    }

    private struct ChunkStream: Sendable {
        var header = Header()
        /// The message bytes so far; `nil` between messages.
        var payload: [UInt8]?
    }

    /// The maximum message size, in bytes.
    private static let messageLimit = 1 << 20
    private static let streamLimit = 64

    private var streams: [Int: ChunkStream] = [:]
    private var rest: ArraySlice<UInt8> = []
    private var chunkSize = 128
    /// The number of bytes received so far, modulo 2^32, as acknowledgements count them (5.4.3).
    package private(set) var byteCount: UInt32 = 0

    package init() {}

    package mutating func append(_ received: some Collection<UInt8>) {
        rest += received
        byteCount &+= UInt32(truncatingIfNeeded: received.count)
    }

    /// Returns the next complete message, or `nil` if more bytes are needed.
    ///
    /// Applies chunk size and abort messages before it returns them.
    package mutating func next() throws(Failure) -> RTMPMessage? {
        while true {
            let start = rest
            var message: RTMPMessage?
            guard try readChunk(&message) else {
                rest = start
                return nil
            }
            guard let message else { continue }
            try handle(message)
            return message
        }
    }

    /// Reads a chunk.
    ///
    /// Returns false without any change if the chunk is incomplete.
    private mutating func readChunk(_ message: inout RTMPMessage?) throws(Failure) -> Bool {
        guard let first = rest.removeFirst(bigEndian: 1) else { return false }
        var id = Int(first & 0x3F)
        if id == 0 {
            guard let low = rest.removeFirst(bigEndian: 1) else { return false }
            id = 64 + Int(low)
        } else if id == 1 {
            guard let low = rest.removeFirst(bigEndian: 1), let high = rest.removeFirst(bigEndian: 1) else { return false }
            id = 64 + Int(low) + 256 * Int(high)
        }
        guard streams[id] != nil || streams.count < Self.streamLimit else { throw .tooManyChunkStreams(limit: Self.streamLimit) }
        let format = Int(first >> 6)
        // Types 2 and 3 take their length from an earlier header.
        guard format < 2 || streams[id] != nil else { throw .missingHeader(chunkStream: id) }
        // A header inside a message starts a new message.
        let gathered = format < 3 ? 0 : streams[id]?.payload?.count
        guard let header = readHeader(format, after: streams[id]?.header ?? Header(), isInside: format == 3 && gathered != nil) else {
            return false
        }
        guard header.length <= Self.messageLimit else { throw .messageTooLong(byteCount: header.length, limit: Self.messageLimit) }
        let count = min(chunkSize, header.length - (gathered ?? 0))
        guard rest.count >= count else { return false }
        message = add(count, to: id, header: header, isFirst: format < 3)
        return true
    }

    /// Appends bytes to a chunk stream's message.
    ///
    /// Returns the message if it is complete.
    private mutating func add(_ count: Int, to id: Int, header: Header, isFirst: Bool) -> RTMPMessage? {
        // Removed from the dictionary first: copying at each chunk would take quadratic time.
        var payload = (isFirst ? nil : streams.removeValue(forKey: id)?.payload) ?? []
        payload += rest.prefix(count)
        rest = rest.dropFirst(count)
        let isComplete = payload.count == header.length
        streams[id] = ChunkStream(header: header, payload: isComplete ? nil : payload)
        guard isComplete else { return nil }
        return RTMPMessage(type: header.type, timestamp: header.timestamp, streamID: header.streamID, payload: payload)
    }

    /// Reads the message header and the extended timestamp of a chunk (5.3.1.2 and 5.3.1.3).
    ///
    /// - Parameters:
    ///   - format: The header type, 0 to 3.
    ///   - known: The previous header.
    ///   - isInside: Whether the chunk continues a message.
    /// - Returns: `nil` if the header is incomplete.
    private mutating func readHeader(_ format: Int, after known: Header, isInside: Bool) -> Header? {
        var header = known
        if format < 3 {
            guard let time = rest.removeFirst(bigEndian: 3) else { return nil }
            if format < 2 {
                guard let length = rest.removeFirst(bigEndian: 3), let type = rest.removeFirst(bigEndian: 1) else { return nil }
                header.length = Int(length)
                header.type = UInt8(type)
            }
            if format == 0 {
                guard let id = rest.removeFirst(bigEndian: 4) else { return nil }
                header.streamID = UInt32(id).byteSwapped
            }
            header.isExtended = time == 0xFF_FFFF
            header.timestampDelta = UInt32(time)
        }
        if header.isExtended {
            guard let time = rest.removeFirst(bigEndian: 4) else { return nil }
            if format < 3 { header.timestampDelta = UInt32(time) }
        }
        if !isInside { header.timestamp = (format == 0 ? 0 : header.timestamp) &+ header.timestampDelta }
        return header
    }

    /// Applies a message that controls the chunk layer.
    private mutating func handle(_ message: RTMPMessage) throws(Failure) {
        guard message.payload.count >= 4 else { return }
        let value = Int(message.payload.bigEndianWord(at: 0))
        switch message.kind {
        case .setChunkSize:
            // Sizes above the maximum message size are permitted (5.4.1).
            guard (1..<1 << 31).contains(value) else { throw .invalidChunkSize(value) }
            chunkSize = value
        case .abort: streams[value]?.payload = nil
        default: break
        }
    }
}
