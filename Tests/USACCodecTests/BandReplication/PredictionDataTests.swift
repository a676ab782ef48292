// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

import AudioPrimitives
import TestSupport
import Testing

@testable import USACCodec

@Suite struct PredictionDataTests {
    @Test("Vectors of equal groups are read in order")
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

    @Test("A run continues the vector of the frame before, and the last fills the frame")
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
        #expect(
            (0..<16).map { data.vectors[$0] } == [UInt8](repeating: 11, count: 7) + [UInt8](repeating: 20, count: 4)
                + [UInt8](repeating: 21, count: 5))
    }

    @Test("Any bits are vectors, or damage", arguments: 0..<100 as Range<UInt64>)
    func randomBits(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let bytes = (0..<32).map { _ in UInt8.random(in: 0...255, using: &random) }
        var data = PredictionData()
        var reader = BitReader(bytes)
        guard data.readGrid(from: &reader), data.readVectors(from: &reader, isIndependent: seed & 1 == 0, last: 5) else { return }
        #expect((0..<16).allSatisfy { data.vectors[$0] < 128 } && data.tailCount <= 3, "seed \(seed)")
    }
}
