// SPDX-License-Identifier: Apache-2.0

import AudioPrimitives
import TestSupport
import Testing

@Suite struct BitReaderTests {
    @Test("Fields of any length are read back and counted alike", arguments: [1, 2, 3] as [UInt64])
    func roundTrip(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var fields: [(value: UInt32, count: Int)] = []
        for _ in 0..<2000 {
            let count = Int.random(in: 0...32, using: &random)
            let value = UInt32(truncatingIfNeeded: random.next() & ((1 << UInt64(count)) - 1))
            fields.append((value, count))
        }
        var writer = BitWriter()
        var counter = BitCounter()
        for field in fields {
            writer.write(field.value, count: field.count)
            counter.write(field.value, count: field.count)
        }
        #expect(writer.bitCount == counter.bitCount)
        var reader = BitReader(writer.bytes)
        for field in fields {
            #expect(reader.read(field.count) == field.value, "seed \(seed)")
        }
        #expect(!reader.hasOverrun)
    }

    @Test("Reading past the end returns zeros and reports an overrun, never traps")
    func overrun() {
        var reader = BitReader([0xFF])
        #expect(reader.read(12) == 0xFF0)
        #expect(reader.hasOverrun)
        #expect(reader.read(32) == 0)
        reader.skip(1 << 40)
        #expect(reader.read(7) == 0)
        #expect(reader.bitsRemaining == 0)
    }

    @Test("Loading new bytes replaces the old ones and restarts at the first bit")
    func reload() {
        var reader = BitReader([1, 2, 3])
        reader.skip(20)
        let bytes: [UInt8] = [0xAB]
        reader.load(bytes.span)
        #expect(reader.read(8) == 0xAB)
        #expect(reader.bitsRemaining == 0)
    }
}
