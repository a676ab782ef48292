// SPDX-License-Identifier: Apache-2.0

import Foundation
import MPEG4Audio
import TestSupport
import Testing
import TransformCoding

@Suite struct LowDelayFilterBankTests {
    /// Random samples within ±16384.
    static func noise(_ count: Int, _ random: inout SeededRandom) -> [Float] {
        (0..<count).map { _ in Float.random(in: -16_384...16_384, using: &random) }
    }

    /// The window w(n) with 4N values.
    static func window(_ length: Int) -> [Double] {
        let stored = length == 512 ? LowDelayWindows.coefficients512 : LowDelayWindows.coefficients480
        return [Double](repeating: 0, count: length / 4) + stored.map(Double.init)
    }

    /// cos(π/N (n + (1 - N)/2)(k + 1/2)) for n of -2N to 4N - 1.
    static func basis(_ n: Int, _ k: Int, _ length: Int) -> Double {
        // In units of π/4N.
        let turns = ((2 * n + 1 - length) * (2 * k + 1)) % (8 * length)
        return cos(Double.pi * Double(turns) / Double(4 * length))
    }

    /// Returns the samples decoded from blocks, by the standard's definition.
    static func synthesized(_ blocks: [[Float]], length: Int) -> [Double] {
        let window = window(length)
        var sum = [Double](repeating: 0, count: (blocks.count + 3) * length)
        for (index, block) in blocks.enumerated() {
            for n in 0..<4 * length {
                var y = 0.0
                for k in 0..<length where block[k] != 0 { y -= Double(block[k]) * basis(n, k, length) }
                sum[index * length + n] += window[n] * y / Double(length)
            }
        }
        return Array(sum[(length / 4)..<(blocks.count * length + length / 4)])
    }

    @Test("Synthesis matches the definition", arguments: [512, 480])
    func synthesis(length: Int) {
        var random = SeededRandom(seed: UInt64(length))
        // Few nonzero lines, so that the model is fast.
        let blocks = (0..<5).map { _ in
            var block = [Float](repeating: 0, count: length)
            for _ in 0..<4 { block[Int.random(in: 0..<length, using: &random)] = Float.random(in: -1e5...1e5, using: &random) }
            return block
        }
        var bank = LowDelayFilterBank(frameLength: length)
        var state = LowDelayFilterBank.State(frameLength: length)
        var samples: [Float] = []
        for block in blocks {
            var output = [Float](repeating: 0, count: length)
            var span = output.mutableSpan
            bank.synthesize(block.span, state: &state, into: &span)
            samples += output
        }
        let expected = Self.synthesized(blocks, length: length)
        let difference = zip(samples, expected).map { abs(Double($0) - $1) }.max() ?? .infinity
        #expect(difference < 0.002)
    }

    @Test("Analysis matches the definition", arguments: [512, 480])
    func analysis(length: Int) {
        var random = SeededRandom(seed: UInt64(length))
        let input = Self.noise(15 * length / 4, &random)
        let window = Self.window(length)
        var bank = LowDelayFilterBank(frameLength: length)
        var lines = [Float](repeating: 0, count: length)
        var span = lines.mutableSpan
        bank.analyze(input.span, into: &span)
        for k in [0, 1, 17, length / 2, length - 1] {
            var sum = 0.0
            for n in -2 * length..<2 * length where n + 2 * length < input.count {
                sum -= 2 * window[2 * length - 1 - n] * Double(input[n + 2 * length]) * Self.basis(n, k, length)
            }
            #expect(abs(Double(lines[k]) - sum) < 0.1, "line \(k)")
        }
    }

    @Test("Analysis and synthesis reconstruct the signal half a block after the newest sample", arguments: [512, 480])
    func reconstruction(length: Int) {
        var random = SeededRandom(seed: 3)
        let input = Self.noise(12 * length, &random)
        var bank = LowDelayFilterBank(frameLength: length)
        var state = LowDelayFilterBank.State(frameLength: length)
        let span = 15 * length / 4
        for block in 0..<8 {
            var lines = [Float](repeating: 0, count: length)
            var output = [Float](repeating: 0, count: length)
            let first = block * length
            var lineSpan = lines.mutableSpan
            bank.analyze(input.span.extracting(first..<first + span), into: &lineSpan)
            var samples = output.mutableSpan
            bank.synthesize(lines.span, state: &state, into: &samples)
            guard block >= 4 else { continue }
            let expected = input[(first + 9 * length / 4)..<(first + 13 * length / 4)]
            let difference = zip(output, expected).map { abs($0 - $1) }.max() ?? .infinity
            #expect(difference < 0.02)
        }
    }

