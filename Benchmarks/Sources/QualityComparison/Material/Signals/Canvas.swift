// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// Two channels to add signals to, and seeded noise.
struct Canvas {
    /// The sample rate, in hertz.
    static let rate = 48_000.0

    var channels: [[Double]]
    private var state: UInt64

    init(frameCount: Int, seed: UInt64) {
        channels = Array(repeating: Array(repeating: 0, count: frameCount), count: 2)
        state = seed
    }

    var frameCount: Int { channels[0].count }

    /// Returns a uniformly distributed value in ±1 (SplitMix64).
    mutating func noise() -> Double {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return Double(Int64(bitPattern: z ^ (z >> 31))) / 0x1p63
    }

    /// Returns an integer from 0 to `limit` - 1.
    mutating func whole(below limit: Int) -> Int { min(limit - 1, Int((noise() + 1) / 2 * Double(limit))) }

    /// Adds a value to one frame of both channels.
    mutating func add(_ value: Double, at frame: Int, left: Double = 1, right: Double = 1) {
        guard frame >= 0, frame < frameCount else { return }
        channels[0][frame] += value * left
        channels[1][frame] += value * right
    }

    /// Adds a function of time, in seconds, between two times.
    ///
    /// `left` and `right` are gains.
    mutating func add(
        from start: Double = 0, to end: Double = .infinity, left: Double = 1, right: Double = 1, _ value: (Double) -> Double
    ) {
        let first = Int(start * Self.rate)
        let last = min(Double(frameCount), end * Self.rate)
        guard first < Int(last) else { return }
        for frame in first..<Int(last) { add(value(Double(frame) / Self.rate), at: frame, left: left, right: right) }
    }

    /// Adds noise through a one-pole filter between two times; independent on both sides if `isWide`.
    mutating func addNoise(
        from start: Double = 0, to end: Double = .infinity, pole: Double, isWide: Bool, level: (Double) -> Double
    ) {
        let first = Int(start * Self.rate)
        let last = Int(min(Double(frameCount), end * Self.rate))
        guard first < last else { return }
        var memory = (left: 0.0, right: 0.0)
        for frame in first..<last {
            let left = noise()
            let right = isWide ? noise() : left
            memory = (pole * memory.left + left, pole * memory.right + right)
            let gain = level(Double(frame) / Self.rate)
            add(memory.left * gain, at: frame, left: 1, right: 0)
            add(memory.right * gain, at: frame, left: 0, right: 1)
        }
    }

    /// Adds a plucked note, whose higher partials decay faster.
    mutating func addNote(at start: Double, hertz: Double, level: Double, pan: Double, seconds: Double, partials: Int = 12) {
        for partial in 1...partials where hertz * Double(partial) < 20_000 {
            let order = Double(partial)
            let step = 2 * Double.pi * hertz * order * (1 + 0.0003 * order * order)
            add(from: start, to: start + 4 * seconds, left: 1 - pan, right: pan) { time in
                let age = time - start
                return level / order * exp(-age * (0.6 + 0.4 * order) / seconds) * sin(step * age)
            }
        }
    }

    /// Multiplies all samples by a function of time.
    mutating func shape(_ gain: (Double) -> Double) {
        for frame in 0..<frameCount {
            let factor = gain(Double(frame) / Self.rate)
            channels[0][frame] *= factor
            channels[1][frame] *= factor
        }
    }
}

/// Returns a sine of a frequency at a time in seconds.
func tone(_ hertz: Double, _ time: Double) -> Double { sin(2 * Double.pi * hertz * time) }
