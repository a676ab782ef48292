// SPDX-License-Identifier: Apache-2.0

import AACCodec
import AudioPrimitives
import Foundation
import TestSupport
import Testing
import TransformCoding
import TransformEncoding

@Suite struct RateControllerTests {
    @Test("At a constant bit rate the reservoir never underflows or overflows", arguments: 1...10 as ClosedRange<UInt64>)
    func reservoir(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var rate = RateController(
            mode: .constant(bitsPerFrame: 128_000 * 1024 / 48_000.0), channelCount: 2, initialLog2NoiseScale: 0)
        let nominal = 128_000.0 * 1024 / 48_000
        let size = 2 * 6144 - nominal
        var fill = size / 2
        for _ in 0..<2000 {
            #expect(rate.minimumFrameBitCount <= rate.maximumFrameBitCount)
            // A frame has any size within its limits.
            let wanted = Int.random(in: 0...9000, using: &random)
            let bits = min(max(wanted, rate.minimumFrameBitCount), rate.maximumFrameBitCount)
            rate.advance(bits: bits)
            fill += nominal - Double(bits)
            #expect(fill >= -1 && fill <= size + 1, "seed \(seed)")
        }
    }

    @Test(
        "A frame of whole bytes fits at any constant bit rate, after any previous frames",
        arguments: 1...10 as ClosedRange<UInt64>)
    func wholeBytes(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        for _ in 0..<20 {
            var rate = RateController(
                mode: .constant(bitsPerFrame: random.double(in: 6130...6144)), channelCount: 1, initialLog2NoiseScale: 0)
            for frame in 0..<100 {
                let least = (rate.minimumFrameBitCount + 7) & ~7
                #expect(least <= rate.maximumFrameBitCount, "seed \(seed), frame \(frame)")
                rate.advance(bits: min(max(8 * random.integer(in: 0..<768), least), rate.maximumFrameBitCount & ~7))
            }
        }
    }

    // An octave of noise costs about a quarter of a frame's bits, so that the noise for a target rate is known.
    @Test(
        "The noise scale converges to the target bit rate",
        arguments: [RateController.Mode.constant(bitsPerFrame: 2048), .average(bitsPerFrame: 2048)], [0.75, 0.9, 1.1, 1.3])
    func direction(mode: RateController.Mode, demand: Double) {
        var rate = RateController(mode: mode, channelCount: 2, initialLog2NoiseScale: -3)
        var (bits, octaves) = (0, 0.0)
        for frame in 0..<3000 {
            let octave = log2(Double(rate.noiseScale)) + 3
            let wanted = Int(2048 * demand * pow(0.75, octave))
            let taken = min(max(wanted, rate.minimumFrameBitCount), rate.maximumFrameBitCount)
            rate.advance(bits: taken)
            guard frame >= 1000 else { continue }
            bits += taken
            octaves += octave / 2000
        }
        #expect(abs(Double(bits) / 2000 - 2048) < 20, "\(bits / 2000) bits a frame")
        let expected = log2(demand) / -log2(0.75)
        #expect(abs(octaves - expected) < 0.1, "\(octaves) octaves, where \(expected) are expected")
    }

    @Test("After silence, an average bit rate is exceeded by at most two thirds", arguments: [0, 500, 3000])
    func savings(framesBefore: Int) {
        var rate = RateController(mode: .average(bitsPerFrame: 2048), channelCount: 2, initialLog2NoiseScale: -3)
        func encodeSignal(_ frameCount: Int) -> Double {
            var total = 0
            for _ in 0..<frameCount {
                let bits = Int(2048 * pow(0.75, log2(Double(rate.noiseScale)) + 3))
                rate.advance(bits: bits)
                total += bits
            }
            return Double(total) / Double(max(1, frameCount))
        }
        _ = encodeSignal(framesBefore)
        for _ in 0..<6000 { rate.advance(bits: 100) }
        let mean = encodeSignal(500)
        #expect(mean > 2048 && mean < 2048 * 5 / 3, "\(mean)")
    }

