// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import Foundation
import TestSupport
import Testing

/// Files whose segments need other bit counts than the first pass expects.
@Suite struct SegmentNoiseScalePlanTests {
    /// Returns the expected and actual bits of segments at level 0.
    private static func segments(_ count: Int, bias: Double, seed: UInt64) -> [(expected: Double, bits: Double)] {
        var random = SeededRandom(seed: seed)
        return (0..<count).map { _ in
            let expected = Double.random(in: 50_000...150_000, using: &random)
            return (expected, expected * bias * Double.random(in: 0.9...1.1, using: &random))
        }
    }

    /// Returns the bits of a segment at a level.
    private static func bitCount(_ bits: Double, _ level: Float) -> Int { Int(bits * exp2(-0.45 * Double(level))) }

    @Test(arguments: [12, 55, 330], [0.96, 1, 1.04])
    func `reaches the rate within 1 % despite a biased first pass`(count: Int, bias: Double) {
        for seed in 0..<20 {
            let segments = Self.segments(count, bias: bias, seed: UInt64(seed))
            let plan = SegmentNoiseScalePlan(level: 0, expected: segments.map(\.expected))
            var total = 0
            for (index, segment) in segments.enumerated() {
                let level = plan.level(ofSegment: index)
                #expect(abs(level) < 0.501)
                let bitCount = Self.bitCount(segment.bits, level)
                plan.finish(segment: index, bitCount: bitCount)
                total += bitCount
            }
            let error = Double(total) / segments.reduce(0) { $0 + $1.expected } - 1
            // In two minutes, the last three segments are a large part of the file.
            #expect(abs(error) < (count > 12 ? 0.01 : 0.03), "seed \(seed): \(error)")
        }
    }

    @Test(arguments: [2, 3, 8])
    func `levels do not depend on the number of threads`(threadCount: Int) throws {
        let segments = Self.segments(40, bias: 1.03, seed: 7)
        func levels(threadCount: Int) throws -> [Float] {
            let plan = SegmentNoiseScalePlan(level: -1, expected: segments.map(\.expected))
            let work = OrderedParallelMap<Float>(partCount: segments.count, threads: EncodingThreads(count: threadCount)) {
                { index in
                    let level = plan.level(ofSegment: index)
                    // Some segments finish before their predecessors.
                    if index % 3 == 0 { Thread.sleep(forTimeInterval: 0.002) }
                    plan.finish(segment: index, bitCount: Self.bitCount(segments[index].bits, level + 1))
                    return level
                }
            }
            defer { work.stop() }
            return try segments.map { _ in try #require(try work.next()) }
        }
        #expect(try levels(threadCount: threadCount) == levels(threadCount: 1))
    }

    @Test func `an exact level is unchanged`() {
        let plan = SegmentNoiseScalePlan(level: 0.7)
        for segment in 0..<5 {
            #expect(plan.level(ofSegment: segment) == 0.7)
            plan.finish(segment: segment, bitCount: 1_000_000)
        }
    }
}
