// SPDX-License-Identifier: Apache-2.0

import AACCodec
import AudioPrimitives
import TestSupport
import Testing
import TransformCoding
import TransformEncoding

/// Compares the choice of quantized values with an exhaustive search in double precision.
@Suite struct QuantizerModelTests {
    /// The decoded magnitude of a quantized value: |q|^(4/3) 2^((sf - 100)/4).
    private static func dequantized(_ value: Int, scaleFactor: Int) -> Double {
        let magnitude = PortableMath.power(Double(abs(value)), 4.0 / 3) * PortableMath.power(2, Double(scaleFactor - 100) / 4)
        return value < 0 ? -magnitude : magnitude
    }

    /// The size of values in a codebook, in bits.
    private static func bits(_ values: [Int16], codebook: Int) -> Int {
        var counter = BitCounter()
        var padded = values
        while padded.count % 4 != 0 { padded.append(0) }
        SpectralEncoder.write(padded.span, in: 0..<padded.count, codebook: codebook, to: &counter)
        return counter.bitCount
    }

    /// The minimum cost of four lines, in bits and weighted squared error, over the nearest and next lower value of each line.
    private static func lowestCost(_ lines: ArraySlice<Float>, scaleFactor: Int, weight: Double, codebook: Int) -> Double {
        let limit = SpectralCodebook(number: codebook).maximumMagnitude
        let step = PortableMath.power(2, Double(scaleFactor - 100) / 4)
        let choices = lines.map { line in
            let exact = PortableMath.power(Double(abs(line)) / step, 0.75)
            let nearest = Int(exact + 0.4054)
            // A line at a distance of 1.05 or more from the lower value is not lowered.
            let lower = exact - Double(nearest) < 0.05 ? max(nearest - 1, 0) : nearest
            return [nearest, lower].map { line < 0 ? -$0 : $0 }
        }
        var lowest = Double.infinity
        for mask in 0..<16 {
            let values = choices.enumerated().map { Int16($1[mask >> $0 & 1]) }
            guard values.allSatisfy({ abs(Int($0)) <= limit }) else { continue }
            var cost = Double(bits(values, codebook: codebook))
            for (line, value) in zip(lines, values) {
                let error = Double(line) - dequantized(Int(value), scaleFactor: scaleFactor)
                cost += weight * error * error
            }
            lowest = min(lowest, cost)
        }
        return lowest
    }

    @Test("Quantized values cost hardly more than the best choice", arguments: 1...30 as ClosedRange<UInt64>)
    func exhaustive(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let scaleFactor = 100
        let peak = PortableMath.exp2(Float.random(in: 1...3, using: &random))
        let lines = (0..<32).map { _ in Float.random(in: -peak...peak, using: &random) }
        let weight = Float.random(in: 0.3...6, using: &random)
        let quads = stride(from: 0, to: 32, by: 4).map {
            LineQuad(SIMD4(lines[$0], lines[$0 + 1], lines[$0 + 2], lines[$0 + 3]), tupleWeights: SpectralBitTables.Indices.weights)
        }
        let power = lines.map { PortableMath.power(Double(abs($0)), 0.75) }.max() ?? 0
        let trial = TupleQuantizer.Trial(0..<32, SpectralLines.Band(peak: Float(power)), scaleFactor: scaleFactor, weight: weight)
        var quantizer = TupleQuantizer(lineCount: 1024)
        let costs = quantizer.measureLowered(quads.span, trial)
        var checked = 0
        for codebook in 1...11 where costs[codebook] < 1e6 {
            var values = [Int16](repeating: 0, count: 32)
            var span = values.mutableSpan
            quantizer.quantize(quads.span, trial, codebook: codebook, into: &span, effort: .balanced)
            var found = Double(Self.bits(values, codebook: codebook))
            for (line, value) in zip(lines, values) {
                let error = Double(line) - Self.dequantized(Int(value), scaleFactor: scaleFactor)
                found += Double(weight) * error * error
            }
            let best = stride(from: 0, to: 32, by: 4).reduce(0) {
                $0 + Self.lowestCost(lines[$1..<$1 + 4], scaleFactor: scaleFactor, weight: Double(weight), codebook: codebook)
            }
            // The errors come from a two-term series.
            #expect(found < best * 1.03 + 1, "seed \(seed), book \(codebook): \(found), not \(best)")
            #expect(found > best - 1e-6, "seed \(seed), book \(codebook)")
            // The measured cost equals the cost of the chosen values, apart from rounding to sixteenths of a bit.
            #expect(
                abs(Double(costs[codebook]) - found) < found * 0.05 + 3, "seed \(seed), book \(codebook): \(costs[codebook]), not \(found)")
            checked += 1
        }
        #expect(checked > 0, "seed \(seed)")
    }
}