    /// Returns 15/4 blocks of a tone.
    ///
    /// - Parameters:
    ///   - frequency: The frequency, in cycles per sample.
    ///   - offset: The phase at the start, in samples.
    static func tone(_ frequency: Double, offset: Double, length: Int) -> [Float] {
        (0..<15 * length / 4).map { Float(10_000 * sin(2 * Double.pi * frequency * (Double($0) + offset))) }
    }

    static func energy(_ lines: [Float]) -> Double { lines.reduce(0) { $0 + Double($1) * Double($1) } }

    @Test("Analysis at half the sample rate matches analysis of the decimated signal", arguments: [512, 480])
    func halving(length: Int) {
        var bank = LowDelayFilterBank(frameLength: length)
        var halving = LowDelayFilterBank(frameLength: length, halvesSampleRate: true)
        /// Returns the lines of a tone and of the same tone at half the sample rate, whose samples are between pairs of original samples.
        func lines(_ frequency: Double) -> (halved: [Float], expected: [Float]) {
            var lines = [[Float]](repeating: [Float](repeating: 0, count: length), count: 2)
            var span = lines[0].mutableSpan
            halving.analyze(Self.tone(frequency, offset: 0.2, length: 2 * length).span, into: &span)
            span = lines[1].mutableSpan
            bank.analyze(Self.tone(2 * frequency, offset: 0.35, length: length).span, into: &span)
            return (lines[0], lines[1])
        }
        for frequency in [0.003, 0.05, 0.12, 0.2, 0.22, 0.24] {
            let (halved, expected) = lines(frequency)
            let error = Self.energy(zip(halved, expected).map { $0 - $1 }) / Self.energy(expected)
            #expect(error < (frequency < 0.23 ? 1e-7 : 1e-5), "\(frequency) cycles a sample")
        }
        // The upper half does not alias into the lower half.
        let passed = Self.energy(lines(0.2).expected)
        for frequency in [0.26, 0.27, 0.3, 0.4, 0.49] {
            #expect(Self.energy(lines(frequency).halved) < 1e-5 * passed, "\(frequency) cycles a sample")
        }
    }

    @Test("AAC-LD blocks reconstruct the signal for every sequence of window shapes", arguments: [512, 480])
    func lowOverlap(length: Int) {
        var random = SeededRandom(seed: 4)
        let input = Self.noise(14 * length, &random)
        var bank = FilterBank(frameLength: length, hasLowOverlap: true)
        var state = OverlapState(frameLength: length)
        var previous = WindowShape.sine
        for block in 0..<12 {
            let shape: WindowShape = [0, 1, 1, 0][block % 4] == 0 ? .sine : .kaiserBesselDerived
            var lines = [Float](repeating: 0, count: length)
            var output = [Float](repeating: 0, count: length)
            var lineSpan = lines.mutableSpan
            bank.analyze(
                input.span.extracting(block * length..<(block + 2) * length), sequence: .onlyLong, previousShape: previous, shape: shape,
                into: &lineSpan)
            var samples = output.mutableSpan
            bank.synthesize(lines.span, sequence: .onlyLong, shape: shape, state: &state, into: &samples)
            previous = shape
            guard block > 0 else { continue }
            let difference = zip(output, input[(block * length)...]).map { abs($0 - $1) }.max() ?? .infinity
            #expect(difference < 0.02)
        }
    }

    @Test("The low overlap window is a quarter-block slope between zeros and ones", arguments: [512, 480])
    func lowOverlapWindow(length: Int) {
        var bank = FilterBank(frameLength: length, hasLowOverlap: true)
        var sine = OverlapState(frameLength: length)
        var lowOverlap = OverlapState(frameLength: length)
        lowOverlap.previousShape = .kaiserBesselDerived
        var random = SeededRandom(seed: 5)
        let lines = Self.noise(length, &random)
        var outputs = [[Float](repeating: 0, count: length), [Float](repeating: 0, count: length)]
        var first = outputs[0].mutableSpan
        bank.synthesize(lines.span, sequence: .onlyLong, shape: .sine, state: &sine, into: &first)
        var second = outputs[1].mutableSpan
        bank.synthesize(lines.span, sequence: .onlyLong, shape: .sine, state: &lowOverlap, into: &second)
        for n in 0..<length {
            let ordinary = sin(Double.pi / Double(2 * length) * (Double(n) + 0.5))
            let slope = sin(2 * Double.pi / Double(length) * (Double(n - 3 * length / 8) + 0.5))
            let expected = n < 3 * length / 8 ? 0 : n < 5 * length / 8 ? slope : 1
            let difference = Double(outputs[1][n]) - Double(outputs[0][n]) / ordinary * expected
            #expect(abs(difference) < 1e-4 * 16_384 / ordinary.magnitude * 0.1 + 0.01, "sample \(n)")
        }
    }
}
