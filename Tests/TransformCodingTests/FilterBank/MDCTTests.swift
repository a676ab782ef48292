// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing
import TransformCoding

@Suite struct MDCTTests {
    /// The DCT-IV by definition, with factor 2 forward and 2/N inverse.
    static func model(_ input: [Float], factor: Double) -> [Double] {
        let count = input.count
        let table = (0..<8 * count).map { cos(Double.pi * Double($0) / Double(4 * count)) }
        return (0..<count).map { k in
            var sum = 0.0
            for n in 0..<count {
                sum += Double(input[n]) * table[(2 * n + 1) * (2 * k + 1) % (8 * count)]
            }
            return factor * sum
        }
    }

    static func error(_ output: [Float], _ expected: [Double]) -> Double {
        var error = 0.0
        var energy = 0.0
        for (a, b) in zip(output, expected) {
            error += (Double(a) - b) * (Double(a) - b)
            energy += b * b
        }
        return (error / energy).squareRoot()
    }

    /// The lengths that codecs use, and others with the same factors.
    static let counts = [1024, 128, 960, 120, 512, 480, 768, 96, 256, 384, 192, 2048, 1152, 640, 40, 24]

    static func transformed(_ input: [Float], _ count: Int, isInverse: Bool) -> [Float] {
        var transform = MDCT(count)
        var output = [Float](repeating: .nan, count: count)
        var span = output.mutableSpan
        if isInverse {
            transform.inverse(input.span, into: &span)
        } else {
            transform.forward(input.span, into: &span, at: 0)
        }
        return output
    }

    @Test("Both directions match the definition in double precision", arguments: counts)
    func definition(count: Int) {
        var random = SeededRandom(seed: UInt64(count))
        let input = random.samples(count, amplitude: 32768)
        // A Float has a relative precision of 6e-8. The nine butterflies of the longest transform add less than three times that.
        let bound = 2e-7
        #expect(Self.error(Self.transformed(input, count, isInverse: false), Self.model(input, factor: 2)) < bound)
        let factor = 1 / Double(count)
        #expect(Self.error(Self.transformed(input, count, isInverse: true), Self.model(input, factor: factor)) < bound)
    }

    @Test("The inverse inverts the forward transform, which preserves energy (Parseval)", arguments: counts)
    func inversion(count: Int) {
        var random = SeededRandom(seed: 7)
        let input = random.samples(count, amplitude: 32768)
        let coefficients = Self.transformed(input, count, isInverse: false)
        let output = Self.transformed(coefficients, count, isInverse: true)
        #expect(Self.error(output, input.map(Double.init)) < 3e-7)
        let energyIn = input.reduce(0.0) { $0 + Double($1) * Double($1) }
        let energyOut = coefficients.reduce(0.0) { $0 + Double($1) * Double($1) }
        // Twice the factor 2, and M/2 for the transform without normalization.
        #expect(abs(energyOut / energyIn / Double(2 * count) - 1) < 1e-6)
    }

    @Test("The transform is linear", arguments: counts)
    func linearity(count: Int) {
        var random = SeededRandom(seed: 8)
        let first = random.samples(count, amplitude: 1000)
        let second = random.samples(count, amplitude: 1000)
        let sum = zip(first, second).map { 3 * $0 - $1 }
        let expected = zip(
            Self.transformed(first, count, isInverse: false), Self.transformed(second, count, isInverse: false)
        ).map { 3 * Double($0) - Double($1) }
        #expect(Self.error(Self.transformed(sum, count, isInverse: false), expected) < 4e-7)
    }

    @Test("A call is independent of previous calls")
    func repetition() {
        var random = SeededRandom(seed: 9)
        let first = random.samples(1024, amplitude: 1000)
        let second = random.samples(1024, amplitude: 1000)
        var transform = MDCT(1024)
        var output = [Float](repeating: 0, count: 1024)
        var span = output.mutableSpan
        transform.forward(first.span, into: &span, at: 0)
        transform.forward(second.span, into: &span, at: 0)
        #expect(output == Self.transformed(second, 1024, isInverse: false))
    }
}
