// SPDX-License-Identifier: Apache-2.0

import AudioMeasures
import Foundation
import Testing

@Suite struct LevelMeasuresTests {
    @Test("Measures a known signal-to-noise ratio", arguments: [-60.0, -30, 0])
    func known(level: Double) throws {
        let original = noise(decibels: -20, frames: 48_000, seed: 4)
        let test = sum(original, noise(decibels: -20 + level, frames: 48_000, seed: 5))
        let measures = LevelMeasures(reference: sound(original), test: sound(test))
        #expect(abs(measures.signalToNoise + level) < 0.1)
        #expect(abs(try #require(measures.segmentalSignalToNoise) + level) < 0.3)
        let gain = Decibels.power(1 + Decibels.ratio(level))
        #expect(abs(measures.differences[0] - gain) < 0.1)
    }

    @Test("Segments have equal weight at any level")
    func segments() throws {
        let loud = sum(sine(500, frames: 48_000), [Float](repeating: 0, count: 48_000))
        let quiet = sine(500, amplitude: 0.005, frames: 48_000)
        // 40 dB below the loud half, and as much below the quiet one.
        let test = zip(loud + quiet, noise(decibels: 0, frames: 96_000, seed: 6)).enumerated().map { index, pair in
            pair.0 + pair.1 * (index < 48_000 ? 0.5 : 0.005) * 0.01 * Float(0.5.squareRoot())
        }
        let measures = LevelMeasures(reference: sound(loud + quiet), test: sound(test))
        #expect(abs(measures.signalToNoise - 40) < 0.2)
        #expect(abs(try #require(measures.segmentalSignalToNoise) - 40) < 0.3)
    }

    @Test("A sample that is not finite is a difference, unless both signals have it", arguments: [Float.nan, .infinity])
    func invalid(sample: Float) {
        var channel = sine(500, frames: 5000)
        let original = sound(channel)
        channel[2500] = sample
        let damaged = sound(channel)
        for measures in [LevelMeasures(reference: original, test: damaged), LevelMeasures(reference: damaged, test: original)] {
            #expect(measures.signalToNoise < -500 && (measures.segmentalSignalToNoise ?? .nan) < 200)
        }
        #expect(LevelMeasures(reference: damaged, test: damaged).signalToNoise == .infinity)
        let ratios = NoiseToMaskRatio(reference: original, test: damaged)
        #expect((NoiseToMaskRatio.summary(of: [ratios])?.mean ?? .nan) > 0)
    }

    @Test("Equal signals have an infinite ratio and no level difference; silence has no segments")
    func equal() {
        let original = sound(noise(decibels: -20, frames: 5000, seed: 7), sine(500, frames: 5000))
        let same = LevelMeasures(reference: original, test: original)
        #expect(same.signalToNoise == .infinity && same.segmentalSignalToNoise == .infinity && same.differences == [0, 0])
        let half = AudioSignal(sampleRate: testRate, channels: original.channels.map { $0.map { $0 / 2 } })
        for difference in LevelMeasures(reference: original, test: half).differences { #expect(abs(difference + 6.02) < 0.01) }
        let silence = sound([Float](repeating: 0, count: 3000))
        #expect(LevelMeasures(reference: silence, test: silence).segmentalSignalToNoise == nil)
    }
}
