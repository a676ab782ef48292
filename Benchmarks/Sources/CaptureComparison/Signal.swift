// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// What is played.
enum Signal {
    /// Bursts of noise of 0.2 s in silence, stereo, about `period` seconds apart but never in step with frames of 1024.
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

    static func write(_ samples: [Int16], to path: String) throws {
        guard let file = fopen(path, "w") else { throw ListenerError.cannotStart(path) }
        samples.withUnsafeBytes { _ = fwrite($0.baseAddress, 1, $0.count, file) }
        fclose(file)
    }
}
