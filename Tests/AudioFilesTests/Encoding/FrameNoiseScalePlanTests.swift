// SPDX-License-Identifier: Apache-2.0

import AACCodec
import AudioFiles
import TestSupport
import Testing
import TransformCoding

@Suite struct FrameNoiseScalePlanTests {
    /// Runs a plan over access units with these bits at its level.
    ///
    /// Returns the deviations of their levels.
    private static func follow(_ plan: inout FrameNoiseScalePlan, _ sizes: [Double]) -> [Float] {
        sizes.map { size in
            let distance = plan.nextLevel - plan.level
            plan.append(bitCount: Int((size * PortableMath.powerOfTwo(plan.slope * Double(distance))).rounded()))
            return distance
        }
    }

    @Test("With the expected sizes, all access units have the same noise scale")
    func exact() {
        let sizes = (0..<48).map { Double(2_000 + 40 * ($0 % 20)) }
        let mean = sizes.reduce(0, +) / 48
        var plan = FrameNoiseScalePlan(level: 3, slope: -0.4, expected: sizes, bitsPerUnit: mean)
        let distances = Self.follow(&plan, sizes)
        #expect(distances.allSatisfy { $0 == 0 })
        #expect(abs(plan.error) < 1e-3)
    }

    @Test("Sizes up to 4 % off end within 0.7 access units of the target", arguments: 1...20 as ClosedRange<UInt64>)
    func biased(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let factor = Double.random(in: 0.96...1.04, using: &random)
        let expected = (0..<48).map { _ in Double.random(in: 1_000...4_000, using: &random) }
        let sizes = expected.map { $0 * factor * Double.random(in: 0.95...1.05, using: &random) }
        var plan = FrameNoiseScalePlan(level: 0, slope: -0.4, expected: expected, bitsPerUnit: expected.reduce(0, +) / 48)
        let distances = Self.follow(&plan, sizes)
        #expect(distances.allSatisfy { abs($0) <= 0.25 }, "seed \(seed)")
        #expect(abs(plan.error) < 1.0 / 48, "seed \(seed): \(plan.error) with a factor of \(factor)")
    }

    @Test("A second pass with known sizes reaches the rate")
    func refined() {
        var random = SeededRandom(seed: 7)
        let sizes = (0..<48).map { _ in Double.random(in: 1_000...4_000, using: &random) }
        // Without expected sizes, the noise scale is constant.
        var first = FrameNoiseScalePlan(level: 0, slope: -0.4, bitsPerUnit: 2_000)
        let distances = Self.follow(&first, sizes)
        #expect(distances.allSatisfy { $0 == 0 } && first.error == first.errorAtLevel)
        var search = LevelSearch(level: 0, slope: -0.4)
        let hasMoved = search.advance(from: first.errorAtLevel)
        #expect(hasMoved)
        var second = first.refined(level: search.level, slope: search.slope)
        _ = Self.follow(&second, second.expected)
        #expect(abs(second.error) < 0.01)
    }

    @Test("Handles more access units than expected, silent ones, and a target of 0")
    func extremes() {
        var plan = FrameNoiseScalePlan(level: 0, slope: -0.4, expected: [0, 0, 1_000], bitsPerUnit: 500)
        let distances = Self.follow(&plan, [0, 0, 0, 3_000, 9_000])
        #expect(distances.allSatisfy { abs($0) <= 0.25 })
        var empty = FrameNoiseScalePlan(level: 0, slope: -0.4, expected: [0, 0], bitsPerUnit: 0)
        let none = Self.follow(&empty, [100, 100])
        #expect(none.allSatisfy { abs($0) <= 0.25 } && empty.error == 0)
    }
}
