// SPDX-License-Identifier: Apache-2.0

import AudioPrimitives
import Foundation
import ILBCCodec
import TestSupport
import Testing

@Suite struct ILBCEncoderTests {
    @Test(
        "Quality for speech-like signals exceeds PJSIP's encoder",
        arguments: selectedCases(ILBCMode.allCases, [UInt64(1), 2]))
    func quality(mode: ILBCMode, seed: UInt64) throws {
        let samples = SpeechLikeSignal.mixed(80_000, seed: seed)
        let decoded = try mode.decode(mode.encode(samples))
        let ratio = SignalDistance.segmental(ILBCMode.filteredInput(samples), decoded)
        // Measured with PJSIP 2.15's streams of these signals
        let reached: Float = seed == 1 ? (mode == .milliseconds20 ? 17.77 : 17.63) : (mode == .milliseconds20 ? 13.81 : 13.51)
        #expect(ratio > reached, "seed \(seed): \(ratio) dB")
    }

    @Test("Vowels preserve their waveform", arguments: selectedCases(ILBCMode.allCases, [Float(70), 110, 160, 220, 300, 390]))
    func vowels(mode: ILBCMode, pitch: Float) throws {
        let samples = SpeechLikeSignal.vowel(16_000, pitch: pitch, seed: 7)
        let ratio = SignalDistance.segmental(ILBCMode.filteredInput(samples), try mode.decode(mode.encode(samples)))
        #expect(ratio > 11, "\(pitch) Hz: \(ratio) dB")
    }

    @Test("Noise preserves its spectrum", arguments: ILBCMode.allCases)
    func noise(mode: ILBCMode) throws {
        var random = SeededRandom(seed: 11)
        let samples = random.samples(32_000, amplitude: 3000).map { Int16($0) }
        let decoded = try mode.decode(mode.encode(samples))
        let ratio = SignalDistance.level(decoded) / SignalDistance.level(samples.map { Float($0) })
        #expect((0.75...1.1).contains(ratio), "\(ratio)")
    }

    @Test("Silence stays quiet", arguments: ILBCMode.allCases)
    func silence(mode: ILBCMode) throws {
        let decoded = try mode.decode(mode.encode([Int16](repeating: 0, count: 8000)))
        // The smallest start state is ±4, which its filter can double.
        #expect(decoded.allSatisfy { abs($0) < 50 })
    }

    @Test("Encodes full-scale signals", arguments: ILBCMode.allCases)
    func fullScale(mode: ILBCMode) throws {
        let square = (0..<16_000).map { $0 / 20 % 2 == 0 ? Int16.max : Int16.min }
        let sine = (0..<16_000).map { Int16(32767 * sin(Double($0) * 0.3)) }
        for samples in [square, sine] {
            let decoded = try mode.decode(mode.encode(samples))
            #expect(SignalDistance.segmental(ILBCMode.filteredInput(samples), decoded) > 6)
        }
    }

    @Test("Removes DC offset and 50 Hz hum unless disabled", arguments: ILBCMode.allCases)
    func lowFrequencies(mode: ILBCMode) throws {
        let samples = (0..<16_000).map { Int16(4000 + 3000 * sin(2 * Double.pi * 50 * Double($0) / 8000)) }
        var levels: [Float] = []
        for removesLowFrequencies in [true, false] {
            var encoder = ILBCEncoder(mode: mode, removesLowFrequencies: removesLowFrequencies)
            let length = mode.samplesPerFrame
            let frames = try stride(from: 0, through: samples.count - length, by: length).map {
                try encoder.encode(Array(samples[$0..<$0 + length]))
            }
            levels.append(SignalDistance.level(try mode.decode(frames).suffix(8000)))
        }
        #expect(levels[0] < 0.5 * levels[1], "\(levels)")
    }

    @Test("Encoding is deterministic", arguments: ILBCMode.allCases)
    func determinism(mode: ILBCMode) throws {
        let samples = SpeechLikeSignal.mixed(8000, seed: 5)
        #expect(try mode.encode(samples) == mode.encode(samples))
    }

    @Test("Wrong block lengths throw", arguments: ILBCMode.allCases)
    func wrongLength(mode: ILBCMode) {
        var encoder = ILBCEncoder(mode: mode)
        for count in [0, 1, 159, 161, 239, 241, 480] {
            let error = CodecError.wrongBlockLength(sampleCount: count, mode: mode)
            #expect(throws: error) { try encoder.encode([Int16](repeating: 0, count: count)) }
            #expect(error.description.contains("\(count) samples"))
        }
    }

    @Test("Random samples yield valid, non-empty frames", arguments: ILBCMode.allCases, 0..<5 as Range<UInt64>)
    func anySamples(mode: ILBCMode, seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let extremes: [Int16] = [.min, .max, 0, 1, -1]
        let samples = (0..<4800).map { _ in
            Bool.random(using: &random) ? extremes[Int.random(in: 0..<5, using: &random)] : Int16.random(in: .min ... .max, using: &random)
        }
        for bytes in try mode.encode(samples) {
            var frame = FrameParameters(mode: mode)
            frame.unpack(bytes)
            #expect(frame.isValid && !frame.isEmpty, "seed \(seed)")
        }
    }
}
