// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// The test signals.
enum Signal {
    /// Stereo noise bursts of 0.2 s in silence, about `period` seconds apart but never aligned with frames of 1024.
    static func bursts(count: Int, period: Double) -> [Int16] {
        var state: UInt64 = 1
        func random() -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 48)
        }
        var samples: [Int16] = []
        for _ in 0..<count {
            let silence = Int(48_000 * (period - 0.2)) + random() % 1024 - 512
            samples += [Int16](repeating: 0, count: 2 * silence)
            for _ in 0..<2 * 9600 { samples.append(Int16(truncatingIfNeeded: random() - 32_768) / 4) }
        }
        return samples + [Int16](repeating: 0, count: 96_000)
    }

    /// Four voices of plucked strings and soft noise, in stereo.
    static func music(seconds: Int) -> [Int16] {
        var state: UInt64 = 2
        func random() -> Double {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Double(state >> 40) / Double(1 << 24)
        }
        var phases = [Double](repeating: 0, count: 4)
        var steps = phases
        var levels = phases
        var samples: [Int16] = []
        samples.reserveCapacity(2 * 48_000 * seconds)
        for frame in 0..<48_000 * seconds {
            if frame % 6000 == 0 {
                let voice = frame / 6000 % 4
                steps[voice] = 110 * exp2(Double(Int(random() * 36)) / 12) / 48_000
                levels[voice] = 3000
            }
            var left = (random() - 0.5) * 200
            var right = (random() - 0.5) * 200
            for voice in 0..<4 {
                phases[voice] += steps[voice]
                // A triangle wave contains all odd harmonics.
                let value = (4 * abs(phases[voice] - (phases[voice] + 0.5).rounded(.down)) - 1) * levels[voice]
                left += value * Double(voice + 1) / 5
                right += value * Double(4 - voice) / 5
                levels[voice] *= 0.99994
            }
            samples += [Int16(left), Int16(right)]
        }
        return samples
    }

    static func write(_ samples: [Int16], to path: String) throws {
        guard let file = fopen(path, "w") else { throw ListenerError.cannotStart(path) }
        let isWhole = samples.withUnsafeBytes { fwrite($0.baseAddress, 1, $0.count, file) == $0.count }
        guard fclose(file) == 0, isWhole else { throw ListenerError.cannotWrite(path) }
    }
}