    @Test("After a tone, at most six seconds of bits are borrowed")
    func debt() {
        var rate = RateController(mode: .average(bitsPerFrame: 2048), channelCount: 2, initialLog2NoiseScale: -3)
        var total = 0
        /// Encodes frames that have the rate at a noise scale.
        func encode(_ frameCount: Int, log2NoiseScale: Double) {
            for _ in 0..<frameCount {
                let bits = min(12_288, Int(2048 * pow(0.75, log2(Double(rate.noiseScale)) - log2NoiseScale)))
                rate.advance(bits: bits)
                total += bits
            }
        }
        encode(3000, log2NoiseScale: -10)
        total = 0
        encode(1500, log2NoiseScale: -3)
        #expect(total > 1500 * 2048 && total < (1500 + 6 * 48) * 2048, "\(total / 2048)")
    }

    @Test("At constant quality the noise scale is constant")
    func variable() {
        var rate = RateController(mode: .variable, channelCount: 2, initialLog2NoiseScale: -3)
        let start = rate.noiseScale
        rate.advance(bits: 9000)
        #expect(rate.noiseScale == start && rate.maximumFrameBitCount == 2 * 6144 && rate.minimumFrameBitCount == 0)
    }

    @Test(
        "Without a constant bit rate, noise rises with a frame's entropy and has a lower bound"
    )
    func noiseByEntropy() {
        let scaling = EntropyNoiseScaling(exponent: 0.6, typicalBits: 2048)
        let average = RateController(
            mode: .average(bitsPerFrame: 2048), channelCount: 2, initialLog2NoiseScale: -4, entropyNoiseScaling: scaling)
        let variable = RateController(mode: .variable, channelCount: 2, initialLog2NoiseScale: -4, entropyNoiseScaling: scaling)
        for rate in [average, variable] {
            let levels = ([0, 500, 1300, 2000, 4000, 8000] as [Float]).map { entropy in
                rate.plan(entropy: entropy) { _ in entropy }.log2NoiseScale
            }
            #expect(levels == levels.sorted() && levels[0] == levels[1] && levels[0] < levels[2])
            // A typical frame gets the controller's noise scale. Bits still rise with entropy: an octave of noise is less than an octave of
            // bits.
            #expect(levels[0] < -4 && abs(levels[3] + 4) < 0.1 && levels[5] - levels[4] < 0.7)
        }
    }

    @Test("Noise depends on entropy at average rates of HE-AAC, more at those of AAC-LC, and most at variable rates of AAC-LC")
    func entropyNoiseScaling() throws {
        func exponent(_ rateControl: AACEncoderConfiguration.RateControl, _ profile: AACProfile) throws -> Float {
            var configuration = AACEncoderConfiguration(sampleRate: 48_000, channelCount: 2, rateControl: rateControl)
            configuration.profile = profile
            return try EncoderSetup(configuration).entropyNoiseScaling.exponent
        }
        #expect(try exponent(.constant(bitRate: 64_000), .lowComplexity) == 0)
        let average = try exponent(.average(bitRate: 64_000), .lowComplexity)
        #expect(try average > 0 && exponent(.variable(quality: 50), .lowComplexity) > average)
        let averageWithSBR = try exponent(.average(bitRate: 64_000), .highEfficiency)
        #expect(averageWithSBR > 0 && averageWithSBR < average)
        #expect(try exponent(.variable(quality: 20), .highEfficiency) == 0)
        #expect(try exponent(.average(bitRate: 32_000), .highEfficiencyV2) == 0)
    }

