// SPDX-License-Identifier: Apache-2.0

import AudioMeasures
import Foundation
import TestSupport
import Testing

@Suite struct SignalComparisonTests {
    @Test("Delayed copy is equal")
    func delayedCopy() throws {
        let original = noise(decibels: -20, frames: 30_000, seed: 15)
        let other = noise(decibels: -25, frames: 30_000, seed: 16)
        let gap = [Float](repeating: 0, count: 2112)
        let comparison = try SignalComparison(reference: sound(original, other), test: sound(gap + original, gap + other))
        #expect(comparison.alignment.delay == 2112 && comparison.frameCount == 30_000)
        #expect(comparison.level.signalToNoise == .infinity && comparison.level.differences == [0, 0])
        let total = try #require(comparison.noiseToMaskRatio.total)
        #expect(total.mean == -30 && total.percentile95 == -30 && total.audibleShare == 0)
        let image = try #require(comparison.stereoImage?.total)
        // The two are transformed at once, so that zero is a matter of rounding.
        #expect(image.levelDifference < 1e-12 && image.coherence < 1e-12)
        #expect(comparison.referenceBandwidth == comparison.testBandwidth)
    }

    @Test("Swapped channels are an image error of the level difference")
    func swapped() throws {
        let loud = noise(decibels: -20, frames: 48_000, seed: 17)
        let quiet = noise(decibels: -26, frames: 48_000, seed: 18)
        let comparison = try SignalComparison(reference: sound(loud, quiet), test: sound(quiet, loud), delay: 0)
        let total = try #require(comparison.stereoImage?.total)
        #expect(abs(total.levelDifference - 12) < 1)
        #expect(total.coherence < 0.05)
    }

    @Test("Wide signal reduced to mono is a coherence error")
    func narrowed() throws {
        let (left, right) = (noise(decibels: -20, frames: 96_000, seed: 19), noise(decibels: -20, frames: 96_000, seed: 20))
        let mid = sum(left, right).map { $0 / 2 }
        let total = try #require(try SignalComparison(reference: sound(left, right), test: sound(mid, mid)).stereoImage?.total)
        #expect(abs(total.coherence - 1) < 0.15)
    }

    @Test("Finds the bandwidth of a low-pass filtered signal", arguments: [6000.0, 16_000])
    func lowPass(hertz: Double) throws {
        let original = noise(decibels: -20, frames: 48_000, seed: 21)
        // A windowed sinc of 511 taps.
        let taps = (-255...255).map { tap -> Double in
            let x = 2 * hertz / Double(testRate)
            let sinc = tap == 0 ? x : sin(Double.pi * x * Double(tap)) / (Double.pi * Double(tap))
            let t = Double(tap) / 256
            return sinc * (0.42 + 0.5 * cos(Double.pi * t) + 0.08 * cos(2 * Double.pi * t))
        }
        let filtered = convolved(original, with: taps)
        let comparison = try SignalComparison(reference: sound(original), test: sound(filtered))
        #expect(comparison.alignment.delay == 0)
        #expect(comparison.referenceBandwidth > 23_900)
        // The filter falls over 280 Hz either way, and the spectrum's points see 50 Hz more.
        #expect(abs(comparison.testBandwidth - hertz) < 450)
    }

    @Test("Finds an artificial pre-echo at its onset, with its energy")
    func preEcho() throws {
        var original = [Float](repeating: 0, count: 96_000)
        for start in [20_000, 45_000, 70_000] {
            let burst = noise(decibels: -10, frames: 4000, seed: UInt64(start))
            for index in burst.indices { original[start + index] = burst[index] * exp(-Float(index) / 1000) }
        }
        var test = original
        let echo = noise(decibels: -40, frames: 1200, seed: 22)
        for index in echo.indices { test[45_000 - 1200 + index] += echo[index] }
        let onsets = try SignalComparison(reference: sound(original), test: sound(test)).preEcho.onsets
        #expect(onsets.count == 3)
        for (onset, start) in zip(onsets, [20_000, 45_000, 70_000]) {
            #expect(abs(onset.time / .seconds(1) * Double(testRate) - Double(start)) < 20)
        }
        #expect(onsets[0].toOnset == PreEcho.floor && onsets[2].toOnset == PreEcho.floor)
        let loud = Decibels.power(energy(original, 45_000..<45_960) / 960)
        #expect(abs(onsets[1].toOnset - (-40 - loud)) < 1)
        // Before it the reference is silent, which counts as -90 dBFS.
        #expect(abs(onsets[1].toSignal - 50) < 1)
    }

    @Test("Steady signal has no onsets")
    func steady() throws {
        let original = sum(sine(50, frames: 48_000), sine(3000, frames: 48_000))
        #expect(try SignalComparison(reference: sound(original), test: sound(original)).preEcho.onsets.isEmpty)
    }

    @Test("Incomparable signals throw")
    func refused() {
        let one = sound([0, 1, 0])
        #expect(throws: SignalComparisonError.channelCounts(1, 2)) { try SignalComparison(reference: one, test: sound([0], [0])) }
        #expect(throws: SignalComparisonError.sampleRates(48_000, 44_100)) {
            try SignalComparison(reference: one, test: AudioSignal(sampleRate: 44_100, channels: [[0, 1, 0]]))
        }
        for delay in [7, -7, 3, -3, .max, .min] {
            #expect(throws: SignalComparisonError.noOverlap(delay: delay)) { try SignalComparison(reference: one, test: one, delay: delay) }
        }
    }

    @Test("Measures short and silent signals without traps", arguments: [1, 2, 255, 1023, 1025])
    func short(frames: Int) throws {
        for samples in [[Float](repeating: 0, count: frames), noise(decibels: -10, frames: frames, seed: 23)] {
            let comparison = try SignalComparison(reference: sound(samples, samples), test: sound(samples, samples))
            #expect(comparison.level.signalToNoise == .infinity)
            #expect(comparison.preEcho.onsets.isEmpty)
        }
    }
}
