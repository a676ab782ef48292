// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// A stereo signal that loads a codec like music: chords with decaying partials, a bass, noise bursts and hard attacks.
///
/// The samples are the same on every run. Peaks stay below full scale (±1).
struct MusicLikeSignal {
    static let sampleRate = 48_000

    private var notes = [Note](repeating: Note(), count: 20)
    private var nextNote = 0
    private var frame = 0
    private var noise: UInt32 = 1
    private var drum = Drum()
    private var cymbal = Drum()
    private var cymbalMemory: Float = 0

    /// Writes the next frames, interleaved.
    mutating func fill(_ samples: inout [Float]) {
        for index in 0..<samples.count / 2 {
            if frame % (Self.sampleRate / 8) == 0 { step(frame / (Self.sampleRate / 8)) }
            var left: Float = 0
            var right: Float = 0
            for note in notes.indices {
                let value = notes[note].next()
                left += value * notes[note].left
                right += value * notes[note].right
            }
            let drumValue = drum.next(nextNoise())
            let cymbalNoise = nextNoise()
            // A first difference keeps the cymbal's noise at high frequencies.
            let cymbalValue = cymbal.next(cymbalNoise - cymbalMemory)
            cymbalMemory = cymbalNoise
            samples[2 * index] = left + drumValue + 0.4 * cymbalValue
            samples[2 * index + 1] = right + 0.9 * drumValue + 0.6 * cymbalValue
            frame += 1
        }
    }

    /// Advances by an eighth of a second: chords on every fourth step, melody on every second, drum and cymbal in between.
    private mutating func step(_ count: Int) {
        let bar = count / 16
        let root = [0, -3, 5, 7, -5, 2, -7, 0][bar % 8]
        if count % 8 == 0 {
            for (index, interval) in [0, 4, 7, 12].enumerated() {
                strike(semitone: root + interval, level: 0.1, pan: 0.2 + 0.2 * Float(index), seconds: 2)
            }
            strike(semitone: root - 24, level: 0.24, pan: 0.5, seconds: 1)
        }
        if count % 2 == 0 {
            let melody = [12, 14, 16, 19, 21, 19, 16, 24][(count / 2 + bar) % 8]
            strike(semitone: root + melody, level: 0.12, pan: count % 4 == 0 ? 0.3 : 0.7, seconds: 0.7)
        }
        if count % 8 == 4 { drum.strike(level: 0.4, seconds: 0.08) }
        if count % 2 == 1 { cymbal.strike(level: 0.12, seconds: 0.03) }
    }

    private mutating func strike(semitone: Int, level: Float, pan: Float, seconds: Double) {
        let hertz = 261.625565 * pow(2, Double(semitone) / 12)
        notes[nextNote].strike(hertz: hertz, level: level, seconds: seconds)
        notes[nextNote].left = 1 - pan
        notes[nextNote].right = pan
        nextNote = (nextNote + 1) % notes.count
    }

    private mutating func nextNoise() -> Float {
        noise = noise &* 1_664_525 &+ 1_013_904_223
        return Float(Int32(bitPattern: noise)) / 2_147_483_648
    }
}

/// A note with eight partials, each a decaying rotation.
private struct Note {
    var left: Float = 0.5
    var right: Float = 0.5
    private var real = SIMD8<Float>(repeating: 0)
    private var imaginary = SIMD8<Float>(repeating: 0)
    private var cosine = SIMD8<Float>(repeating: 0)
    private var sine = SIMD8<Float>(repeating: 0)

    mutating func strike(hertz: Double, level: Float, seconds: Double) {
        for partial in 0..<8 {
            let order = Double(partial + 1)
            // Partials are slightly sharp, like a string's, and higher ones decay faster.
            let angle = 2 * Double.pi * hertz * order * (1 + 0.0004 * order * order) / Double(MusicLikeSignal.sampleRate)
            let decay = exp(-6.9 * order.squareRoot() / (seconds * Double(MusicLikeSignal.sampleRate)))
            cosine[partial] = angle < Double.pi ? Float(decay * cos(angle)) : 0
            sine[partial] = angle < Double.pi ? Float(decay * sin(angle)) : 0
            real[partial] = level / Float(order)
            imaginary[partial] = 0
        }
    }

    mutating func next() -> Float {
        let nextReal = real * cosine - imaginary * sine
        imaginary = real * sine + imaginary * cosine
        real = nextReal
        return imaginary.sum()
    }
}

/// A decaying burst of noise.
private struct Drum {
    private var level: Float = 0
    private var decay: Float = 0

    mutating func strike(level: Float, seconds: Double) {
        self.level = level
        decay = Float(exp(-6.9 / (seconds * Double(MusicLikeSignal.sampleRate))))
    }

    mutating func next(_ noise: Float) -> Float {
        level *= decay
        // Cuts the burst before its level becomes denormal.
        if level < 1e-9 { level = 0 }
        return level * noise
    }
}
