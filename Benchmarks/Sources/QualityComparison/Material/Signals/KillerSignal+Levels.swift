// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

extension KillerSignal {
    /// Full scale, very low levels, and transitions between them.
    static var levels: [KillerSignal] {
        [
            KillerSignal("full-scale-square", seconds: 4) { canvas in
                canvas.add { ($0 * 441).truncatingRemainder(dividingBy: 1) < 0.5 ? 0.999 : -0.999 }
            },
            KillerSignal("full-scale-square-50", seconds: 4) { canvas in
                canvas.add { ($0 * 50).truncatingRemainder(dividingBy: 1) < 0.5 ? 0.999 : -0.999 }
            },
            KillerSignal("fade-to-silence", seconds: 8) { canvas in
                canvas.addTune()
                canvas.shape { pow(10, -max(0, $0 - 1) * 100 / 6 / 20) }
            },
            KillerSignal("quiet-tune", seconds: 6) { canvas in
                canvas.addTune()
                canvas.shape { _ in 0.003 }
            },
            KillerSignal("tune-and-silence", seconds: 6) { canvas in
                canvas.addTune()
                canvas.shape { Int($0 * 2) % 2 == 0 ? 1 : 0 }
            },
            KillerSignal("loud-tune", seconds: 6) { canvas in
                canvas.addTune()
                for channel in 0..<2 { canvas.channels[channel] = canvas.channels[channel].map { max(-0.99, min(0.99, 4 * $0)) } }
            },
        ]
    }
}

extension Canvas {
    /// Adds chords, a bass, and a beat.
    mutating func addTune() {
        let scale = [261.6, 293.7, 329.6, 392.0, 440.0, 523.3]
        let seconds = Double(frameCount) / Self.rate
        for index in 0..<Int(seconds * 4) {
            let start = Double(index) / 4
            addNote(at: start, hertz: scale[whole(below: 6)], level: 0.2, pan: 0.25 + 0.5 * Double(whole(below: 2)), seconds: 0.4)
            if index % 4 == 0 { addNote(at: start, hertz: scale[index / 4 % 6] / 4, level: 0.35, pan: 0.5, seconds: 0.8) }
            if index % 2 == 1 {
                addNoise(from: start, to: start + 0.1, pole: -0.5, isWide: false) { 0.08 * exp(-($0 - start) * 50) }
            }
        }
    }
}
