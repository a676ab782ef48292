// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing
import TransformCoding

@Suite struct SIMD4OperatorsTests {
    @Test("Rounds to nearest, ties to even", arguments: 1...20 as ClosedRange<UInt64>)
    func nearest(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let halves = (0..<4).map { _ in Float(Int.random(in: -200...200, using: &random)) / 2 }
        let others = (0..<4).map { _ in Float.random(in: -4_000_000...4_000_000, using: &random) }
        for values in [halves, others] {
            let rounded = SIMD4<Float>(values).nearest
            for (lane, value) in values.enumerated() {
                let expected = value.rounded(.toNearestOrEven)
                #expect(rounded.floats[lane] == expected, "seed \(seed)")
                #expect(rounded.integers[lane] == Int32(expected), "seed \(seed)")
            }
        }
    }

    @Test("Clamps integers to 16 bits and extracts sign bits", arguments: 1...20 as ClosedRange<UInt64>)
    func integers(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let values = (0..<4).map { _ in Int32.random(in: -70_000...70_000, using: &random) }
        let vector = SIMD4<Int32>(values)
        for lane in 0..<8 { #expect(vector.packedSaturating[lane] == Int16(clamping: values[lane % 4]), "seed \(seed)") }
        for lane in 0..<4 { #expect((vector.signBits >> lane & 1 == 1) == (values[lane] < 0), "seed \(seed)") }
    }
}
