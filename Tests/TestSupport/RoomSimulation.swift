// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// A room with a long reverberation at any sample rate: far-end speech, its echo, and near-end speech for part of the time.
package struct RoomSimulation {
    /// The double-talk interval, in seconds.
    package static let doubleTalk = 12..<18

    package let sampleRate: Int
    /// The loudspeaker signal.
    package let far: [Float]
    /// The echo at the microphone, at -6 dB relative to the far end.
    package let echo: [Float]
    /// The near-end speech.
    package let near: [Float]
    /// Echo, near-end speech, and noise of the microphone at -75 dB.
    package let microphone: [Float]

    /// Creates a room.
    ///
    /// - Parameters:
    ///   - seed: Selects reflections and noise.
    ///   - sampleRate: A multiple of 16 kHz.
    ///   - seconds: The duration, in seconds.
    ///   - tail: The time in which the reverberation decays by 60 dB, in milliseconds.
    ///   - delay: The time from playback to the first reflection, in milliseconds.
    ///   - other: A second loudspeaker's signal, which reaches the microphone by other reflections.
    package init(
        seed: UInt64, sampleRate: Int = 16_000, seconds: Int = 30, tail: Int = 150, delay: Int = 60, other: [Float]? = nil
    ) {
        var random = SeededRandom(seed: seed)
        self.sampleRate = sampleRate
        far = Self.voice(sampleRate: sampleRate, seconds: seconds, pitch: 120, random: &random)
        var near = Self.voice(sampleRate: sampleRate, seconds: seconds, pitch: 210, random: &random)
        for index in near.indices where !Self.doubleTalk.contains(index / sampleRate) { near[index] = 0 }
        self.near = near
        var echo = Self.reflections(of: far, sampleRate: sampleRate, tail: tail, delay: delay, random: &random)
        if let other {
            let second = Self.reflections(of: other, sampleRate: sampleRate, tail: tail, delay: delay, random: &random)
            for index in echo.indices { echo[index] += second[index] }
        }
        self.echo = echo
        microphone = echo.indices.map { echo[$0] + near[$0] + Float.random(in: -3e-4...3e-4, using: &random) }
    }

    /// Returns speech-like audio.
    package static func voice(sampleRate: Int, seconds: Int, pitch: Double, seed: UInt64) -> [Float] {
        var random = SeededRandom(seed: seed)
        return voice(sampleRate: sampleRate, seconds: seconds, pitch: pitch, random: &random)
    }

    private static func voice(sampleRate: Int, seconds: Int, pitch: Double, random: inout SeededRandom) -> [Float] {
        let voice = EchoSimulation.voice(count: seconds * EchoSimulation.rate, level: 0.1, pitch: pitch, random: &random)
        let factor = sampleRate / EchoSimulation.rate
        guard factor > 1 else { return voice }
        return (0..<voice.count * factor).map { index in
            let (first, fraction) = (index / factor, Float(index % factor) / Float(factor))
            return voice[first] + (voice[min(first + 1, voice.count - 1)] - voice[first]) * fraction
        }
    }

    /// Applies a decaying tail with one random reflection per half millisecond.
    private static func reflections(
        of far: [Float], sampleRate: Int, tail: Int, delay: Int, random: inout SeededRandom
    ) -> [Float] {
        let frames = sampleRate * tail / 1000
        let taps = (0..<2 * tail).map { tap in
            let position = (Double(tap) + Double.random(in: 0..<1, using: &random)) / Double(2 * tail)
            return (frame: Int(position * Double(frames)), gain: Double.random(in: -1...1, using: &random) * exp(-6.9 * position))
        }
        let scale = pow(10, -6.0 / 20) / taps.reduce(0) { $0 + $1.gain * $1.gain }.squareRoot()
        var result = [Float](repeating: 0, count: far.count)
        for tap in taps {
            let (shift, gain) = (sampleRate * delay / 1000 + tap.frame, Float(tap.gain * scale))
            for index in shift..<far.count { result[index] += gain * far[index - shift] }
        }
        return result
    }

    /// Returns a signal that starts later and whose clock is faster.
    ///
    /// - Parameters:
    ///   - signal: The signal.
    ///   - milliseconds: The delay in milliseconds; negative for an earlier start.
    ///   - partsPerMillion: The clock difference, in millionths.
    package func shifted(_ signal: [Float], milliseconds: Double = 0, partsPerMillion: Double = 0) -> [Float] {
        let (shift, length) = (milliseconds * Double(sampleRate) / 1000, 16)
        return signal.indices.map { index in
            let position = Double(index) * (1 + partsPerMillion * 1e-6) - shift
            let base = Int(position.rounded(.down))
            let fraction = position - Double(base)
            guard fraction > 1e-9 else { return signal.indices.contains(base) ? signal[base] : 0 }
            // A windowed sinc: the sine is the same for all taps, except for the sign.
            var sum = 0.0
            for tap in 1 - length...length where signal.indices.contains(base + tap) {
                let distance = fraction - Double(tap)
                let window = 0.5 + 0.5 * cos(.pi * distance / Double(length))
                sum += Double(signal[base + tap]) * (tap % 2 == 0 ? 1 : -1) / distance * window
            }
            return Float(sum * sin(.pi * fraction) / .pi)
        }
    }

    /// Returns the echo return loss enhancement in decibels between two times in seconds.
    package func enhancement(_ output: [Float], _ seconds: Range<Int>) -> Double {
        let range = seconds.lowerBound * sampleRate..<min(seconds.upperBound * sampleRate, output.count)
        func energy(_ samples: [Float]) -> Double { samples[range].reduce(1e-12) { $0 + Double($1) * Double($1) } }
        return 10 * log10(energy(echo) / energy(output))
    }

    /// Returns the remaining near-end speech during double talk: level in decibels, and correlation.
    package func nearEnd(_ output: [Float]) -> (level: Double, correlation: Double) {
        let range = (Self.doubleTalk.lowerBound + 1) * sampleRate..<Self.doubleTalk.upperBound * sampleRate
        var (cross, nearEnergy, outputEnergy) = (0.0, 1e-12, 1e-12)
        for index in range {
            cross += Double(near[index]) * Double(output[index])
            nearEnergy += Double(near[index]) * Double(near[index])
            outputEnergy += Double(output[index]) * Double(output[index])
        }
        return (20 * log10(max(cross / nearEnergy, 1e-6)), cross / (nearEnergy * outputEnergy).squareRoot())
    }
}
