// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing
import TransformCoding
import TransformEncoding

@Suite struct QuantizationPredictionTests {
    /// Returns the predicted lines and the number of lines that are not zero.
    private func predicted(_ lines: [Float], noise: Float) -> (lines: [Float], count: Float) {
        var lines = lines
        var span = lines.mutableSpan
        let count = QuantizationPrediction.quantize(&span, 0..<span.count, noise: noise)
        return (lines, count)
    }

    @Test("The predicted error is close to the noise target", arguments: [1, 30, 1000] as [Float])
    func noise(target: Float) {
        var random = SeededRandom(seed: 11)
        let lines = (0..<64).map { _ in Float.random(in: -400...400, using: &random) }
        let found = predicted(lines, noise: 64 * target)
        let error = zip(found.lines, lines).reduce(Float(0)) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }
        #expect(error > 0.8 * 64 * target && error < 2.2 * 64 * target)
        #expect(found.count == Float(found.lines.count { $0 != 0 }))
        #expect(zip(found.lines, lines).allSatisfy { $0 * $1 >= 0 })
    }

    @Test("Lines below half a step are zero, and a louder target leaves fewer lines")
    func zeros() {
        let lines = (0..<32).map { $0 % 8 == 0 ? Float(500) : 3 }
        let fine = predicted(lines, noise: 1).count
        #expect(fine == 32)
        #expect(predicted(lines, noise: 3000).count == 4)
        #expect(predicted(lines, noise: 1e9).count == 0)
    }

    @Test("Silence, tiny targets and full scale result in finite lines")
    func limits() {
        for level in [0, 1e-6, 1e6] as [Float] {
            for noise in [0, 1e-20, 1e20] as [Float] {
                let found = predicted(Array(repeating: level, count: 16), noise: noise)
                #expect(found.lines.allSatisfy { $0.isFinite && $0 <= 2 * level })
            }
        }
        #expect(predicted(Array(repeating: 0, count: 16), noise: 1).count == 0)
    }

    @Test("A substituted band keeps its energy in other lines")
    func substitution() {
        var lines = (0..<24).map { Float($0) }
        var span = lines.mutableSpan
        QuantizationPrediction.substitute(&span, 4..<20)
        #expect(lines[0..<4] == [0, 1, 2, 3] && lines[20...] == [20, 21, 22, 23])
        #expect(lines[4..<8] == [16, 17, 18, 19] && lines.sorted() == (0..<24).map { Float($0) })
    }
}
