// SPDX-License-Identifier: Apache-2.0

/// Detects a large audio message after several small ones in a publisher's RTMP bytes (Real-Time Messaging Protocol 1.0, 5).
struct RTMPWatcher: OnsetWatcher {
    private static let largeMessage = 100
    /// The version, and the two parts of the client's handshake.
    private static let handshakeByteCount = 1 + 2 * 1536

    /// A chunk stream: the fields that the next header may omit.
    private struct ChunkStream {
        var length = 0
        var type: UInt8 = 0
        var isExtended = false
        var payload: [UInt8] = []
    }

    private var buffer: [UInt8] = []
    private var isConnected = false
    private var chunkSize = 128
    private var streams: [UInt8: ChunkStream] = [:]
    private var quiet = 0

    mutating func accept(_ bytes: ArraySlice<UInt8>) -> Bool {
        buffer += bytes
        if !isConnected {
            guard buffer.count >= Self.handshakeByteCount else { return false }
            buffer.removeFirst(Self.handshakeByteCount)
            isConnected = true
        }
        var isOnset = false
        var start = 0
        while let end = readChunk(at: start, &isOnset) { start = end }
        buffer.removeFirst(start)
        return isOnset
    }

    /// Reads a chunk with a one-byte basic header.
    ///
    /// Returns its end, or `nil` if it is incomplete.
    private mutating func readChunk(at start: Int, _ isOnset: inout Bool) -> Int? {
        guard start < buffer.count else { return nil }
        let identifier = buffer[start] & 0x3F
        let format = Int(buffer[start] >> 6)
        var stream = streams[identifier] ?? ChunkStream()
        var position = start + 1
        let headerLength = [11, 7, 3, 0][format]
        guard position + headerLength + 4 <= buffer.count else { return nil }
        if format < 3 { stream.isExtended = number(position, 3) == 0xFF_FFFF }
        if format < 2 {
            stream.length = number(position + 3, 3)
            stream.type = buffer[position + 6]
        }
        position += headerLength + (stream.isExtended ? 4 : 0)
        let end = position + min(chunkSize, stream.length - stream.payload.count)
        guard end <= buffer.count else { return nil }
        stream.payload += buffer[position..<end]
        if stream.payload.count == stream.length {
            if stream.type == 1 { chunkSize = stream.payload.prefix(4).reduce(0) { $0 << 8 | Int($1) } }
            if stream.type == 8, watch(stream.length) { isOnset = true }
            stream.payload = []
        }
        streams[identifier] = stream
        return end
    }

    /// Records the length of an audio message.
    ///
    /// Returns whether a burst starts in it.
    private mutating func watch(_ length: Int) -> Bool {
        guard length >= Self.largeMessage else {
            quiet += 1
            return false
        }
        defer { quiet = 0 }
        return quiet > 4
    }

    private func number(_ start: Int, _ count: Int) -> Int { buffer[start..<start + count].reduce(0) { $0 << 8 | Int($1) } }
}
