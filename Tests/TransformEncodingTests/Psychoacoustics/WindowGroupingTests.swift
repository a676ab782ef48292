// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing
import TransformCoding
import TransformEncoding

@Suite struct WindowGroupingTests {
    private static let lines: SIMD8<Float> = [4, 4, 8, 8, 12, 16, 24, 32]

    @Test("Equal windows form one group")
    func equalWindows() {
        let energies = [Float](repeating: 10, count: 64)
        let grouping = WindowGrouping(logEnergies: energies.span, linesPerRegion: Self.lines)
        #expect(grouping.groupCount == 1 && grouping.lengths[0] == 8)
    }

    @Test("An energy step separates groups", arguments: 1...7)
    func step(window: Int) {
        let energies = (0..<64).map { $0 / 8 < window ? Float(4) : Float(16) }
        let grouping = WindowGrouping(logEnergies: energies.span, linesPerRegion: Self.lines)
        #expect(grouping.groupCount == 2)
        #expect(Int(grouping.lengths[0]) == window && Int(grouping.lengths[1]) == 8 - window)
    }

    @Test("Group lengths always add up to eight windows", arguments: 1...20 as ClosedRange<UInt64>)
    func total(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let energies = (0..<64).map { _ in Float.random(in: 0...40, using: &random) }
        let grouping = WindowGrouping(logEnergies: energies.span, linesPerRegion: Self.lines)
        var sum = 0
        for group in 0..<grouping.groupCount {
            #expect(grouping.lengths[group] > 0)
            sum += Int(grouping.lengths[group])
        }
        #expect(sum == 8, "seed \(seed)")
    }

    /// The cost of a grouping by definition, in double precision: 55 bits per group, and 0.16 bits per line and per octave of energy
    /// of distance from the mean of its group and region.
    private static func cost(of lengths: [Int], _ logEnergies: [Float]) -> Double {
        var cost = 0.0
        var start = 0
        for length in lengths {
            cost += 55
            for region in 0..<8 {
                let energies = (start..<start + length).map { Double(logEnergies[8 * $0 + region]) }
                let mean = energies.reduce(0, +) / Double(length)
                cost += energies.reduce(0) { $0 + abs($1 - mean) } * Double(lines[region]) * 0.16
            }
            start += length
        }
        return cost
    }

    @Test("None of the 128 groupings has a lower cost in double precision", arguments: 1...20 as ClosedRange<UInt64>)
    func exhaustive(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var level: Float = 10
        let energies = (0..<64).map { index in
            if index % 8 == 0 && Int.random(in: 0..<3, using: &random) == 0 { level = Float.random(in: 0...30, using: &random) }
            return level + Float.random(in: -2...2, using: &random)
        }
        let grouping = WindowGrouping(logEnergies: energies.span, linesPerRegion: Self.lines)
        let found = Self.cost(of: (0..<grouping.groupCount).map { Int(grouping.lengths[$0]) }, energies)
        // Each bit of the mask is a boundary after that window.
        let lowest = (0..<128).map { mask in
            var lengths = [1]
            for window in 0..<7 {
                if mask >> window & 1 == 1 { lengths.append(1) } else { lengths[lengths.count - 1] += 1 }
            }
            return Self.cost(of: lengths, energies)
        }.min()
        #expect(abs(found - (lowest ?? 0)) < 1e-3 * found, "seed \(seed)")
    }
}
