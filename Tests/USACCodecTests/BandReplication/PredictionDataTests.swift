// SPDX-License-Identifier: Apache-2.0

import AudioPrimitives
import TestSupport
import Testing
import USACCodec

@Suite struct PredictionDataTests {
    @Test("Reads vectors of equal groups in order")
    func groups() {
        var writer = BitWriter()
        writer.write(5, count: 3)
        writer.write(1, count: 1)
        for vector in [3, 90, 127, 0] as [UInt32] {
            if vector != 3 { writer.write(1, count: 1) }
            writer.write(vector, count: 7)
        }
        var data = PredictionData()
        var reader = BitReader(writer.bytes)
        #expect(data.readVectors(from: &reader, isIndependent: true, last: 11))
        #expect(data.isBrief)
        #expect((0..<16).map { data.vectors[$0] } == [3, 3, 3, 3, 90, 90, 90, 90, 127, 127, 127, 127, 0, 0, 0, 0])
    }

    @Test("The first run can reuse the previous frame's vector, and the last fills the frame")
    func runs() {
        var writer = BitWriter()
        writer.write(2, count: 3)
        writer.write(0, count: 1)
        writer.write(1, count: 1)
        writer.write(6, count: 4)
        writer.write(20, count: 7)
        writer.write(3, count: 3)
        writer.write(21, count: 7)
        var data = PredictionData()
        var reader = BitReader(writer.bytes)
        #expect(data.readVectors(from: &reader, isIndependent: false, last: 11))
        #expect((0..<16).map { data.vectors[$0] } == [11, 11, 11, 11, 11, 11, 11, 20, 20, 20, 20, 21, 21, 21, 21, 21])
    }

    @Test("Most random bits decode to vectors, the others are rejected")
    func randomBits() {
        var readCount = 0
        for seed in 0..<100 as Range<UInt64> {
            var random = SeededRandom(seed: seed)
            let bytes = (0..<32).map { _ in UInt8.random(in: 0...255, using: &random) }
            var data = PredictionData()
            var reader = BitReader(bytes)
            guard data.readGrid(from: &reader), data.readVectors(from: &reader, isIndependent: seed & 1 == 0, last: 5) else { continue }
            readCount += 1
            #expect((0..<16).allSatisfy { data.vectors[$0] < 128 } && data.tailCount <= 3, "seed \(seed)")
        }
        #expect((70..<95).contains(readCount), "\(readCount)")
    }

    @Test("Data survives writing and reading", arguments: 0..<200 as Range<UInt64>)
    func roundTrip(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var data = PredictionData()
        data.noisePosition = Int.random(in: 0..<16, using: &random)
        data.tailCount = Int.random(in: 0...3, using: &random)
        data.isBrief = Bool.random(using: &random)
        let last = UInt8.random(in: 0..<128, using: &random)
        // From one vector in all time slots to one in each.
        let changes = Double.random(in: 0...1, using: &random)
        for slot in 0..<16 {
            let isNew = Double.random(in: 0...1, using: &random) < changes
            data.vectors[slot] = isNew ? .random(in: 0..<128, using: &random) : slot > 0 ? data.vectors[slot - 1] : last
        }
        let isIndependent = Bool.random(using: &random)
        var writer = BitWriter()
        data.writeGrid(to: &writer)
        data.writeVectors(to: &writer, isIndependent: isIndependent, last: last)
        var reader = BitReader(writer.bytes)
        var read = PredictionData()
        #expect(read.readGrid(from: &reader) && read.readVectors(from: &reader, isIndependent: isIndependent, last: last))
        #expect(read == data && reader.bitPosition == writer.bitCount, "seed \(seed)")
    }
}
