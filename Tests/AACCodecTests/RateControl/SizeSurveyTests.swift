// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

import AudioPrimitives
import TestSupport
import Testing

@testable import AACCodec

@Suite struct SizeSurveyTests {
    @Test(
        "Where bits are in proportion to an entropy that falls exponentially, the solution is exact",
        arguments: 1...20 as ClosedRange<UInt64>)
    func exponential(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let slope = Double.random(in: -0.5 ... -0.2, using: &random)
        let bitsPerEntropy = Double.random(in: 0.8...1.6, using: &random)
        let offset = Double.random(in: -2...2, using: &random)
        var survey = SizeSurvey()
        var (total, count) = (0.0, 0)
        for _ in 0..<400 {
            let entropy = Double.random(in: 500...4_000, using: &random)
            func value(_ offset: Double) -> Float { Float(entropy * PortableMath.powerOfTwo(slope * offset)) }
            survey.add([value(-2), value(0), value(2)], bits: survey.codesNext ? Int(entropy * bitsPerEntropy) : nil)
            total += entropy * bitsPerEntropy * PortableMath.powerOfTwo(slope * offset)
            count += 1
        }
        let found = try #require(survey.solution(bitsPerUnit: total / Double(count)))
        #expect(abs(found.offset - offset) < 0.01 && abs(found.slope - slope) < 0.001, "\(found), expected \(offset) and \(slope)")
    }

    @Test("A survey of silence has no solution")
    func silence() {
        var survey = SizeSurvey()
        for _ in 0..<8 { survey.add([1e-3, 1e-4, 0], bits: survey.codesNext ? 40 : nil) }
        #expect(survey.solution(bitsPerUnit: 1_000) == nil)
    }

    @Test("A survey in two parts is that of the whole; one without a coded unit has no solution")
    func parts() {
        var (whole, first, second) = (SizeSurvey(), SizeSurvey(), SizeSurvey())
        #expect(whole.solution(bitsPerUnit: 1_000) == nil)
        for index in 0..<64 {
            let middle = Float(2_000 + index)
            let unit: [3 of Float] = [middle + 1_000, middle, middle - 1_000]
            let bits = whole.codesNext ? 2_500 : nil
            whole.add(unit, bits: bits)
            if index < 32 { first.add(unit, bits: bits) } else { second.add(unit, bits: bits) }
        }
        first.add(second)
        #expect(first.unitCount == 64 && whole.unitCount == 64)
        #expect(first.solution(bitsPerUnit: 2_000)?.offset == whole.solution(bitsPerUnit: 2_000)?.offset)
    }

    @Test(
        "The sizes of noise with pauses, of which a quarter is coded, are known within 6 % an octave of noise away",
        arguments: [48_000, 96_000])
    func prediction(bitRate: Int) throws {
        let configuration = AACEncoderConfiguration(sampleRate: 48_000, channelCount: 1, rateControl: .average(bitRate: bitRate))
        let encoder = try AACEncoder(configuration)
        let start = encoder.typicalLog2NoiseScale
        encoder.setFixedNoiseScale(log2: start)
        var random = SeededRandom(seed: 3)
        var buffer = PCMBuffer(sampleRate: 48_000, channelCount: 1, frameCapacity: 96_000)
        buffer.setFrameCount(96_000)
        var low: Float = 0
        for frame in 0..<96_000 {
            low += 0.2 * (Float.random(in: -0.3...0.3, using: &random) - low)
            buffer.samples[frame] = low * (frame % 24_000 < 16_000 ? 1 : 0.1)
        }
        encoder.beginSurvey()
        try encoder.encode(buffer) { _ in Issue.record("a unit in a survey") }
        let survey = encoder.endSurvey()
        #expect(survey.unitCount == 93)
        var sizes: [Double] = []
        for offset: Float in [-1, 1] {
            encoder.setFixedNoiseScale(log2: start + offset)
            encoder.reset()
            var bits = 0
            try encoder.encode(buffer) { bits += 8 * $0.payload.count }
            sizes.append(Double(bits) / 93)
            let found = try #require(survey.solution(bitsPerUnit: Double(bits) / 93))
            #expect(abs((found.offset - Double(offset)) * found.slope) < 0.085, "\(found) in place of \(offset)")
        }
        #expect(sizes[0] > 1.2 * sizes[1])
    }
}
