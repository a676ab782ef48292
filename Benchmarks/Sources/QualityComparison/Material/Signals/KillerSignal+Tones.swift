// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

extension KillerSignal {
    /// Tones, chirps and chords, which reveal noise between partials and unnecessary short windows.
    static var tones: [KillerSignal] {
        [100, 440, 1000, 3150, 8000].map { hertz in
            KillerSignal("steady-\(hertz)", seconds: 4) { canvas in canvas.add { 0.5 * tone(Double(hertz), $0) } }
        } + [steadyHarmony, linearChirp, logarithmicChirp, vibrato, pitchPipe, plucked, beating]
    }

    /// Three steady notes of a reed organ, with many partials.
    private static var steadyHarmony: KillerSignal {
        KillerSignal("steady-harmony") { canvas in
            for hertz in [220.0, 277.18, 329.63] {
                for partial in 1...40 {
                    canvas.add { 0.12 / Double(partial) * tone(hertz * Double(partial), $0) }
                }
            }
        }
    }

    private static var linearChirp: KillerSignal {
        KillerSignal("chirp-linear", seconds: 6) { canvas in
            canvas.add { 0.5 * sin(2 * Double.pi * (20 * $0 + 0.5 * 3000 * $0 * $0)) }
        }
    }

    private static var logarithmicChirp: KillerSignal {
        KillerSignal("chirp-logarithmic", seconds: 6) { canvas in
            let speed = log(1000.0) / 6
            canvas.add { 0.5 * sin(2 * Double.pi * 20 * (exp(speed * $0) - 1) / speed) }
        }
    }

    /// A singing voice of fifteen partials with a vibrato of 6 Hz.
    private static var vibrato: KillerSignal {
        KillerSignal("vibrato") { canvas in
            for partial in 1...15 {
                canvas.add { time in
                    let phase = 440 * time + 440 * 0.02 / (2 * Double.pi * 6) * sin(2 * Double.pi * 6 * time)
                    return 0.3 / Double(partial) * sin(2 * Double.pi * Double(partial) * phase)
                }
            }
        }
    }

    /// Forty equal partials of 311 Hz: one sharp pulse per period, but a steady tone.
    private static var pitchPipe: KillerSignal {
        KillerSignal("pitch-pipe") { canvas in
            for partial in 1...40 {
                canvas.add { 0.024 * cos(2 * Double.pi * 311 * Double(partial) * $0) }
            }
        }
    }

    /// Harpsichord-like chords.
    private static var plucked: KillerSignal {
        KillerSignal("plucked-chords", seconds: 6) { canvas in
            let roots = [130.8, 146.8, 164.8, 174.6, 196.0, 220.0, 246.9, 261.6]
            for index in 0..<20 {
                let start = 0.1 + 0.29 * Double(index)
                for (voice, ratio) in [1, 1.25, 1.5, 2, 3].enumerated() {
                    let hertz = roots[index % 8] * ratio
                    canvas.addNote(at: start, hertz: hertz, level: 0.11, pan: 0.3 + 0.1 * Double(voice), seconds: 0.5, partials: 25)
                }
            }
        }
    }

    /// Close pairs of tones.
    private static var beating: KillerSignal {
        KillerSignal("beating-pairs") { canvas in
            for (hertz, beat) in [(300.0, 3.0), (900, 7), (2700, 15), (6000, 31)] {
                canvas.add { 0.1 * (tone(hertz, $0) + tone(hertz + beat, $0)) }
            }
        }
    }
}
