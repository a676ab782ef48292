// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing
import TransformCoding
import TransformEncoding

/// Compares frame plans at a constant bit rate with a model in double precision.
@Suite struct RateControllerPlanTests {
    /// A bit reservoir and its noise scale.
    private struct Model {
        let nominalBits: Double
        let reservoirSize: Double
        var bitSurplus: Double
        var log2NoiseScale: Double

        init(bitRate: Double, log2NoiseScale: Double) {
            nominalBits = bitRate * 1024 / 48_000
            reservoirSize = 2 * 6144 - nominalBits
            bitSurplus = reservoirSize / 2
            self.log2NoiseScale = log2NoiseScale
        }

        /// The log2 noise scale that the reservoir requires after a frame of `bits`.
        func wanted(after bits: Double) -> Double {
            let fullness = min(max((bitSurplus + nominalBits - bits) / reservoirSize, 0), 1)
            return log2NoiseScale + (fullness < 0.5 ? 2 : 3) * (0.5 - fullness)
        }

        /// The log2 noise scale at which a frame's bits and the reservoir agree, found by bisection.
        ///
        /// - Parameter bits: Returns the frame's bits at a log2 noise scale. Descending.
        func balanced(_ bits: (Double) -> Double) -> Double {
            let largest = 0.95 * min(2 * 6144, bitSurplus + nominalBits)
            var (low, high) = (log2NoiseScale - 30, log2NoiseScale + 30)
            for _ in 0..<60 {
                let middle = (low + high) / 2
                if bits(middle) > largest || wanted(after: bits(middle)) > middle { low = middle } else { high = middle }
            }
            return (low + high) / 2
        }
    }

    @Test("Plans the noise scale at which the reservoir and the frame's bits agree", arguments: 1...40 as ClosedRange<UInt64>)
    func fixedPoint(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let start = Float.random(in: -8 ... -1, using: &random)
        var model = Model(bitRate: 128_000, log2NoiseScale: Double(start))
        var rate = RateController(mode: .constant(bitsPerFrame: model.nominalBits), channelCount: 2, initialLog2NoiseScale: start)
        rate.log2BitsPerEntropy = Float.random(in: -0.3...0.5, using: &random)
        // Changes the reservoir fullness but not the noise scale, which frames with little content do not affect.
        let bits = min(max(Int.random(in: 500...9_000, using: &random), rate.minimumFrameBitCount), rate.maximumFrameBitCount)
        rate.advance(bits: bits, content: 0)
        model.bitSurplus = min(model.bitSurplus + model.nominalBits - Double(bits), model.reservoirSize)
        let typical = Double.random(in: 300...6_000, using: &random)
        func entropy(_ log2NoiseScale: Double) -> Double { typical * PortableMath.powerOfTwo(-0.3 * (log2NoiseScale - Double(start))) }
        let plan = rate.plan(entropy: Float(entropy(Double(rate.frameLog2NoiseScale)))) { noiseScale in
            Float(entropy(PortableMath.octaves(1, Double(noiseScale))))
        }
        let ratio = PortableMath.powerOfTwo(Double(rate.log2BitsPerEntropy))
        // 150 bits of side information are independent of the noise scale.
        let expected = model.balanced { (entropy($0) + 150) * ratio }
        #expect(abs(Double(plan.log2NoiseScale) - expected) < 0.15, "seed \(seed): \(plan.log2NoiseScale), not \(expected)")
    }
}
