// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

extension KillerSignal {
    /// Clicks, pulse trains and hard attacks, which provoke pre-echo and unnecessary short windows.
    static var pulses: [KillerSignal] {
        let trains = [20, 35, 50, 70, 100, 140, 200, 280, 400].map { rate in
            KillerSignal("pulses-\(rate)", seconds: 4) { canvas in
                canvas.addPulses(every: Canvas.rate / Double(rate), level: 0.7)
            }
        }
        return trains + [clicks, impulsePhases, softPulses, attacks, bassAttacks, applause, castanetRoll, glottis]
    }

    /// Single samples, five to eleven per second.
    private static var clicks: KillerSignal {
        KillerSignal("clicks") { canvas in
            var frame = 6000
            while frame < canvas.frameCount {
                canvas.add(0.9, at: frame)
                frame += 4300 + canvas.whole(below: 5000)
            }
        }
    }

    /// Impulses at all phases of the coder's frame, four frames and 67 samples apart.
    private static var impulsePhases: KillerSignal {
        KillerSignal("impulse-phases", seconds: 8) { canvas in
            for index in 0..<90 { canvas.add(0.9, at: 4096 + index * (4 * 1024 + 67)) }
        }
    }

    /// Pulses of a low voice: 90 Hz, each through a resonance.
    private static var softPulses: KillerSignal {
        KillerSignal("resonant-pulses-90") { canvas in
            for index in 0..<Int(90 * 5) {
                let start = Double(index) / 90
                canvas.add(from: start, to: start + 0.05) { 0.4 * exp(-($0 - start) * 300) * tone(1800, $0 - start) }
            }
        }
    }

    /// Noise bursts and tones that start from silence.
    private static var attacks: KillerSignal {
        KillerSignal("attacks", seconds: 6) { canvas in
            for index in 0..<16 {
                let start = 0.2 + Double(index) * 0.35 + 0.0013 * Double(index)
                if index % 2 == 0 {
                    canvas.addNoise(from: start, to: start + 0.2, pole: 0, isWide: true) { 0.5 * exp(-($0 - start) * 40) }
                } else {
                    canvas.add(from: start, to: start + 0.3) { 0.5 * exp(-($0 - start) * 15) * tone(2500, $0 - start) }
                }
            }
        }
    }

    /// Low tones with abrupt starts.
    private static var bassAttacks: KillerSignal {
        KillerSignal("bass-attacks", seconds: 6) { canvas in
            for index in 0..<12 {
                let start = 0.25 + Double(index) * 0.47
                let hertz = 45 * pow(1.12, Double(index))
                canvas.add(from: start, to: start + 0.4) { 0.7 * exp(-($0 - start) * 8) * cos(2 * Double.pi * hertz * ($0 - start)) }
            }
        }
    }

    /// Thousands of claps of one or two milliseconds across the stereo image.
    private static var applause: KillerSignal {
        KillerSignal("applause") { canvas in
            for _ in 0..<3000 {
                let start = Double(canvas.whole(below: canvas.frameCount)) / Canvas.rate
                let pan = (canvas.noise() + 1) / 2
                let level = 0.1 + 0.15 * abs(canvas.noise())
                let speed = 400 + 400 * abs(canvas.noise())
                for frame in Int(start * Canvas.rate)..<Int((start + 0.012) * Canvas.rate) {
                    let age = Double(frame) / Canvas.rate - start
                    canvas.add(level * exp(-age * speed) * canvas.noise(), at: frame, left: 1 - pan, right: pan)
                }
            }
        }
    }

    /// Wooden clicks with increasing speed.
    private static var castanetRoll: KillerSignal {
        KillerSignal("castanet-roll", seconds: 6) { canvas in
            var start = 0.3
            var gap = 0.4
            while start < 5.8 {
                let pitch = 1900 + 500 * canvas.noise()
                canvas.add(from: start, to: start + 0.06, left: 0.7, right: 0.5) { time in
                    let age = time - start
                    return 0.6 * exp(-age * 250) * tone(pitch, age) + 0.5 * exp(-age * 500) * tone(2.7 * pitch, age)
                }
                start += gap
                gap = max(0.035, gap * 0.93)
            }
        }
    }

    /// A voice-like pulse train whose rate glides from 80 to 240 Hz.
    private static var glottis: KillerSignal {
        KillerSignal("gliding-pulses") { canvas in
            var time = 0.05
            while time < 4.95 {
                let start = time
                canvas.add(from: start, to: start + 0.012) { now in
                    let age = now - start
                    return 0.35 * exp(-age * 500) * tone(700, age) + 0.2 * exp(-age * 700) * tone(2600, age)
                }
                time += 1 / (80 + 160 * time / 5)
            }
        }
    }
}

extension Canvas {
    /// Adds a pulse of three samples at each multiple of a period in frames.
    ///
    /// A position between two frames is interpolated.
    mutating func addPulses(every period: Double, level: Double) {
        var position = 100.0
        while position < Double(frameCount) {
            let frame = Int(position)
            let part = position - Double(frame)
            for (offset, value) in [-0.5, 1, -0.5].enumerated() {
                add(level * value * (1 - part), at: frame + offset)
                add(level * value * part, at: frame + offset + 1)
            }
            position += period
        }
    }
}
