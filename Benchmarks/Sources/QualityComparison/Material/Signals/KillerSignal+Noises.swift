// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

extension KillerSignal {
    /// Noise, alone and with tones.
    static var noises: [KillerSignal] {
        [
            KillerSignal("white-wide", seconds: 4) { $0.addNoise(pole: 0, isWide: true) { _ in 0.3 } },
            KillerSignal("white-mono", seconds: 4) { $0.addNoise(pole: 0, isWide: false) { _ in 0.3 } },
            KillerSignal("brown-wide", seconds: 4) { $0.addNoise(pole: 0.97, isWide: true) { _ in 0.06 } },
            toneOnNoise, toneSteps, hihats, sibilants, swells,
        ]
    }

    /// Tones of about a second each over steady noise.
    private static var toneOnNoise: KillerSignal {
        KillerSignal("tone-on-noise", seconds: 6) { canvas in
            canvas.addNoise(pole: 0.7, isWide: true) { _ in 0.08 }
            for (index, hertz) in [400.0, 1000, 2500, 5000, 9000].enumerated() {
                canvas.add(from: 0.5 + Double(index), to: 1.3 + Double(index)) { 0.2 * tone(hertz, $0) }
            }
        }
    }

    /// Intermittent noise under a steady tone.
    private static var toneSteps: KillerSignal {
        KillerSignal("noise-steps-under-tone", seconds: 6) { canvas in
            canvas.add { 0.25 * tone(1000, $0) }
            for index in 0..<6 {
                canvas.addNoise(from: Double(index) + 0.37, to: Double(index) + 0.71, pole: 0, isWide: true) { _ in 0.12 }
            }
        }
    }

    /// Short high-frequency bursts, eight per second.
    private static var hihats: KillerSignal {
        KillerSignal("hihats") { canvas in
            for index in 0..<38 {
                let start = 0.1 + Double(index) * 0.127
                canvas.addNoise(from: start, to: start + 0.11, pole: -0.9, isWide: index % 2 == 0) { 0.15 * exp(-($0 - start) * 45) }
            }
        }
    }

    /// A centred vowel alternating with wide hisses.
    private static var sibilants: KillerSignal {
        KillerSignal("wide-sibilants") { canvas in
            for index in 0..<8 {
                let start = Double(index) * 0.6
                for partial in 1...25 {
                    canvas.add(from: start, to: start + 0.35) { time in
                        let age = time - start
                        return 0.15 / Double(partial) * sin(Double.pi * age / 0.35) * tone(150 * Double(partial), time)
                    }
                }
                canvas.addNoise(from: start + 0.33, to: start + 0.55, pole: -0.8, isWide: true) { time in
                    0.1 * sin(Double.pi * (time - start - 0.33) / 0.22)
                }
            }
        }
    }

    /// Surf: wide noise that rises and falls.
    private static var swells: KillerSignal {
        KillerSignal("swells", seconds: 6) { canvas in
            canvas.addNoise(pole: 0.5, isWide: true) { 0.2 * pow(sin(Double.pi * $0 / 2), 2) }
        }
    }
}
