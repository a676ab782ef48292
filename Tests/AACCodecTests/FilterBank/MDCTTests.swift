// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

import Foundation
import TestSupport
import Testing

@testable import AACCodec

@Suite struct MDCTTests {
    static let sizes: [MDCT.Size] = [.coefficients1024, .coefficients128, .coefficients960, .coefficients120]

    /// The type-IV cosine transform by its definition; forward with the factor 2, inverse with 2/N.
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

    static func transformed(_ input: [Float], _ size: MDCT.Size, isInverse: Bool) -> [Float] {
        var transform = MDCT(size)
        var output = [Float](repeating: .nan, count: size.rawValue)
        var span = output.mutableSpan
        if isInverse {
            transform.inverse(input.span, into: &span)
        } else {
            transform.forward(input.span, into: &span, at: 0)
        }
        return output
    }

    @Test("Both directions agree with the definition in double precision", arguments: sizes)
    func definition(size: MDCT.Size) {
        var random = SeededRandom(seed: UInt64(size.rawValue))
        let input = random.samples(size.rawValue, amplitude: 32768)
        // Float carries 6e-8; the nine butterflies of the longest transform add up to less than three of it.
        let bound = 2e-7
        #expect(Self.error(Self.transformed(input, size, isInverse: false), Self.model(input, factor: 2)) < bound)
        let factor = 1 / Double(size.rawValue)
        #expect(Self.error(Self.transformed(input, size, isInverse: true), Self.model(input, factor: factor)) < bound)
    }

    @Test("The inverse undoes the forward transform, and energy is kept (Parseval)", arguments: sizes)
    func inversion(size: MDCT.Size) {
        var random = SeededRandom(seed: 7)
        let input = random.samples(size.rawValue, amplitude: 32768)
        let coefficients = Self.transformed(input, size, isInverse: false)
        let output = Self.transformed(coefficients, size, isInverse: true)
        #expect(Self.error(output, input.map(Double.init)) < 3e-7)
        let energyIn = input.reduce(0.0) { $0 + Double($1) * Double($1) }
        let energyOut = coefficients.reduce(0.0) { $0 + Double($1) * Double($1) }
        // The factor 2 twice, and M/2 for the transform without its normalisation.
        #expect(abs(energyOut / energyIn / Double(2 * size.rawValue) - 1) < 1e-6)
    }

    @Test("The transform is linear", arguments: sizes)
    func linearity(size: MDCT.Size) {
        var random = SeededRandom(seed: 8)
        let first = random.samples(size.rawValue, amplitude: 1000)
        let second = random.samples(size.rawValue, amplitude: 1000)
        let sum = zip(first, second).map { 3 * $0 - $1 }
        let expected = zip(
            Self.transformed(first, size, isInverse: false), Self.transformed(second, size, isInverse: false)
        ).map { 3 * Double($0) - Double($1) }
        #expect(Self.error(Self.transformed(sum, size, isInverse: false), expected) < 4e-7)
    }

    @Test("A second call finds nothing of the first")
    func repetition() {
        var random = SeededRandom(seed: 9)
        let first = random.samples(1024, amplitude: 1000)
        let second = random.samples(1024, amplitude: 1000)
        var transform = MDCT(.coefficients1024)
        var output = [Float](repeating: 0, count: 1024)
        var span = output.mutableSpan
        transform.forward(first.span, into: &span, at: 0)
        transform.forward(second.span, into: &span, at: 0)
        #expect(output == Self.transformed(second, .coefficients1024, isInverse: false))
    }
}
