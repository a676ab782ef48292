// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Reproducible synthetic signals.
package enum TestSignal {
    /// Returns noise that falls by 12 dB per octave above a twentieth of the sample rate: easy to encode, with a narrow autocorrelation.
    package static func softNoise(_ count: Int, seed: UInt64) -> [Float] {
        var random = SeededRandom(seed: seed)
        var (first, second) = (Float(0), Float(0))
        return (0..<count).map { _ in
            first += 0.3 * (Float.random(in: -0.8...0.8, using: &random) - first)
            second += 0.3 * (first - second)
            return second
        }
    }

    /// Returns tones, noise and clicks at a varying level.
    package static func changing(_ count: Int, sampleRate: Int, seed: UInt64) -> [Float] {
        var random = SeededRandom(seed: seed)
        let pitch = Double.random(in: 200...500, using: &random)
        var click: Float = 0
        return (0..<count).map { index in
            let time = Double(index) / Double(sampleRate)
            let level = Float(0.03 + 0.4 * pow(sin(2.1 * time), 2))
            if index % 9_001 == 5_000 { click = 0.5 }
            click *= 0.97
            let tone = Float(sin(2 * Double.pi * pitch * time) + 0.5 * sin(7.3 * Double.pi * pitch * time))
            let noise = Float.random(in: -1...1, using: &random)
            return level * (0.4 * tone + 0.2 * noise) + click * noise
        }
    }
}