    @Test(
        "Frames that need their predicted bits stay within the reservoir at the first attempt", arguments: 1...5 as ClosedRange<UInt64>)
    func plans(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var rate = RateController(
            mode: .constant(bitsPerFrame: 128_000 * 1024 / 48_000.0), channelCount: 2, initialLog2NoiseScale: -4)
        var repeats = 0
        var total = 0
        let count = 2000
        for _ in 0..<count {
            // One frame in ten is expensive.
            let scale = Float.random(in: 0..<1, using: &random) < 0.1 ? Float(3000) : 1000
            let entropy = { (noiseScale: Float) in scale * PortableMath.exp2(-0.3 * PortableMath.log2(noiseScale)) }
            let plan = rate.plan(entropy: entropy(rate.noiseScale), entropyAtNoiseScale: entropy)
            let bits = Int(entropy(plan.noiseScale) * 1.1 + 150)
            if bits > rate.maximumFrameBitCount { repeats += 1 }
            rate.recordBits(bits, of: plan)
            let taken = max(min(bits, rate.maximumFrameBitCount), rate.minimumFrameBitCount)
            rate.advance(bits: taken, content: bits)
            total += taken
        }
        #expect(repeats < count / 100, "seed \(seed)")
        #expect(abs(Double(total) / Double(count) / rate.nominalBits - 1) < 0.01, "seed \(seed)")
    }

    @Test("An expensive frame gets more noise than a cheap one, but does not pay for all its bits")
    func dearFrames() {
        let rate = RateController(
            mode: .constant(bitsPerFrame: 128_000 * 1024 / 48_000.0), channelCount: 2, initialLog2NoiseScale: -4)
        func plan(_ scale: Float) -> FramePlan {
            let entropy = { (noiseScale: Float) in scale * PortableMath.exp2(-0.3 * PortableMath.log2(noiseScale)) }
            return rate.plan(entropy: entropy(rate.noiseScale), entropyAtNoiseScale: entropy)
        }
        let (cheap, dear) = (plan(900), plan(1800))
        #expect(dear.log2NoiseScale > cheap.log2NoiseScale + 0.3)
        #expect(dear.log2NoiseScale < cheap.log2NoiseScale + 1 / 0.3)
        #expect(abs(dear.slope + 0.3) < 0.05)
    }

    @Test("A repair follows the slope in whole scale factors, and grows with each attempt")
    func repairs() {
        var plan = FramePlan(log2NoiseScale: -4, slope: -0.25)
        // A quarter of an octave too many bits equals an octave of noise: two steps, and one for the margin.
        let steps = plan.repair(bits: 2378, limit: 2000, attempt: 1)
        #expect(steps == 3 && plan.log2NoiseScale == -2.5)
        let again = plan.repair(bits: 2001, limit: 2000, attempt: 4)
        #expect(again == 4 && plan.log2NoiseScale == -0.5)
    }

    @Test(
        "An average rate is reached within 2 % after ten seconds, for any frame rate and initial noise scale",
        arguments: [8_000, 16_000, 22_050, 32_000, 48_000], [-2, -1, 0, 1, 2] as [Float])
    func firstSeconds(sampleRate: Int, error: Float) {
        let nominal = 4_000.0
        let framesPerSecond = Float(sampleRate) / 1024
        var rate = RateController(
            mode: .average(bitsPerFrame: nominal), channelCount: 2, initialLog2NoiseScale: -4 + error, framesPerSecond: framesPerSecond)
        var random = SeededRandom(seed: 9)
        var total = 0
        for frame in 1...Int(30 * framesPerSecond) {
            // An octave of noise costs a quarter of the bits. Single frames differ by a third.
            let scale = PortableMath.exp2(-0.4 * (rate.frameLog2NoiseScale + 4)) * Float.random(in: 0.7...1.3, using: &random)
            let bits = Int(nominal * Double(scale))
            rate.advance(bits: bits)
            total += bits
            guard Float(frame) >= 10 * framesPerSecond else { continue }
            #expect(abs(Double(total) / (nominal * Double(frame)) - 1) < 0.02, "\(frame) frames")
        }
    }
}
