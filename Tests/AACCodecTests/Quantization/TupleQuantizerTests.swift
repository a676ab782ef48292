// SPDX-License-Identifier: Apache-2.0

import AACCodec
import AudioPrimitives
import TestSupport
import Testing
import TransformCoding
import TransformEncoding

@Suite struct TupleQuantizerTests {
    private static func lines(_ random: inout SeededRandom, peak: Float) -> [Float] {
        (0..<32).map { _ in Float.random(in: -1...1, using: &random) * Float.random(in: 0...1, using: &random) * peak }
    }

    private static func quads(_ lines: [Float]) -> [LineQuad] {
        stride(from: 0, to: lines.count, by: 4).map {
            LineQuad(SIMD4(lines[$0], lines[$0 + 1], lines[$0 + 2], lines[$0 + 3]), tupleWeights: SpectralBitTables.Indices.weights)
        }
    }

    private static func trial(_ lines: [Float], weight: Float) -> TupleQuantizer.Trial {
        let peak = lines.map { PortableMath.power(Double(abs($0)), 0.75) }.max() ?? 0
        return TupleQuantizer.Trial(0..<32, SpectralLines.Band(peak: Float(peak)), scaleFactor: 100, weight: weight)
    }

    /// x = sign(q) |q|^(4/3) 2^((sf - 100)/4), in double precision.
    private static func dequantized(_ value: Int16, scaleFactor: Int) -> Double {
        let magnitude = PortableMath.power(Double(abs(Int(value))), 4.0 / 3) * PortableMath.power(2, Double(scaleFactor - 100) / 4)
        return value < 0 ? -magnitude : magnitude
    }

    /// Measures a band.
    ///
    /// If values are not lowered, small ones are stored.
    private static func measure(
        _ quantizer: inout TupleQuantizer, _ quads: [LineQuad], _ trial: TupleQuantizer.Trial, _ effort: SearchEffort,
        into values: inout [Int16]
    ) -> CodebookCosts {
        var span = values.mutableSpan
        return effort.lowersValues
            ? quantizer.measureLowered(quads.span, trial) : quantizer.measureNearest(quads.span, trial, count: nil, into: &span)
    }

    @Test("Measured bits equal written bits, for every codebook", arguments: 1...30 as ClosedRange<UInt64>)
    func measuredBits(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let peak = PortableMath.exp2(Float.random(in: 0...14, using: &random))
        let lines = Self.lines(&random, peak: peak)
        let quads = Self.quads(lines)
        var quantizer = TupleQuantizer(lineCount: 1024)
        let effort = SearchEffort.fast
        var values = [Int16](repeating: 0, count: 32)
        let costs = Self.measure(&quantizer, quads, Self.trial(lines, weight: 0), effort, into: &values)
        var tried = 0
        for codebook in 1...11 where costs[codebook] < 1e6 {
            var span = values.mutableSpan
            quantizer.quantize(quads.span, Self.trial(lines, weight: 0), codebook: codebook, into: &span, effort: effort)
            var counter = BitCounter()
            SpectralEncoder.write(values.span, in: 0..<32, codebook: codebook, to: &counter)
            #expect(counter.bitCount == Int(costs[codebook]), "seed \(seed), book \(codebook)")
            tried += 1
        }
        #expect(tried > 0)
    }

    @Test("Lowered values never cost more than nearest values in exact arithmetic", arguments: 1...30 as ClosedRange<UInt64>)
    func loweredValues(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let lines = Self.lines(&random, peak: 12)
        let quads = Self.quads(lines)
        let weight: Float = 0.8
        func cost(_ effort: SearchEffort, codebook: Int) -> Double? {
            var quantizer = TupleQuantizer(lineCount: 1024)
            var values = [Int16](repeating: 0, count: 32)
            let costs = Self.measure(&quantizer, quads, Self.trial(lines, weight: weight), effort, into: &values)
            guard costs[codebook] < 1e6 else { return nil }
            var span = values.mutableSpan
            quantizer.quantize(quads.span, Self.trial(lines, weight: weight), codebook: codebook, into: &span, effort: effort)
            var counter = BitCounter()
            SpectralEncoder.write(values.span, in: 0..<32, codebook: codebook, to: &counter)
            var error = 0.0
            for (line, value) in zip(lines, values) {
                let difference = Double(line) - Self.dequantized(value, scaleFactor: 100)
                error += difference * difference
            }
            return Double(counter.bitCount) + Double(weight) * error
        }
        var nearest = SearchEffort.balanced
        nearest.lowersValues = false
        for codebook in [7, 9, 11] {
            if let plain = cost(nearest, codebook: codebook), let lowered = cost(SearchEffort.balanced, codebook: codebook) {
                // Internal costs are rounded to sixteenths of a bit, and errors come from a two-term series.
                #expect(lowered <= plain + 1.5, "seed \(seed), book \(codebook)")
            }
        }
    }

    @Test("No value exceeds the maximum of its codebook", arguments: 1...20 as ClosedRange<UInt64>)
    func limits(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let lines = Self.lines(&random, peak: 16)
        let quads = Self.quads(lines)
        var quantizer = TupleQuantizer(lineCount: 1024)
        let effort = SearchEffort.best
        let costs = quantizer.measureLowered(quads.span, Self.trial(lines, weight: 0.05))
        for codebook in 1...11 where costs[codebook] < 1e6 {
            var values = [Int16](repeating: 0, count: 32)
            var span = values.mutableSpan
            quantizer.quantize(quads.span, Self.trial(lines, weight: 0.05), codebook: codebook, into: &span, effort: effort)
            let limit = SpectralCodebook(number: codebook).maximumMagnitude
            #expect(values.allSatisfy { abs(Int($0)) <= limit }, "seed \(seed), book \(codebook)")
        }
    }
}
