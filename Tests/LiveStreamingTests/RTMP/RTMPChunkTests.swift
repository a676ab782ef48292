// SPDX-License-Identifier: Apache-2.0

import Foundation
import LiveStreaming
import TestSupport
import Testing

@Suite struct RTMPChunkTests {
    /// Returns the messages that a reader parses.
    private func messages(_ parts: some Sequence<ArraySlice<UInt8>>) throws -> [RTMPMessage] {
        var reader = RTMPChunkReader()
        var messages: [RTMPMessage] = []
        for part in parts {
            reader.append(part)
            while let message = try reader.next() { messages.append(message) }
        }
        return messages
    }

    @Test("Messages round trip with any size, chunk size, timestamp and byte division", arguments: 1...100)
    func roundTrip(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        var writer = RTMPChunkWriter()
        var bytes: [UInt8] = []
        var sent: [RTMPMessage] = []
        for _ in 0..<10 {
            if Int.random(in: 0...3, using: &random) == 0 {
                let size = [1, 127, 4096, 65_536].randomElement(using: &random)!
                var payload: [UInt8] = []
                payload.append(bigEndian: UInt64(size), byteCount: 4)
                sent.append(RTMPMessage(.setChunkSize, payload: payload))
                writer.setChunkSize(size, to: &bytes)
            }
            let times: [UInt32] = [0, 0xFF_FFFE, 0xFF_FFFF, .max, .random(in: 0...UInt32.max, using: &random)]
            let size = [0, 1, 128, 129, Int.random(in: 0...5000, using: &random)].randomElement(using: &random)!
            let message = RTMPMessage(
                type: .random(in: 8...20, using: &random), timestamp: times.randomElement(using: &random)!,
                streamID: .random(in: 0...UInt32.max, using: &random), payload: (0..<size).map { _ in .random(in: 0...255, using: &random) }
            )
            sent.append(message)
            writer.append(message, chunkStream: .random(in: 2...63, using: &random), to: &bytes)
        }
        #expect(try messages(bytes.divided(longest: 700, using: &random)) == sent, "seed \(seed)")
        #expect(try messages(bytes.map { [$0] }) == sent, "seed \(seed)")
    }

    @Test(
        "Reassembles interleaved chunks with all header types, aborts and chunk size changes", arguments: 1...200)
    func interleaved(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let chunks = InterleavedChunks(messageCount: 30, longest: 600, using: &random)
        #expect(try messages(chunks.bytes.divided(longest: 300, using: &random)) == chunks.messages, "seed \(seed)")
        #expect(try messages([chunks.bytes[...]]) == chunks.messages, "seed \(seed)")
    }

    @Test("Random bytes give messages or an error, regardless of division")
    func randomBytes() {
        for seed in 1...500 as ClosedRange<UInt64> {
            var random = SeededRandom(seed: seed)
            var bytes = InterleavedChunks(messageCount: 5, longest: 300, using: &random).bytes
            for _ in 0..<Int.random(in: 1...20, using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(in: 0...255, using: &random)
            }
            let outcomes = [[bytes[...]], bytes.divided(longest: 50, using: &random)].map { parts in Result { try messages(parts) } }
            #expect((try? outcomes[0].get()) == (try? outcomes[1].get()), "seed \(seed)")
        }
    }

    @Test("Large message in one-byte chunks takes linear time")
    func smallestChunks() throws {
        var writer = RTMPChunkWriter()
        var bytes: [UInt8] = []
        writer.setChunkSize(1, to: &bytes)
        let sent = RTMPMessage(.data, payload: [UInt8](repeating: 7, count: 300_000))
        writer.append(sent, chunkStream: 4, to: &bytes)
        let start = Self.processorSeconds
        let parts = stride(from: 0, to: bytes.count, by: 16_384).map { bytes[$0..<min(bytes.count, $0 + 16_384)] }
        #expect(try messages(parts).last == sent)
        // Copying the message at each chunk would amount to 45 GB.
        #expect(Self.processorSeconds - start < 8)
    }

    /// The CPU time of this thread in seconds, because other work may occupy the processors.
    private static var processorSeconds: Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    @Test("Rejects protocol violations before they use much memory")
    func violations() {
        let header: [UInt8] = [3, 0, 0, 0]
        #expect(throws: RTMPChunkReader.Failure.messageTooLong(byteCount: 0x10_0001, limit: 0x10_0000)) {
            try messages([(header + [0x10, 0, 1, 20, 0, 0, 0, 0])[...]])
        }
        #expect(throws: RTMPChunkReader.Failure.missingHeader(chunkStream: 3)) { try messages([[0xC3]]) }
        #expect(throws: RTMPChunkReader.Failure.missingHeader(chunkStream: 3)) { try messages([[0x83, 0, 0, 0]]) }
        for size in [[0, 0, 0, 0], [0x80, 0, 0, 0]] as [[UInt8]] {
            #expect(throws: RTMPChunkReader.Failure.invalidChunkSize(Int(size[0]) << 24)) {
                try messages([([2, 0, 0, 0, 0, 0, 4, 1, 0, 0, 0, 0] + size)[...]])
            }
        }
        let ids: [[UInt8]] = (2...63).map { [$0] } + (0...2).map { [0, $0] }
        let streams = Array(ids.map { $0 + [0, 0, 0, 0, 0, 0, 8, 0, 0, 0, 0] }.joined())
        #expect(throws: RTMPChunkReader.Failure.tooManyChunkStreams(limit: 64)) { try messages([streams[...]]) }
    }

    @Test("Received byte count includes incomplete chunks")
    func byteCount() throws {
        var reader = RTMPChunkReader()
        reader.append([3, 0, 0, 0, 0, 0, 100, 20, 0, 0, 0, 0, 1, 2, 3] as [UInt8])
        #expect(try reader.next() == nil)
        #expect(reader.byteCount == 15)
    }
}
