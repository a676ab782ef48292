// SPDX-License-Identifier: Apache-2.0

import AACCodec
import AudioPrimitives
import TestSupport
import Testing
import TransformCoding
import TransformEncoding

@Suite struct SizeEstimatorTests {
    @Test(
        "The solution is exact for bits proportional to an exponentially falling entropy",
        arguments: 1...20 as ClosedRange<UInt64>)
    func exponential(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let slope = Double.random(in: -0.5 ... -0.2, using: &random)
        let bitsPerEntropy = Double.random(in: 0.8...1.6, using: &random)
        let offset = Double.random(in: -2...2, using: &random)
        let accessUnits = (0..<400).map { _ in Double.random(in: 500...4_000, using: &random) }
        func bits(_ entropy: Double, _ offset: Double) -> Double { entropy * bitsPerEntropy * PortableMath.powerOfTwo(slope * offset) }
        var sizeEstimator = SizeEstimator(bitsPerUnit: accessUnits.reduce(0) { $0 + bits($1, offset) } / 400)
        for entropy in accessUnits {
            func value(_ offset: Double) -> Float { Float(entropy * PortableMath.powerOfTwo(slope * offset)) }
            let coded = sizeEstimator.codesNext ? Int(bits(entropy, Double(sizeEstimator.offset))) : nil
            sizeEstimator.add([value(-2), value(0), value(2)], bits: coded)
        }
        let found = try #require(sizeEstimator.solution())
        #expect(abs(found.offset - offset) < 0.01 && abs(found.slope - slope) < 0.001, "\(found), expected \(offset) and \(slope)")
        for (size, entropy) in zip(found.sizes, accessUnits) { #expect(abs(size / bits(entropy, offset) - 1) < 0.005, "seed \(seed)") }
    }

    @Test("Follows a drifting ratio of bits to entropy", arguments: 1...5 as ClosedRange<UInt64>)
    func drift(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let accessUnits = (0..<64).map { (entropy: Double.random(in: 2_000...3_000, using: &random), factor: 1 + 0.004 * Double($0)) }
        var sizeEstimator = SizeEstimator(bitsPerUnit: accessUnits.reduce(0) { $0 + $1.entropy * $1.factor } / 64)
        for accessUnit in accessUnits {
            func value(_ offset: Double) -> Float { Float(accessUnit.entropy * PortableMath.powerOfTwo(-0.4 * offset)) }
            let coded = sizeEstimator.codesNext ? Int(Double(value(Double(sizeEstimator.offset))) * accessUnit.factor) : nil
            sizeEstimator.add([value(-2), value(0), value(2)], bits: coded)
        }
        let found = try #require(sizeEstimator.solution())
        for (size, accessUnit) in zip(found.sizes, accessUnits) {
            #expect(abs(size / (accessUnit.entropy * accessUnit.factor) - 1) < 0.015, "seed \(seed): \(size) for \(accessUnit)")
        }
    }

    @Test("Samples sizes near the target size")
    func offset() {
        var sizeEstimator = SizeEstimator(bitsPerUnit: 2_000)
        for _ in 0..<16 {
            let bits = sizeEstimator.codesNext ? Int(3_000 * PortableMath.powerOfTwo(-0.4 * Double(sizeEstimator.offset))) : nil
            sizeEstimator.add([Float(2_500 * 1.741_1), 2_500, Float(2_500 / 1.741_1)], bits: bits)
        }
        #expect(abs(sizeEstimator.offset - 1.46) < 0.02, "\(sizeEstimator.offset), expected log2(3000 / 2000) / 0.4")
    }

    @Test("A loud access unit between silent ones, which are side information only, gets less than twice its size")
    func attack() throws {
        var sizeEstimator = SizeEstimator(bitsPerUnit: 3_000)
        for index in 0..<64 {
            let isSilent = index < 16 && index != 8
            let entropy: Float = isSilent ? 0.1 : 2_400
            let size = isSilent ? 80 : 3_000 * PortableMath.powerOfTwo(-0.4 * Double(sizeEstimator.offset))
            sizeEstimator.add([entropy * 1.741_1, entropy, entropy / 1.741_1], bits: sizeEstimator.codesNext ? Int(size) : nil)
        }
        let sizes = try #require(sizeEstimator.solution()).sizes
        #expect(sizes[8] < 2 * sizes[40] && sizes[8] > sizes[40] / 2, "\(sizes[8]) in place of \(sizes[40])")
    }

    @Test("Silence has no solution")
    func silence() {
        var sizeEstimator = SizeEstimator(bitsPerUnit: 1_000)
        for _ in 0..<8 { sizeEstimator.add([1e-3, 1e-4, 0], bits: sizeEstimator.codesNext ? 40 : nil) }
        #expect(sizeEstimator.solution() == nil && sizeEstimator.offset == 0)
    }

    @Test("Merged size estimates equal a single estimate; without a coded access unit there is no solution")
    func parts() {
        let empty = SizeEstimator(bitsPerUnit: 2_500)
        var (whole, first, second) = (empty, empty, empty)
        #expect(empty.solution() == nil)
        for index in 0..<64 {
            let middle = Float(2_000 + index)
            let accessUnit: SIMD3<Float> = [middle + 1_000, middle, middle - 1_000]
            // The number of bits that keeps the noise scale.
            let bits = whole.codesNext ? 2_500 : nil
            whole.add(accessUnit, bits: bits)
            if index < 32 { first.add(accessUnit, bits: bits) } else { second.add(accessUnit, bits: bits) }
        }
        first.add(second)
        #expect(first.accessUnitCount == 64 && whole.accessUnitCount == 64)
        #expect(abs((first.solution()?.offset ?? 9) - (whole.solution()?.offset ?? -9)) < 0.1)
    }

    @Test(
        "Predicts the sizes of noise with pauses within 6 % at twice the noise, from a quarter of the access units",
        arguments: [48_000, 96_000], [AACProfile.lowComplexity, .extendedHighEfficiency])
    func prediction(bitRate: Int, profile: AACProfile) throws {
        var configuration = AACEncoderConfiguration(sampleRate: 48_000, channelCount: 1, rateControl: .average(bitRate: bitRate))
        configuration.profile = profile
        if profile == .extendedHighEfficiency { configuration.settings.statedLoudness = -24 }
        let encoder = try AACEncoder(configuration)
        let start = encoder.typicalLog2NoiseScale
        encoder.setFixedNoiseScale(log2: start)
        var random = SeededRandom(seed: 3)
        var buffer = PCMBuffer(sampleRate: 48_000, channelCount: 1, frameCapacity: 96_000)
        buffer.frameCount = 96_000
        var low: Float = 0
        for frame in 0..<96_000 {
            low += 0.2 * (Float.random(in: -0.3...0.3, using: &random) - low)
            buffer.samples[frame] = low * (frame % 24_000 < 16_000 ? 1 : 0.1)
        }
        var sizes: [Double] = []
        for offset: Float in [-1, 1] {
            encoder.setFixedNoiseScale(log2: start + offset)
            encoder.reset()
            var bits = 0
            try encoder.encode(buffer) { bits += 8 * $0.payload.count }
            sizes.append(Double(bits) / 93)
            encoder.setFixedNoiseScale(log2: start)
            encoder.reset()
            encoder.startSizeEstimate(SizeEstimator(bitsPerUnit: Double(bits) / 93))
            try encoder.encode(buffer) { _ in Issue.record("a unit in a survey") }
            let sizeEstimator = try #require(encoder.finishSizeEstimate())
            #expect(sizeEstimator.accessUnitCount == 93)
            let found = try #require(sizeEstimator.solution())
            #expect(abs((found.offset - Double(offset)) * found.slope) < 0.085, "\(found) in place of \(offset)")
        }
        #expect(sizes[0] > 1.2 * sizes[1])
    }
}
