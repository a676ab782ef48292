// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// Synthetic audio of kinds that an encoder must handle at any bit rate.
package enum ProgrammeSignal: Int, CaseIterable, Sendable {
    /// Voice pulses through two formants, with fricatives and pauses.
    case speech
    /// Decaying notes with harmonics, over soft noise.
    case music
    /// A full-scale tone.
    case tone
    /// A full-scale tone that is switched on and off.
    case gatedTone
    /// A square wave.
    case square
    /// White noise.
    case noise
    /// A loud band, at most 30 Hz wide, over noise that is 60 to 110 dB lower.
    case loudBand

    /// Returns a channel.
    ///
    /// - Parameters:
    ///   - count: The number of samples.
    ///   - sampleRate: The sample rate, in hertz.
    ///   - random: The source of pitches, levels and times.
    package func samples(_ count: Int, sampleRate: Int, using random: inout SeededRandom) -> [Float] {
        let rate = Double(sampleRate)
        let octave = random.double(in: 0...1)
        /// Returns a frequency, in cycles per sample, uniformly distributed in octaves.
        func pitch(_ lowest: Double, _ highest: Double) -> Double { lowest * pow(min(highest, 0.45 * rate) / lowest, octave) / rate }
        switch self {
        case .speech: return Self.speech(count, rate: rate, using: &random)
        case .music: return Self.music(count, rate: rate, using: &random)
        case .tone:
            let step = 2 * Double.pi * pitch(40, 15_000)
            return (0..<count).map { 0.999 * Float(sin(step * Double($0))) }
        case .gatedTone:
            let step = 2 * Double.pi * pitch(100, 12_000)
            let period = random.double(in: 0.02...0.15) * rate
            return (0..<count).map { fmod(Double($0), period) < 0.5 * period ? 0.999 * Float(sin(step * Double($0))) : 0 }
        case .square:
            let step = 2 * pitch(30, 4_000)
            let level = random.float(in: 0.3...0.999)
            return (0..<count).map { Int(step * Double($0)) % 2 == 0 ? level : -level }
        case .noise:
            return random.samples(count, amplitude: random.float(in: 0.05...0.999))
        case .loudBand:
            let step = 2 * Double.pi * pitch(100, 14_000)
            let beat = 2 * Double.pi * random.double(in: 0...15) / rate
            let noise = Float(pow(10, -random.double(in: 60...110) / 20))
            return (0..<count).map {
                0.99 * Float(sin(step * Double($0)) * cos(beat * Double($0))) + random.float(in: -noise...noise)
            }
        }
    }

    /// Returns pulses through two formants, with fricatives and pauses.
    private static func speech(_ count: Int, rate: Double, using random: inout SeededRandom) -> [Float] {
        let period = rate / random.double(in: 80...260)
        let resonances = [random.double(in: 300...900), random.double(in: 1000...2800)].map { frequency in
            (2 * exp(-250 / rate) * cos(2 * .pi * frequency / rate), -exp(-500 / rate))
        }
        var states = [(0.0, 0.0), (0.0, 0.0)]
        var next = 0.0
        let syllable = random.double(in: 0.1...0.3) * rate
        var samples = (0..<count).map { index in
            let phase = fmod(Double(index), syllable) / syllable
            var value = phase > 0.85 ? 0 : phase > 0.7 ? 0.05 * random.double(in: -1...1) : 0
            if Double(index) >= next {
                next += period * random.double(in: 0.98...1.02)
                if phase < 0.7 { value += 1 }
            }
            for (filter, (first, second)) in resonances.enumerated() {
                value += first * states[filter].0 + second * states[filter].1
                states[filter] = (value, states[filter].0)
            }
            return Float(value)
        }
        scale(&samples, to: random.float(in: 0.1...0.99))
        return samples
    }

    /// Returns decaying notes with harmonics, over soft noise.
    private static func music(_ count: Int, rate: Double, using random: inout SeededRandom) -> [Float] {
        var samples = random.samples(count, amplitude: 0.002)
        for _ in 0..<6 {
            let start = random.integer(in: 0..<max(count / 2, 1))
            let step = 2 * Double.pi * 60 * pow(2, random.double(in: 0...4)) / rate
            let fading = exp(-random.double(in: 1...12) / rate)
            for harmonic in 1...5 where step * Double(harmonic) < 0.9 * .pi {
                var level = random.double(in: 0.1...1) / Double(harmonic)
                for index in start..<count {
                    samples[index] += Float(level * sin(step * Double(harmonic * (index - start))))
                    level *= fading
                }
            }
        }
        scale(&samples, to: random.float(in: 0.1...0.99))
        return samples
    }

    private static func scale(_ samples: inout [Float], to peak: Float) {
        let factor = peak / max(samples.reduce(0) { max($0, abs($1)) }, 1e-9)
        for index in samples.indices { samples[index] *= factor }
    }
}
