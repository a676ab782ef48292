// SPDX-License-Identifier: Apache-2.0

import Foundation
import ILBCCodec
import TestSupport
import Testing

@Suite struct EnhancerTests {
    @Test("Enhancement preserves energy and changes at most a twentieth of it", arguments: 0..<30 as Range<UInt64>)
    func constraint(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let original = random.samples(80, amplitude: 1000)
        let other = random.samples(80, amplitude: 1000)
        // From nearly equal to unrelated blocks
        let share = Float(seed) / 29
        let smoothed = zip(original, other).map { (1 - share) * $0 + share * $1 }
        let result = EnhancementConstraint.apply(to: original, smoothed: smoothed)
        let energy = original.reduce(0) { $0 + $1 * $1 }
        let difference = zip(original, result).reduce(Float(0)) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }
        #expect(difference <= 0.0501 * energy, "seed \(seed)")
        #expect(abs(result.reduce(0) { $0 + $1 * $1 } / energy - 1) < 1e-3, "seed \(seed)")
    }

    @Test("Silence and isolated blocks are unchanged")
    func silence() {
        let zeros = [Float](repeating: 0, count: 80)
        var random = SeededRandom(seed: 1)
        let block = random.samples(80, amplitude: 10)
        #expect(EnhancementConstraint.apply(to: zeros, smoothed: block) == zeros)
        #expect(EnhancementConstraint.apply(to: block, smoothed: zeros) == block)
    }

    @Test("Enhanced output approximates PJSIP's decoder", arguments: ILBCMode.allCases)
    func otherDecoder(mode: ILBCMode) throws {
        let frames = try PJSIPVectors.frames(mode: mode)
        let bytes = try PJSIPVectors.bytes("pjsip-\(mode.milliseconds)-decoded.s16")
        let wanted = stride(from: 0, to: bytes.count - 1, by: 2).map {
            Float(Int16(bitPattern: UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8))
        }
        let found = try mode.decode(frames, isEnhanced: true, removesLowFrequencies: true)
        let ratio = SignalDistance.signalToNoise(wanted, found)
        // Choices that the RFC leaves open differ in detail. Without the enhancer, the ratio for a longer signal is 17 dB.
        #expect(ratio > 24, "\(ratio) dB")
    }

    @Test("Reduces noise on a periodic excitation", arguments: ILBCMode.allCases, [25, 40, 57, 64, 100])
    func noiseReduction(mode: ILBCMode, period: Int) {
        var random = SeededRandom(seed: UInt64(period))
        let cycle = random.samples(period, amplitude: 1000)
        let clean = (0..<4800).map { cycle[$0 % period] }
        let noisy = zip(clean, random.samples(4800, amplitude: 250)).map { $0 + $1 }
        var enhancer = Enhancer(mode: mode)
        let enhanced = stride(from: 0, to: 4800, by: mode.samplesPerFrame).flatMap { start in
            enhancer.enhance(Array(noisy[start..<start + mode.samplesPerFrame]))
        }
        let range = 1000..<4000
        let before = SignalDistance.signalToNoise(clean[range], noisy[range])
        let after = SignalDistance.signalToNoise(
            clean[range], enhanced.dropFirst(mode.enhancementDelay)[range.shifted(by: mode.enhancementDelay)])
        #expect(after > before + 1.5, "\(before) dB, then \(after) dB")
    }

    @Test("Finds fractional sample shifts", arguments: [0, 1, 2, 3])
    func fractions(quarter: Int) {
        // A signal with a narrow autocorrelation, and a shifted copy
        let shift = Float(quarter) / 4
        func value(_ time: Float) -> Float {
            [Float](arrayLiteral: 0.21, 0.5, 0.9, 1.3, 1.7).enumerated().reduce(0) { $0 + 100 * sinf($1.element * time + Float($1.offset)) }
        }
        let memory = (0..<640).map { value(Float($0)) }
        let block = (0..<80).map { value(Float(300 + $0) + shift) }
        let sequence = PitchSynchronousSequence(of: memory, matching: block, near: 300)
        #expect(abs(sequence.position - 300 - shift) <= 0.25)
        #expect(SignalDistance.signalToNoise(block, sequence.samples) > 12)
    }
}

extension Range<Int> {
    /// Returns the range shifted by an offset.
    fileprivate func shifted(by offset: Int) -> Range<Int> { lowerBound + offset..<upperBound + offset }
}
