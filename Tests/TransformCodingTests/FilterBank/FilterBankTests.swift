// SPDX-License-Identifier: Apache-2.0

import Foundation
import MPEG4Audio
import TestSupport
import Testing
import TransformCoding

@Suite struct FilterBankTests {
    /// One block's window sequence and shape.
    struct Block {
        let sequence: WindowSequence
        let shape: WindowShape
    }

    static let sequences: [WindowSequence] = [.onlyLong, .longStart, .eightShort, .longStop, .stopStart]
    static let shapes: [WindowShape] = [.sine, .kaiserBesselDerived]

    /// A random sequence of legal transitions.
    static func legalBlocks(_ count: Int, seed: UInt64) -> [Block] {
        var random = SeededRandom(seed: seed)
        var sequence = WindowSequence.onlyLong
        return (0..<count).map { _ in
            let next: [WindowSequence] = sequence.fallsShort ? [.eightShort, .longStop, .stopStart] : [.onlyLong, .longStart]
            sequence = next.randomElement(using: &random) ?? .onlyLong
            return Block(sequence: sequence, shape: shapes.randomElement(using: &random) ?? .sine)
        }
    }

    /// The window of 2 M values by definition, except eight short windows.
    static func window(_ block: Block, previous: WindowShape, length: Int) -> [Double] {
        let short = length / 8
        let flat = (length - short) / 2
        func slope(_ isShort: Bool, _ shape: WindowShape) -> [Double] {
            let count = isShort ? short : length
            let half = WindowsTests.half(shape, count: count, alpha: isShort ? 6 : 4)
            guard isShort else { return half }
            return [Double](repeating: 0, count: flat) + half + [Double](repeating: 1, count: flat)
        }
        return slope(block.sequence.risesShort, previous) + slope(block.sequence.fallsShort, block.shape).reversed()
    }

    /// 2 Σ z[n] cos(2π/N (n + n0)(k + 1/2)), computed by definition.
    static func definition(_ input: some Collection<Float>, window: [Double]) -> [Double] {
        let size = window.count
        // (n + n0)(k + 1/2) / N in units of 1/4N, n0 = (N/2 + 1)/2.
        let table = (0..<8 * size).map { cos(2 * Double.pi * Double($0) / Double(8 * size)) }
        let z = zip(input, window).map { Double($0) * $1 }
        return (0..<size / 2).map { k in
            var sum = 0.0
            for n in 0..<size {
                sum += z[n] * table[2 * (2 * n + size / 2 + 1) * (2 * k + 1) % (8 * size)]
            }
            return 2 * sum
        }
    }

    static func model(_ input: [Float], _ block: Block, previous: WindowShape) -> [Double] {
        let length = input.count / 2
        guard block.sequence == .eightShort else {
            return definition(input, window: window(block, previous: previous, length: length))
        }
        let short = length / 8
        return (0..<8).flatMap { index in
            let first = (length - short) / 2 + index * short
            let rising = WindowsTests.half(index == 0 ? previous : block.shape, count: short, alpha: 6)
            let falling = WindowsTests.half(block.shape, count: short, alpha: 6)
            return definition(input[first..<first + 2 * short], window: rising + falling.reversed())
        }
    }

    @Test("Analysis matches the standard's formula for all sequences and shapes", arguments: [1024, 960, 768])
    func analysis(length: Int) {
        var bank = FilterBank(frameLength: length)
        var random = SeededRandom(seed: 1)
        let input = random.samples(2 * length, amplitude: 32768)
        for sequence in Self.sequences {
            for (previous, shape) in [(WindowShape.sine, WindowShape.kaiserBesselDerived), (.kaiserBesselDerived, .sine)] {
                let block = Block(sequence: sequence, shape: shape)
                var output = [Float](repeating: .nan, count: length)
                var span = output.mutableSpan
                bank.analyze(input.span, sequence: sequence, previousShape: previous, shape: shape, into: &span)
                let error = MDCTTests.error(output, Self.model(input, block, previous: previous))
                #expect(error < 2.5e-7, "\(sequence), \(previous) to \(shape)")
            }
        }
    }

