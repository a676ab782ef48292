// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

import TestSupport
import Testing

@testable import AACCodec

@Suite struct RateControllerTests {
    @Test("At a constant rate the reservoir never runs dry or over, whatever frames take", arguments: 1...10 as ClosedRange<UInt64>)
    func reservoir(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var rate = RateController(
            mode: .constant(bitRate: 128_000), bitRate: 128_000, sampleRate: 48_000, channelCount: 2, startLevel: 0)
        let nominal = 128_000.0 * 1024 / 48_000
        let size = 2 * 6144 - nominal
        var fill = size / 2
        for _ in 0..<2000 {
            #expect(rate.smallestFrame <= rate.largestFrame)
            // A frame takes what it likes within what it is allowed.
            let wanted = Int.random(in: 0...9000, using: &random)
            let bits = min(max(wanted, rate.smallestFrame), rate.largestFrame)
            rate.advance(bits: bits)
            fill += nominal - Double(bits)
            #expect(fill >= -1 && fill <= size + 1, "seed \(seed)")
        }
    }

    @Test("Quality falls when frames take too much, and rises when they take too little")
    func direction() {
        for mode in [AACEncoderConfiguration.RateControl.constant(bitRate: 96_000), .average(bitRate: 96_000)] {
            var spender = RateController(mode: mode, bitRate: 96_000, sampleRate: 48_000, channelCount: 2, startLevel: -3)
            var saver = spender
            let start = spender.quality
            for _ in 0..<20 {
                spender.advance(bits: min(2400, spender.largestFrame))
                saver.advance(bits: max(1600, saver.smallestFrame))
            }
            #expect(spender.quality > start && saver.quality < start)
        }
    }

    @Test("Variable quality stays where it is")
    func variable() {
        var rate = RateController(mode: .variable(quality: 50), bitRate: nil, sampleRate: 48_000, channelCount: 2, startLevel: -3)
        let start = rate.quality
        rate.advance(bits: 9000)
        #expect(rate.quality == start && rate.largestFrame == 2 * 6144 && rate.smallestFrame == 0)
    }

    @Test("Where the rate is not constant, noise rises with a frame's entropy, and easy sound has the same however easy it is")
    func noiseByEntropy() {
        let noise = EntropyNoise(exponent: 0.6, typicalBits: 2048)
        let held = RateController(holding: -4, channelCount: 2, entropyNoise: noise)
        var average = RateController(
            mode: .average(bitRate: 96_000), bitRate: 96_000, sampleRate: 48_000, channelCount: 2, startLevel: -4)
        average.entropyNoise = noise
        var variable = RateController(mode: .variable(quality: 40), bitRate: nil, sampleRate: 48_000, channelCount: 2, startLevel: -4)
        variable.entropyNoise = noise
        for rate in [average, held, variable] {
            let levels = ([0, 500, 1300, 2000, 4000, 8000] as [Float]).map { entropy in
                rate.plan(entropy: entropy) { _ in entropy }.level
            }
            #expect(levels == levels.sorted() && levels[0] == levels[1] && levels[0] < levels[2])
            // Typical sound gets what was asked for, and bits still rise with the entropy: an octave of noise is less than one of bits.
            #expect(levels[0] < -4 && abs(levels[3] + 4) < 0.1 && levels[5] - levels[4] < 0.7)
        }
    }

    @Test("Noise follows entropy at average and variable rates of AAC-LC, more at the latter, and nowhere else")
    func entropyNoise() {
        func exponent(_ rateControl: AACEncoderConfiguration.RateControl, _ profile: AACProfile) -> Float {
            var configuration = AACEncoderConfiguration(sampleRate: 48_000, channelCount: 2, rateControl: rateControl)
            configuration.profile = profile
            return configuration.entropyNoise.exponent
        }
        #expect(exponent(.constant(bitRate: 64_000), .lowComplexity) == 0)
        let average = exponent(.average(bitRate: 64_000), .lowComplexity)
        #expect(average > 0 && exponent(.variable(quality: 50), .lowComplexity) > average)
        #expect(exponent(.average(bitRate: 64_000), .highEfficiency) == 0 && exponent(.variable(quality: 20), .highEfficiency) == 0)
    }

    @Test(
        "Frames that take what their entropy says stay within the reservoir at the first attempt", arguments: 1...5 as ClosedRange<UInt64>)
    func plans(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var rate = RateController(
            mode: .constant(bitRate: 128_000), bitRate: 128_000, sampleRate: 48_000, channelCount: 2, startLevel: -4)
        var repeats = 0
        var total = 0
        let count = 2000
        for _ in 0..<count {
            // One frame in ten is dear.
            let scale = Float.random(in: 0..<1, using: &random) < 0.1 ? Float(3000) : 1000
            let entropy = { (quality: Float) in scale * PortableMath.exp2(-0.3 * PortableMath.log2(quality)) }
            let plan = rate.plan(entropy: entropy(rate.quality), at: entropy)
            let bits = Int(entropy(plan.quality) * 1.1 + 150)
            if bits > rate.largestFrame { repeats += 1 }
            rate.learn(bits: bits, of: plan)
            let taken = max(min(bits, rate.largestFrame), rate.smallestFrame)
            rate.advance(bits: taken, content: bits)
            total += taken
        }
        #expect(repeats < count / 100, "seed \(seed)")
        #expect(abs(Double(total) / Double(count) / rate.nominalBits - 1) < 0.01, "seed \(seed)")
    }

    @Test("A dear frame gets more noise than a cheap one, and less than its bits would have to pay for alone")
    func dearFrames() {
        let rate = RateController(
            mode: .constant(bitRate: 128_000), bitRate: 128_000, sampleRate: 48_000, channelCount: 2, startLevel: -4)
        func plan(_ scale: Float) -> FramePlan {
            let entropy = { (quality: Float) in scale * PortableMath.exp2(-0.3 * PortableMath.log2(quality)) }
            return rate.plan(entropy: entropy(rate.quality), at: entropy)
        }
        let (cheap, dear) = (plan(900), plan(1800))
        #expect(dear.level > cheap.level + 0.3)
        #expect(dear.level < cheap.level + 1 / 0.3)
        #expect(abs(dear.slope + 0.3) < 0.05)
    }

    @Test("A repair goes as far as the slope says, in whole scale factors, and further each time")
    func repairs() {
        var plan = FramePlan(level: -4, slope: -0.25)
        // A quarter of an octave too much is an octave of noise: two steps, and one for the margin.
        let steps = plan.repair(bits: 2378, limit: 2000, attempt: 1)
        #expect(steps == 3 && plan.level == -2.5)
        let again = plan.repair(bits: 2001, limit: 2000, attempt: 4)
        #expect(again == 4 && plan.level == -0.5)
    }
}
