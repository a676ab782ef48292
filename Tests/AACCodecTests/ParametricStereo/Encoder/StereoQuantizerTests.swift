// SPDX-License-Identifier: Apache-2.0

import AACCodec
import Foundation
import TestSupport
import Testing
import TransformCoding

@Suite struct StereoQuantizerTests {
    private static let header: ParametricStereoHeader = {
        var header = ParametricStereoHeader()
        header.hasLevelDifferences = true
        header.levelMode = 1
        header.hasCoherence = true
        header.coherenceMode = 1
        return header
    }()

    private typealias Sums = StereoStatistics.Sums

    /// Returns the energies that a decoder mixes from the mono and decorrelated signals.
    private static func made(_ sums: Sums, level: Int, coherence: Int) -> (left: Float, right: Float) {
        let h = StereoTables.shared.matrix(header, level: level, coherence: coherence)
        func energy(_ a: Float, _ b: Float) -> Float { max(a * a * sums.mono + b * b * sums.decorrelated + 2 * a * b * sums.cross, 1) }
        return (energy(h.x, h.z), energy(h.y, h.w))
    }

    /// Returns the sum of both channels' squared errors, in decibels.
    private static func error(_ sums: Sums, level: Int, coherence: Int) -> Float {
        let found = made(sums, level: level, coherence: coherence)
        let (left, right) = (10 * log10(found.left / sums.left), 10 * log10(found.right / sums.right))
        return left * left + right * right
    }

    private static func random(_ random: inout SeededRandom, cross: ClosedRange<Float> = 0...0) -> Sums {
        let left = exp2(Float.random(in: 12...24, using: &random))
        let right = left * exp2(Float.random(in: -6...6, using: &random))
        let product = (left * right).squareRoot() * Float.random(in: -1...1, using: &random)
        let mono = (left + right) / 2
        let decorrelated = mono * Float.random(in: 0.5...1.2, using: &random)
        return Sums(
            left: left, right: right, product: product, mono: mono, decorrelated: decorrelated,
            cross: (mono * decorrelated).squareRoot() * Float.random(in: cross, using: &random))
    }

    @Test func `identical channels get zero difference and full coherence, a silent one the maximum difference`() {
        let quantizer = StereoQuantizer(Self.header)
        let alike = Sums(left: 1e6, right: 1e6, product: 1e6, mono: 1e6, decorrelated: 1e6, cross: 0)
        #expect(quantizer.quantize(alike, costs: .init()) == (0, 0))
        let left = Sums(left: 1e6, right: 1, product: 0, mono: 5e5, decorrelated: 5e5, cross: 0)
        #expect(quantizer.quantize(left, costs: .init()).level == 7)
        let right = Sums(left: 1, right: 1e6, product: 0, mono: 5e5, decorrelated: 5e5, cross: 0)
        #expect(quantizer.quantize(right, costs: .init()).level == -7)
    }

    @Test func `swapped channels have the opposite level and the same coherence`() {
        let quantizer = StereoQuantizer(Self.header)
        var random = SeededRandom(seed: 3)
        for _ in 0..<500 {
            let sums = Self.random(&random)
            var other = sums
            (other.left, other.right) = (sums.right, sums.left)
            let found = quantizer.quantize(sums, costs: .init())
            let mirrored = quantizer.quantize(other, costs: .init())
            #expect(mirrored == (-found.level, found.coherence), "\(sums)")
        }
    }

    @Test func `indices do not depend on the level`() {
        let quantizer = StereoQuantizer(Self.header)
        var random = SeededRandom(seed: 4)
        for _ in 0..<500 {
            let sums = Self.random(&random, cross: -0.8...0.8)
            let louder = Sums(
                left: 1024 * sums.left, right: 1024 * sums.right, product: 1024 * sums.product, mono: 1024 * sums.mono,
                decorrelated: 1024 * sums.decorrelated, cross: 1024 * sums.cross)
            #expect(quantizer.quantize(sums, costs: .init()) == quantizer.quantize(louder, costs: .init()), "\(sums)")
        }
    }

    @Test func `energies are more accurate than with the nearest level if mono and decorrelated signals are correlated`() {
        let quantizer = StereoQuantizer(Self.header)
        let steps: [Float] = [0, 2, 4, 7, 10, 14, 18, 25]
        var random = SeededRandom(seed: 5)
        var (chosen, plain) = (0.0, 0.0)
        for _ in 0..<500 {
            let sums = Self.random(&random, cross: -0.9...0.9)
            let found = quantizer.quantize(sums, costs: .init())
            let decibels = 10 * log10(sums.left / sums.right)
            let nearest = steps.indices.min { abs(abs(decibels) - steps[$0]) < abs(abs(decibels) - steps[$1]) } ?? 0
            chosen += Double(Self.error(sums, level: found.level, coherence: found.coherence))
            plain += Double(Self.error(sums, level: decibels < 0 ? -nearest : nearest, coherence: found.coherence))
        }
        #expect(chosen < 0.5 * plain, "\(chosen) \(plain)")
    }

    @Test func `the coherence index is monotonic, and bits count`() {
        let quantizer = StereoQuantizer(Self.header)
        var last = 0
        for step in 0...20 {
            let sums = Sums(left: 1e6, right: 1e6, product: 1e6 * (1 - Float(step) / 10), mono: 1e6, decorrelated: 1e6, cross: 0)
            let found = quantizer.quantize(sums, costs: .init())
            #expect(found.level == 0 && found.coherence >= last, "\(step)")
            last = found.coherence
        }
        #expect(last >= 5)
        var costs = StereoQuantizer.Costs()
        let sums = Sums(left: 1.6e6, right: 1e6, product: 1e6, mono: 1.3e6, decorrelated: 1.3e6, cross: 0)
        #expect(quantizer.quantize(sums, costs: costs).level == 1)
        for difference in -31...31 where difference != 0 { costs.levelBits[difference + 31] = 50 }
        #expect(quantizer.quantize(sums, costs: costs).level == 0)
    }

    @Test func `angle approximates the arc cosine`() {
        for step in -100...100 {
            let x = Double(step) / 100
            #expect(abs(Double(StereoQuantizer.angle(Float(x))) - acos(x)) < 0.01)
        }
    }
}
