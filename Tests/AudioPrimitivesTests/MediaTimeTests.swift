// SPDX-License-Identifier: Apache-2.0

import AudioPrimitives
import TestSupport
import Testing

@Suite struct MediaTimeTests {
    @Test func `Equal fractions are equal and have the same hash, whatever their timescales`() {
        let groups: [[MediaTime]] = [
            [MediaTime(value: 1, timescale: 1), MediaTime(value: 2, timescale: 2), MediaTime(value: 48_000, timescale: 48_000)],
            [MediaTime(value: 0, timescale: 1), MediaTime(value: 0, timescale: 44_100), MediaTime(value: 0, timescale: .max)],
            [MediaTime(value: -3, timescale: 6), MediaTime(value: -24_000, timescale: 48_000)],
            [MediaTime(value: .min, timescale: 2), MediaTime(value: .min / 2, timescale: 1)],
        ]
        for times in groups {
            #expect(Set(times).count == 1)
            #expect(times.allSatisfy { $0 == times[0] && !($0 < times[0]) && !($0 > times[0]) })
        }
        #expect(Set(groups.joined()).count == groups.count)
    }

    @Test(arguments: [UInt64(1), 2, 3]) func `Exactly one of less, equal and greater holds, as for exact fractions`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        for _ in 0..<2000 {
            // Small ranges, so that equal fractions are frequent.
            let (a, b) = (Int64.random(in: -12...12, using: &random), Int64.random(in: -12...12, using: &random))
            let (m, n) = (Int32.random(in: 1...6, using: &random), Int32.random(in: 1...6, using: &random))
            let (left, right) = (MediaTime(value: a, timescale: m), MediaTime(value: b, timescale: n))
            let difference = a * Int64(n) - b * Int64(m)
            #expect((left < right) == (difference < 0), "seed \(seed): \(left), \(right)")
            #expect((left == right) == (difference == 0), "seed \(seed): \(left), \(right)")
            #expect((left > right) == (difference > 0), "seed \(seed): \(left), \(right)")
            if difference == 0 { #expect(left.hashValue == right.hashValue, "seed \(seed): \(left), \(right)") }
        }
    }
}
