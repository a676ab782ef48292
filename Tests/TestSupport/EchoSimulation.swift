// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// A simulated room: far-end speech from the loudspeaker, its echo at the microphone, and near-end speech for part of the time.
package struct EchoSimulation {
    package static let rate = 16_000
    package static let seconds = 22
    /// The double-talk interval, in seconds.
    package static let doubleTalk = 13..<19

    /// The loudspeaker signal.
    package let far: [Float]
    /// The echo at the microphone.
    package let echo: [Float]
    /// The near-end speech.
    package let near: [Float]

    package init(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let count = Self.rate * Self.seconds
        far = Self.voice(count: count, level: 0.1, pitch: 120, random: &random)
        var near = Self.voice(count: count, level: 0.1, pitch: 210, random: &random)
        for index in near.indices where !Self.doubleTalk.contains(index / Self.rate) { near[index] = 0 }
        self.near = near
        echo = Self.room(far, random: &random)
    }

    /// Returns speech-like 16-bit samples.
    package static func voice(seconds: Int) -> [Int16] {
        var random = SeededRandom(seed: 3)
        return voice(count: seconds * rate, level: 0.1, pitch: 120, random: &random).map { Int16($0 * 32767) }
    }

    /// Returns noise and pulses with the spectrum and rhythm of speech.
    static func voice(count: Int, level: Double, pitch: Double, random: inout SeededRandom) -> [Float] {
        var result = [Float](repeating: 0, count: count)
        var phase = 0.0
        var (low, high, slow) = (0.0, 0.0, 0.0)
        for index in 0..<count {
            let time = Double(index) / Double(rate)
            phase += pitch * (1 + 0.1 * sin(time * 2.1)) / Double(rate)
            var pulse = 0.0
            if phase >= 1 {
                phase -= 1
                pulse = 12
            }
            let noise = Double.random(in: -1...1, using: &random)
            let isVoiced = sin(time * 2 * .pi * 1.3) > -0.5
            let excitation = isVoiced ? pulse + 0.1 * noise : noise
            // Two wandering formants, as in vowels.
            let first = 500 + 250 * sin(time * 5.3)
            low += 0.12 * (2 * sin(.pi * first / Double(rate)) * high - low * 0.2 + excitation * 0.4)
            high += 2 * sin(.pi * first / Double(rate)) * (excitation - low - 0.3 * high)
            let syllable = pow(0.5 - 0.5 * cos(time * 2 * .pi * 4.1), 2) * (sin(time * 2 * .pi * 0.35) > -0.6 ? 1 : 0.02)
            slow += 0.01 * (syllable - slow)
            result[index] = Float(high * slow)
        }
        let energy = result.reduce(0.0) { $0 + Double($1) * Double($1) } / Double(count)
        let gain = Float(level / energy.squareRoot())
        return result.map { max(-0.9, min(0.9, $0 * gain)) }
    }

    /// Applies 40 ms of delay and a decaying tail of 60 ms, at -1.6 dB relative to the far end.
    private static func room(_ far: [Float], random: inout SeededRandom) -> [Float] {
        let taps = (0..<960).map { Double.random(in: -1...1, using: &random) * exp(-Double($0) / 160) }
        let energy = taps.reduce(0) { $0 + $1 * $1 }
        let gain = pow(10, -1.6 / 20) / energy.squareRoot()
        let filter = taps.map { Float($0 * gain) }
        let delay = rate * 40 / 1000
        return far.indices.map { index in
            var sum: Float = 0
            for tap in filter.indices where index >= delay + tap { sum += filter[tap] * far[index - delay - tap] }
            return sum
        }
    }

    /// Returns the echo return loss enhancement, in decibels, between two times.
    package func enhancement(_ output: [Float], from start: Int, to end: Int) -> Double {
        let range = start * Self.rate..<end * Self.rate
        func energy(_ samples: [Float]) -> Double { samples[range].reduce(1e-12) { $0 + Double($1) * Double($1) } }
        return 10 * log10(energy(echo) / energy(output))
    }

    /// Returns the remaining near-end speech during double talk: level in decibels, best aligned, and correlation.
    package func nearEnd(_ output: [Float]) -> (level: Double, correlation: Double) {
        let range = (Self.doubleTalk.lowerBound + 1) * Self.rate..<Self.doubleTalk.upperBound * Self.rate
        var best = (level: -100.0, correlation: 0.0)
        for delay in 0...320 {
            var (cross, nearEnergy, outputEnergy) = (0.0, 1e-12, 1e-12)
            for index in range where index + delay < output.count {
                cross += Double(near[index]) * Double(output[index + delay])
                nearEnergy += Double(near[index]) * Double(near[index])
                outputEnergy += Double(output[index + delay]) * Double(output[index + delay])
            }
            let correlation = cross / (nearEnergy * outputEnergy).squareRoot()
            if correlation > best.correlation { best = (20 * log10(max(cross / nearEnergy, 1e-6)), correlation) }
        }
        return best
    }
}
