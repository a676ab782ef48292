// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

extension KillerSignal {
    /// Signals with a stereo image that is hard to preserve.
    static var images: [KillerSignal] {
        [pannedTones, movingTone, tinySide, tinySideNoise, sideOnly, twoTunes, delayed]
    }

    /// Eight tones at different positions.
    private static var pannedTones: KillerSignal {
        KillerSignal("panned-tones") { canvas in
            for (index, hertz) in [180.0, 410, 730, 1310, 2290, 3970, 6530, 10_100].enumerated() {
                let pan = [0.1, 0.9, 0.3, 0.7, 0, 1, 0.5, 0.2][index]
                canvas.add(left: 1 - pan, right: pan) { 0.15 * tone(hertz, $0) }
            }
        }
    }

    /// A chord that moves between left and right.
    private static var movingTone: KillerSignal {
        KillerSignal("moving-chord", seconds: 6) { canvas in
            for hertz in [330.0, 495, 660, 1980, 5000] {
                canvas.add(left: 1, right: 0) { 0.15 * (0.5 + 0.5 * sin($0 * 3)) * tone(hertz, $0) }
                canvas.add(left: 0, right: 1) { 0.15 * (0.5 - 0.5 * sin($0 * 3)) * tone(hertz, $0) }
            }
        }
    }

    /// A tune in the mid channel, and another one 40 dB lower in the side channel.
    private static var tinySide: KillerSignal {
        KillerSignal("tiny-side", seconds: 6) { canvas in
            canvas.addTune()
            for frame in 0..<canvas.frameCount {
                let mono = (canvas.channels[0][frame] + canvas.channels[1][frame]) / 2
                canvas.channels[0][frame] = mono
                canvas.channels[1][frame] = mono
            }
            canvas.add(left: 1, right: -1) { 0.004 * (tone(700, $0) + tone(2100, $0)) }
        }
    }

    /// A voice-like mid channel with room hiss in the side channel.
    private static var tinySideNoise: KillerSignal {
        KillerSignal("tiny-side-noise", seconds: 6) { canvas in
            for partial in 1...30 {
                canvas.add { 0.25 / Double(partial) * (0.6 + 0.4 * tone(3, $0)) * tone(140 * Double(partial), $0) }
            }
            for frame in 0..<canvas.frameCount { canvas.add(0.004 * canvas.noise(), at: frame, left: 1, right: -1) }
        }
    }

    /// Left and right in opposite phase.
    private static var sideOnly: KillerSignal {
        KillerSignal("side-only") { canvas in
            canvas.addTune()
            for frame in 0..<canvas.frameCount {
                let mono = (canvas.channels[0][frame] + canvas.channels[1][frame]) / 2
                canvas.channels[0][frame] = mono
                canvas.channels[1][frame] = -mono
            }
        }
    }

    /// Different tunes in left and right.
    private static var twoTunes: KillerSignal {
        KillerSignal("two-tunes", seconds: 6) { canvas in
            canvas.addTune()
            let left = canvas.channels[0]
            canvas.channels = Array(repeating: Array(repeating: 0, count: left.count), count: 2)
            canvas.addTune()
            canvas.channels[0] = left
        }
    }

    /// Noise bursts and tones with the right channel delayed by 0.4 ms.
    private static var delayed: KillerSignal {
        KillerSignal("late-right") { canvas in
            canvas.addTune()
            canvas.addNoise(pole: 0.5, isWide: false) { 0.03 * (1 + tone(2, $0)) }
            let left = canvas.channels[0]
            for frame in 0..<canvas.frameCount { canvas.channels[1][frame] = frame >= 19 ? left[frame - 19] : 0 }
        }
    }
}
