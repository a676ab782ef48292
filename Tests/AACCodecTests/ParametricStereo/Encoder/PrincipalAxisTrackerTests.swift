// SPDX-License-Identifier: Apache-2.0

import AACCodec
import Foundation
import TestSupport
import Testing
import TransformCoding

@Suite struct PrincipalAxisTrackerTests {
    /// One vector per value, with a quarter of the value in each lane.
    private static func spread(_ values: [Double]) -> [SIMD4<Float>] { values.map { SIMD4(repeating: Float($0 / 4)) } }

    @Test func `weights match principal axis and rotation, gains preserve the mean energy`() {
        var random = SeededRandom(seed: 700)
        for trial in 0..<50 {
            var tracker = PrincipalAxisTracker()
            let left = (0..<20).map { _ in exp2(Double.random(in: 10...24, using: &random)) }
            let right = (0..<20).map { left[$0] * exp2(Double.random(in: -6...6, using: &random)) }
            let product = (0..<20).map { sqrt(left[$0] * right[$0]) * Double.random(in: -1...1, using: &random) }
            let sum = (0..<20).map { (left[$0] + right[$0]) * Double.random(in: 0.2...3, using: &random) }
            let (lefts, rights) = (Self.spread(left), Self.spread(right))
            let (products, sums) = (Self.spread(product), Self.spread(sum))
            // Enough calls for the smoothed energies to converge.
            for _ in 0..<400 {
                tracker.update(left: lefts.span, right: rights.span, product: products.span, sum: sums.span)
            }
            for band in 0..<20 {
                let total = left[band] + right[band]
                let common = max(product[band], 0) + 0.02 * total
                let angle = atan2(2 * common, left[band] - right[band]) / 2
                let coherence = 2 * product[band] / total
                let rotation = max(-1, min(1, 1 + (coherence + 0.3) * 5))
                let weights = tracker.weights[band]
                let expected = [
                    sqrt(2) * cos(angle), sqrt(2) * sin(angle) * rotation, sqrt(2) * sin(angle) * sqrt(max(0, 1 - rotation * rotation)),
                ]
                for entry in 0..<3 {
                    #expect(abs(Double(weights[entry]) - expected[entry]) < 2e-3, "seed 700, trial \(trial), band \(band), entry \(entry)")
                }
                let gain = sqrt(max(0.25, min(1, total / (2 * sum[band]))))
                for qmfSlot in 0..<4 { #expect(abs(Double(tracker.gains[band][qmfSlot]) - gain) < 1e-4, "seed 700, trial \(trial)") }
            }
        }
    }

    @Test func `silence does not change the weights`() {
        var tracker = PrincipalAxisTracker()
        let silence = [SIMD4<Float>](repeating: SIMD4(repeating: 0), count: 20)
        for _ in 0..<10 { tracker.update(left: silence.span, right: silence.span, product: silence.span, sum: silence.span) }
        for band in 0..<20 { #expect(tracker.weights[band] == SIMD4(1, 1, 0, 0)) }
    }
}
