// SPDX-License-Identifier: Apache-2.0

import AudioMeasures
import TestSupport
import Testing

@Suite struct SignalAlignmentTests {
    @Test("Finds exact delays in both directions and in noise", arguments: [0, 1, 2112, -777, 9000, -16_384, 16_384])
    func delays(delay: Int) {
        let frames = 60_000
        let original = noise(decibels: -20, frames: frames + 40_000, seed: 1)
        let reference = sound(Array(original[20_000..<20_000 + frames]))
        let start = 20_000 - delay
        let test = sound(sum(Array(original[start..<start + frames]), noise(decibels: -20, frames: frames, seed: 2)))
        let alignment = SignalAlignment(reference: reference, test: test)
        #expect(alignment.delay == delay)
        // Noise as loud as the signal halves the square of the correlation.
        #expect(abs(alignment.correlation - 0.5.squareRoot()) < 0.02)
        #expect(alignment.referenceRange == max(0, -delay)..<min(frames, frames - delay))
    }

    @Test("Aligns steady tones by their onset, and swapped or inverted channels by their common part")
    func ambiguous() {
        let silence = [Float](repeating: 0, count: 5000)
        let beep = silence + sine(1000, frames: 20_000) + silence
        let late = [Float](repeating: 0, count: 1105) + beep
        #expect(SignalAlignment(reference: sound(beep), test: sound(late)).delay == 1105)
        let other = noise(decibels: -30, frames: beep.count, seed: 3)
        #expect(SignalAlignment(reference: sound(beep, other), test: sound(other, beep)).delay == 0)
        let inverted = sound(other.map { -$0 })
        let alignment = SignalAlignment(reference: sound(other), test: inverted)
        #expect(alignment.delay == 0 && alignment.correlation < -0.999)
        // Damage in the middle makes another period look better where they overlap; it isn't the delay.
        var damaged = [Float](repeating: 0, count: 2112) + sine(200, frames: 48_000)
        for frame in 2112..<2500 { damaged[frame] = 0 }
        #expect(SignalAlignment(reference: sound(sine(200, frames: 48_000)), test: sound(damaged)).delay == 2112)
        let side = SignalAlignment(reference: sound(other, other.map { -$0 }), test: sound(silence + other, (silence + other).map { -$0 }))
        #expect(side.delay == 5000)
    }

    @Test("Signals without correlation are compared from the start")
    func unrelated() {
        let original = sound(noise(decibels: -20, frames: 60_000, seed: 1))
        for other in [noise(decibels: -20, frames: 60_000, seed: 2), [Float](repeating: 0, count: 60_000)] {
            let alignment = SignalAlignment(reference: original, test: sound(other))
            #expect(alignment.delay == 0 && alignment.referenceRange == 0..<60_000)
        }
    }

    @Test("Silence has no delay")
    func silent() {
        let silence = sound([Float](repeating: 0, count: 3000))
        let alignment = SignalAlignment(reference: silence, test: silence)
        #expect(alignment.delay == 0 && alignment.correlation == 0 && alignment.referenceRange == 0..<3000)
    }
}
