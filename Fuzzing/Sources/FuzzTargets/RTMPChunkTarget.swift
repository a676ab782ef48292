// SPDX-License-Identifier: Apache-2.0

import LiveStreaming

extension FuzzTarget {
    /// Reads RTMP chunks in two divisions: messages and error are the same, and no message is longer than the input.
    static let rtmpChunks = FuzzTarget("rtmp-chunks") { bytes in
        let whole = messages(of: bytes, part: max(1, bytes.count))
        precondition(whole == messages(of: bytes, part: Int(bytes.first ?? 0) % 64 + 1))
        precondition(whole.reduce(0) { $0 + $1.payload.count } <= bytes.count)
        precondition(whole.count <= bytes.count)
    }
}

/// Returns the messages before the first error.
private func messages(of bytes: [UInt8], part: Int) -> [RTMPMessage] {
    var reader = RTMPChunkReader()
    var messages: [RTMPMessage] = []
    for first in stride(from: 0, to: bytes.count, by: part) {
        reader.append(bytes[first..<min(bytes.count, first + part)])
        do { while let message = try reader.next() { messages.append(message) } } catch { return messages }
    }
    return messages
}