    @Test("Synthesis inverts analysis for all legal orders of sequences and shapes", arguments: [1024, 960, 768])
    func reconstruction(length: Int) {
        var bank = FilterBank(frameLength: length)
        let blocks = Self.legalBlocks(64, seed: 2)
        var random = SeededRandom(seed: 3)
        let input = random.samples((blocks.count + 1) * length, amplitude: 32768)
        var state = OverlapState(frameLength: length)
        var previous = WindowShape.sine
        var coefficients = [Float](repeating: 0, count: length)
        var output = [Float](repeating: 0, count: length)
        for (index, block) in blocks.enumerated() {
            let first = index * length
            var target = coefficients.mutableSpan
            bank.analyze(
                input.span.extracting(first..<first + 2 * length), sequence: block.sequence, previousShape: previous,
                shape: block.shape, into: &target)
            previous = block.shape
            var samples = output.mutableSpan
            bank.synthesize(
                coefficients.span, sequence: block.sequence, shape: block.shape, state: &state, into: &samples)
            guard index > 0 else { continue }
            let expected = input[first..<first + length].map(Double.init)
            // Two transforms and two windows in Float: at least 120 dB below the signal.
            #expect(MDCTTests.error(output, expected) < 5e-7, "block \(index), \(block)")
        }
        #expect(Set(blocks.map(\.sequence)).count == 5)
    }

    @Test("Coefficients are bit-identical on all machines")
    func bits() {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for frameLength in [1024, 960] {
            var bank = FilterBank(frameLength: frameLength)
            var random = SeededRandom(seed: 5)
            let input = random.samples(2 * bank.frameLength, amplitude: 32768)
            var output = [Float](repeating: 0, count: bank.frameLength)
            for sequence in Self.sequences {
                var span = output.mutableSpan
                bank.analyze(
                    input.span, sequence: sequence, previousShape: .sine, shape: .kaiserBesselDerived, into: &span)
                for value in output {
                    hash = (hash ^ UInt64(value.bitPattern)) &* 0x0000_0100_0000_01B3
                }
            }
        }
        #expect(hash == 2_639_256_556_758_619_956)
    }

    @Test("An illegal order overlaps as the two halves define")
    func illegalSuccession() {
        var bank = FilterBank(frameLength: 1024)
        var random = SeededRandom(seed: 4)
        for first in Self.sequences {
            for second in Self.sequences {
                let coefficients = random.samples(1024, amplitude: 30000)
                let later = random.samples(1024, amplitude: 30000)
                let silence = [Float](repeating: 0, count: 1024)
                let alone = [first, second].enumerated().map { index, sequence in
                    // Next to silence, a block shows only its falling or rising half.
                    var state = OverlapState(frameLength: 1024)
                    var output = [Float](repeating: 0, count: 1024)
                    var span = output.mutableSpan
                    bank.synthesize(
                        index == 0 ? coefficients.span : silence.span, sequence: index == 0 ? sequence : .onlyLong,
                        shape: .kaiserBesselDerived, state: &state, into: &span)
                    bank.synthesize(
                        index == 0 ? silence.span : later.span, sequence: index == 0 ? .onlyLong : sequence, shape: .sine,
                        state: &state, into: &span)
                    return output
                }
                var state = OverlapState(frameLength: 1024)
                var output = [Float](repeating: 0, count: 1024)
                var span = output.mutableSpan
                bank.synthesize(coefficients.span, sequence: first, shape: .kaiserBesselDerived, state: &state, into: &span)
                bank.synthesize(later.span, sequence: second, shape: .sine, state: &state, into: &span)
                let expected = zip(alone[0], alone[1]).map { Double($0) + Double($1) }
                #expect(MDCTTests.error(output, expected) < 2e-7, "\(first), \(second)")
            }
        }
    }
}
