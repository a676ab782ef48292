// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Speech-like signals at 8 kHz: vowels with varying pitch, fricatives, pauses and clicks.
package enum SpeechLikeSignal {
    /// Returns a sequence of vowels, fricatives, pauses and clicks.
    ///
    /// - Parameters:
    ///   - count: The number of samples.
    ///   - seed: The seed of all choices.
    package static func mixed(_ count: Int, seed: UInt64) -> [Int16] {
        var random = SeededRandom(seed: seed)
        var samples: [Float] = []
        while samples.count < count {
            let length = Int.random(in: 800...3200, using: &random)
            switch Int.random(in: 0..<6, using: &random) {
            case 0: samples += hiss(length, random: &random)
            case 1: samples += random.samples(length, amplitude: 4)
            case 2:
                var click = random.samples(length, amplitude: 4)
                click[length / 2] = 12_000
                samples += click
            default: samples += vowel(length, pitch: Float.random(in: 80...250, using: &random), random: &random)
            }
        }
        return samples.prefix(count).map { Int16(max(-32768, min(32767, $0.rounded()))) }
    }

    /// Returns a long vowel with a constant pitch, in hertz.
    package static func vowel(_ count: Int, pitch: Float, seed: UInt64) -> [Int16] {
        var random = SeededRandom(seed: seed)
        return vowel(count, pitch: pitch, random: &random, glide: 0).map { Int16(max(-32768, min(32767, $0.rounded()))) }
    }

    /// Returns glottal pulses through three formants, with a gradual start and end.
    private static func vowel(_ count: Int, pitch: Float, random: inout SeededRandom, glide: Float = 0.2) -> [Float] {
        let formants = [
            (Float.random(in: 280...800, using: &random), Float(90)), (Float.random(in: 900...2200, using: &random), Float(120)),
            (Float.random(in: 2300...3000, using: &random), Float(180)),
        ]
        var phase: Float = 0
        var samples = (0..<count).map { index -> Float in
            phase += pitch * (1 + glide * Float(index) / Float(count)) / 8000
            guard phase >= 1 else { return Float.random(in: -20...20, using: &random) }
            phase -= 1
            return 2500
        }
        for (frequency, bandwidth) in formants { resonate(&samples, at: frequency, bandwidth: bandwidth) }
        let peak = max(1, samples.reduce(0) { max($0, abs($1)) })
        let level = Float.random(in: 2000...14_000, using: &random)
        return samples.enumerated().map { index, sample in
            let edge = min(1, Float(min(index, count - 1 - index)) / 300)
            return sample / peak * level * edge
        }
    }

    /// Returns high-frequency noise.
    private static func hiss(_ count: Int, random: inout SeededRandom) -> [Float] {
        var samples = random.samples(count, amplitude: 800)
        for index in (1..<count).reversed() { samples[index] -= 0.8 * samples[index - 1] }
        return samples
    }

    /// Applies a second-order resonance.
    private static func resonate(_ samples: inout [Float], at frequency: Float, bandwidth: Float) {
        let radius = expf(-.pi * bandwidth / 8000)
        let factor = 2 * radius * cosf(2 * .pi * frequency / 8000)
        var (last, beforeLast) = (Float(0), Float(0))
        for index in samples.indices {
            let output = samples[index] + factor * last - radius * radius * beforeLast
            (last, beforeLast) = (output, last)
            samples[index] = output
        }
    }
}
