// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing
import TransformCoding

@Suite struct PortableMathTests {
    @Test("The logarithm's error is at most 2e-7, or 6e-8 near one")
    func logarithm() {
        var random = SeededRandom(seed: 1)
        for _ in 0..<20_000 {
            let x = Float(bitPattern: UInt32.random(in: 0x0080_0000..<0x7F80_0000, using: &random))
            let near = 1 + Float.random(in: -0.3...0.4, using: &random)
            for value in [x, near] {
                let expected = Foundation.log2(Double(value))
                #expect(abs(Double(PortableMath.log2(value)) - expected) <= max(2e-7 * abs(expected), 6e-8), "\(value)")
            }
        }
        for exponent in -126...127 {
            #expect(PortableMath.log2(Float(sign: .plus, exponent: exponent, significand: 1)) == Float(exponent))
        }
        #expect(PortableMath.log2(0) == -126)
    }

    @Test("The power of two's error is at most 2e-7, and zero for integers")
    func power() {
        var random = SeededRandom(seed: 2)
        for _ in 0..<20_000 {
            let x = Float.random(in: -125.9...126.9, using: &random)
            #expect(abs(Double(PortableMath.exp2(x)) / Foundation.exp2(Double(x)) - 1) < 2e-7, "\(x)")
        }
        for exponent in -126...127 {
            #expect(PortableMath.exp2(Float(exponent)) == Float(sign: .plus, exponent: exponent, significand: 1))
        }
        #expect(PortableMath.exp2(-1000) == .leastNormalMagnitude)
        #expect(PortableMath.exp2(1000) == PortableMath.exp2(127))
    }

    @Test("Functions in double precision have errors of a few units in the last place")
    func doubles() {
        var random = SeededRandom(seed: 6)
        for _ in 0..<2000 {
            let x = Double.random(in: -700...700, using: &random)
            #expect(abs(PortableMath.exp(x) / Foundation.exp(x) - 1) < 4e-16 * max(1, abs(x)), "\(x)")
            let positive = Double(sign: .plus, exponent: Int.random(in: -300...300, using: &random), significand: 1.0 + abs(x) / 701)
            let logarithm = Foundation.log(positive)
            #expect(abs(PortableMath.ln(positive) - logarithm) <= 4e-16 * max(1, abs(logarithm)), "\(positive)")
            let ratio = Foundation.exp(x / 100)
            #expect(abs(PortableMath.arctangent(ratio) - Foundation.atan(ratio)) < 4e-16, "\(ratio)")
        }
    }

    @Test("Vector and scalar results are equal")
    func lanes() {
        var random = SeededRandom(seed: 3)
        for _ in 0..<5000 {
            let lanes = SIMD4<Float>.random(in: 0...1e6, using: &random)
            let logarithms = PortableMath.log2(lanes)
            let twos = PortableMath.exp2(logarithms)
            for lane in 0..<4 {
                #expect(logarithms[lane] == PortableMath.log2(lanes[lane]))
                #expect(twos[lane] == PortableMath.exp2(logarithms[lane]))
            }
        }
    }

    @Test("Results are bit-identical on all machines")
    func bits() {
        var random = SeededRandom(seed: 4)
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for _ in 0..<10_000 {
            let x = Float.random(in: 1e-6...1e9, using: &random)
            let y = PortableMath.log2(x)
            for value in [y, PortableMath.exp2(y * 0.3)] {
                hash = (hash ^ UInt64(value.bitPattern)) &* 0x0000_0100_0000_01B3
            }
        }
        #expect(hash == 1_234_641_725_953_663_900)
    }

    @Test("Sums use the documented order for any length")
    func sums() {
        var random = SeededRandom(seed: 5)
        let values = random.samples(64, amplitude: 1000)
        for first in 0..<9 {
            for count in 0..<40 {
                var squares: [Float] = [0, 0, 0, 0]
                for index in 0..<count { squares[index % 4] += values[first + index] * values[first + index] }
                func total(_ x: [Float]) -> Float { (x[0] + x[1]) + (x[2] + x[3]) }
                let range = first..<first + count
                #expect(PortableMath.sumOfSquares(values.span, range) == total(squares))
            }
        }
    }
}
