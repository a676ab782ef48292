// SPDX-License-Identifier: Apache-2.0

import LiveStreaming
import TestSupport

/// Writes messages as interleaved chunks with all header types (Real-Time Messaging Protocol 1.0, 5.3), independently of the library's
/// writer.
struct InterleavedChunks {
    /// The latest header of a chunk stream.
    private struct Latest {
        var message: RTMPMessage
        var delta: UInt32
        var isExtended: Bool
    }

    private(set) var bytes: [UInt8] = []
    /// The messages in the order of their ends.
    private(set) var messages: [RTMPMessage] = []

    private var chunkSize = 128
    private var latest: [Int: Latest] = [:]
    private var open: [(id: Int, message: RTMPMessage, position: Int)] = []

    /// Writes random messages on several chunk streams.
    init(messageCount: Int, longest: Int, using random: inout SeededRandom) {
        let ids = [2, 3, 63, 64, 200, 319, 320, 65_599].shuffled(using: &random).prefix(Int.random(in: 1...8, using: &random))
        var left = messageCount
        while left > 0 || !open.isEmpty {
            if left > 0, let id = ids.filter({ id in !open.contains { $0.id == id } }).randomElement(using: &random),
                Bool.random(using: &random)
            {
                left -= 1
                begin(id, longest: longest, using: &random)
            } else if let index = open.indices.randomElement(using: &random) {
                proceed(index, using: &random)
            }
        }
    }

    /// Starts a message with its first chunk.
    private mutating func begin(_ id: Int, longest: Int, using random: inout SeededRandom) {
        let known = latest[id]
        let type = known == nil ? 0 : Int.random(in: 0...3, using: &random)
        let steps: [UInt32] = [0, 21, 0xFF_FFFE, 0xFF_FFFF, 0x100_0000, 0xFFFF_FFF0, .random(in: 0...UInt32.max, using: &random)]
        var delta = random.element(of: steps)
        var message = RTMPMessage(
            type: random.element(of: [8, 9, 18, 20]), timestamp: delta,
            streamID: .random(in: 0...UInt32.max, using: &random), payload: [])
        var length = Int.random(in: 0...longest, using: &random)
        if let known, type > 0 {
            message.streamID = known.message.streamID
            if type > 1 { (message.type, length) = (known.message.type, known.message.payload.count) }
            if type == 3 { delta = known.delta }
            message.timestamp = known.message.timestamp &+ delta
        }
        message.payload = (0..<length).map { _ in .random(in: 0...255, using: &random) }
        let isExtended = type == 3 ? known?.isExtended ?? false : delta >= 0xFF_FFFF
        latest[id] = Latest(message: message, delta: delta, isExtended: isExtended)
        write(basic: type, id)
        if type < 3 { bytes.append(bigEndian: UInt64(min(delta, 0xFF_FFFF)), byteCount: 3) }
        if type < 2 {
            bytes.append(bigEndian: UInt64(length), byteCount: 3)
            bytes.append(message.type)
        }
        if type == 0 { bytes.append(bigEndian: UInt64(message.streamID.byteSwapped), byteCount: 4) }
        if isExtended { bytes.append(bigEndian: UInt64(delta), byteCount: 4) }
        open.append((id, message, 0))
        content(open.count - 1)
    }

    /// Continues a message with its next chunk, aborts it, or first changes the chunk size.
    private mutating func proceed(_ index: Int, using random: inout SeededRandom) {
        let (id, _, _) = open[index]
        switch Int.random(in: 0..<20, using: &random) {
        case 0 where id != 2 && !open.contains(where: { $0.id == 2 }):
            let size = random.element(of: [1, 7, 128, 1000, 1 << 24, (1 << 31) - 1])
            control(.setChunkSize, UInt32(size))
            chunkSize = size
        case 1 where id != 2 && !open.contains(where: { $0.id == 2 }):
            control(.abort, UInt32(id))
            open.remove(at: index)
        default:
            write(basic: 3, id)
            if let latest = latest[id], latest.isExtended { bytes.append(bigEndian: UInt64(latest.delta), byteCount: 4) }
            content(index)
        }
    }

    /// Writes a control message on chunk stream 2.
    private mutating func control(_ kind: RTMPMessage.Kind, _ value: UInt32) {
        var message = RTMPMessage(kind, payload: [])
        message.payload.append(bigEndian: UInt64(value), byteCount: 4)
        write(basic: 0, 2)
        bytes += [0, 0, 0, 0, 0, 4, kind.rawValue, 0, 0, 0, 0]
        // A later message without its own type would be another control message.
        latest[2] = nil
        for byte in message.payload.indices {
            if byte > 0, byte % chunkSize == 0 { write(basic: 3, 2) }
            bytes.append(message.payload[byte])
        }
        messages.append(message)
    }

    /// Writes a chunk's payload.
    private mutating func content(_ index: Int) {
        let (_, message, position) = open[index]
        let end = min(message.payload.count, position.addingReportingOverflow(chunkSize).partialValue)
        bytes += message.payload[position..<end]
        open[index].position = end
        guard end == message.payload.count else { return }
        messages.append(message)
        open.remove(at: index)
    }

    /// Writes a basic header (5.3.1.1).
    private mutating func write(basic type: Int, _ id: Int) {
        switch id {
        case ..<64: bytes.append(UInt8(type << 6 | id))
        case ..<320: bytes += [UInt8(type << 6), UInt8(id - 64)]
        default: bytes += [UInt8(type << 6 | 1), UInt8((id - 64) % 256), UInt8((id - 64) / 256)]
        }
    }
}

extension [UInt8] {
    /// Splits bytes into parts of random lengths.
    func divided(longest: Int, using random: inout SeededRandom) -> [ArraySlice<UInt8>] {
        var parts: [ArraySlice<UInt8>] = []
        var start = 0
        while start < count {
            let end = Swift.min(count, start + Int.random(in: 1...longest, using: &random))
            parts.append(self[start..<end])
            start = end
        }
        return parts
    }
}
