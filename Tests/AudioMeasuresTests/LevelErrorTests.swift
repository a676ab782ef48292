// SPDX-License-Identifier: Apache-2.0

import AudioMeasures
import TestSupport
import Testing

/// The level errors of noise-to-mask ratios.
@Suite struct LevelErrorTests {
    private let original = noise(decibels: -20, frames: 48_000, seed: 3)

    private func measure(_ test: [Float]) -> NoiseToMaskRatio { NoiseToMaskRatio(reference: sound(original), test: sound(test)) }

    private func error(_ test: [Float]) throws -> Double { try #require(NoiseToMaskRatio.levelError(of: [measure(test)])) }

    @Test("The error of a gain is its square in decibels", arguments: [-6.0, -1, 3])
    func gain(decibels: Double) throws {
        let gain = Float(Decibels.ratio(decibels).squareRoot())
        #expect(abs(try error(original.map { gain * $0 }) / (decibels * decibels) - 1) < 0.03)
    }

    @Test("Inversion has no error, and other noise of the same level a small one")
    func phases() throws {
        #expect(try error(original.map { -$0 }) < 1e-9)
        let other = try error(noise(decibels: -20, frames: 48_000, seed: 4))
        #expect(other > 1 && other < 36)
    }

    @Test("Frames of several measures are averaged, and silent ones do not count")
    func frames() throws {
        let silence = [Float](repeating: 0, count: original.count)
        let silent = NoiseToMaskRatio(reference: sound(silence), test: sound(original))
        #expect(NoiseToMaskRatio.levelError(of: [silent]) == nil)
        let lower = original.map { $0 * 0.5 }
        let single = try error(lower)
        let average = try #require(NoiseToMaskRatio.levelError(of: [silent, measure(lower), measure(original)]))
        #expect(abs(average - single / 2) < 1e-5)
    }

    @Test("Mid counts and side does not")
    func stereo() throws {
        let test = sound(original.map { $0 * 0.5 }, original)
        let measure = NoiseToMaskRatio(reference: sound(original, original), test: test)
        let errors = measure.maps.map { $0.levelErrors.isEmpty ? nil : $0.levelErrors.reduce(0, +) / Float($0.levelErrors.count) }
        // Mid has 0.75 of its amplitude.
        let expected: [Float] = [36.2, 0, 6.2]
        for (error, expected) in zip(errors, expected) { #expect(abs(try #require(error) - expected) < 1) }
        #expect(errors[3] == nil)
    }

    @Test("Several signals are measured as one by one")
    func several() throws {
        let tests = [original.map { $0 * 0.5 }, noise(decibels: -20, frames: 48_000, seed: 4)]
        let measures = NoiseToMaskRatio.measures(of: tests.map { sound($0) }, reference: sound(original))
        for (measure, test) in zip(measures, tests) {
            let single = self.measure(test)
            #expect(measure.maps[0].values == single.maps[0].values && measure.maps[0].levelErrors == single.maps[0].levelErrors)
        }
    }
}
