// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing
import TransformCoding
import TransformEncoding

/// Compares the pre-echo excess with double-precision models that follow its definitions, not the code.
@Suite struct PreEchoExcessModelTests {
    /// The steps of one frequency region in double precision, newest last.
    private struct Region {
        var energies: [Double]

        /// The energy that earlier steps still mask in `step`, computed over all of them.
        ///
        /// A peak decays by 8.9 dB in each of the four following steps, then by 1.1 dB per step.
        func forwardMasking(at step: Int, from first: Int) -> Double {
            var level = 0.0
            var age = 0
            for earlier in first...step {
                level *= age < 4 ? 0.1288 : 0.7762
                if earlier == step { return level }
                age = energies[earlier] >= level ? 0 : age + 1
                level = max(level, energies[earlier])
            }
            return level
        }

        /// The energy that the steps from `step` to `last` mask in `step`.
        ///
        /// It falls by 18 dB per step backwards.
        func backwardMasking(at step: Int, to last: Int) -> Double {
            (step...last).map { energies[$0] * PortableMath.power(0.01585, Double($0 - step)) }.max() ?? 0
        }
    }

    /// A detector after four blocks of noise with random level jumps.
    private static func detector(seed: UInt64) -> TransientDetector {
        var random = SeededRandom(seed: seed)
        var detector = TransientDetector(blockLength: 1024)
        var level: Float = 30
        var samples = [Float](repeating: 0, count: 4)
        for _ in 0..<4 {
            for _ in 0..<1024 {
                if Int.random(in: 0..<400, using: &random) == 0 { level = [2, 30, 800, 9000].randomElement(using: &random) ?? 0 }
                samples.append(Float.random(in: -level...level, using: &random))
            }
            detector.append(samples.span)
            samples = Array(samples.suffix(4))
        }
        return detector
    }

    private static func regions(of detector: borrowing TransientDetector) -> [Region] {
        let energies = detector.energies.values
        return (0..<3).map { region in Region(energies: energies[64 * region..<64 * region + 64].map { Double($0) }) }
    }

    /// The pre-echo excess of a long window over the last 32 steps, from the formula in ``TransientDetector``.
    private static func preEchoExcess(_ region: Region, noiseToSignal: Double) -> Double {
        let first = 32
        func window(_ step: Int) -> Double {
            let sine = CircularFunctions.sinePi((Double(step) + 0.5) / 32)
            return sine * sine
        }
        let steps = 0..<25
        let noise = steps.reduce(0) { $0 + region.energies[first + $1] * window($1) } * noiseToSignal / 16
        let loudest = steps.map { region.energies[first + $0] }.max() ?? 0
        var preEchoExcess = 0.0
        var pending = 0.0
        for step in steps {
            let energy = region.energies[first + step]
            let forward = region.forwardMasking(at: first + step, from: first - 16)
            let backward = region.backwardMasking(at: first + step, to: first + 24)
            let masked = max(0.158 * max(forward, backward), 1024)
            let audible = noise * window(step) / masked
            if audible > 1 { pending += min(10 * PortableMath.ln(audible) / PortableMath.ln(10), 30) }
            guard energy > 2 * forward, energy > 0.25 * loudest else { continue }
            let before = (3...6).map { region.energies[first + step - $0] }.max() ?? 0
            if energy > 1.25 * before { preEchoExcess += pending }
            pending = 0
        }
        return preEchoExcess + pending
    }

    @Test("The pre-echo excess of a long window matches its formula in double precision", arguments: 1...60 as ClosedRange<UInt64>)
    func longWindow(seed: UInt64) {
        var detector = Self.detector(seed: seed)
        let expected = Self.regions(of: detector).reduce(0) { $0 + Self.preEchoExcess($1, noiseToSignal: 0.03) }
        let found = Double(detector.preEchoExcess().total)
        // The window's power is rounded to four digits.
        #expect(abs(found - expected) < 0.5 + 0.01 * expected, "seed \(seed): \(found), not \(expected)")
    }

    @Test("Only some random envelopes have a large pre-echo excess")
    func variety() {
        let preEchoExcesses = (1...60 as ClosedRange<UInt64>).map { seed in
            var detector = Self.detector(seed: seed)
            return detector.preEchoExcess().total
        }
        #expect(preEchoExcesses.contains { $0 > 60 } && preEchoExcesses.contains { $0 < 60 })
    }

    @Test("The pre-echo excess of short windows matches its definition in double precision", arguments: 1...60 as ClosedRange<UInt64>)
    func shortWindows(seed: UInt64) {
        var detector = Self.detector(seed: seed)
        let found = detector.onsetPreEchoExcesses()
        let power = [0.3634, 1.6366, 1.6366, 0.3634]
        // The current frame starts 48 steps before the end, and its first short window seven steps later.
        let first = 16
        for window in 0..<8 {
            var expected = 0.0
            for region in Self.regions(of: detector) {
                let start = first + 7 + 2 * window
                let energies = (0..<4).map { region.energies[start + $0] }
                let before = (1...12).map { region.energies[start - $0] }.max() ?? 0
                guard let loudest = energies.max(), loudest > 1.25 * before else { continue }
                let mean = zip(energies, power).reduce(0) { $0 + $1.0 * $1.1 } / 4
                // Up to the first maximum.
                let last = energies.firstIndex(of: loudest) ?? 0
                for step in 0...last {
                    let decayed = region.forwardMasking(at: start + step, from: first - 16)
                    let masked = max(max(decayed, region.energies[start + step]), 1024)
                    let ratio = power[step] * mean / masked
                    expected = max(expected, min(PortableMath.ln(max(ratio, 1)) / PortableMath.ln(2), 8))
                }
            }
            #expect(abs(Double(found[window]) - expected) < 0.01, "seed \(seed), window \(window): \(found[window]), not \(expected)")
        }
    }
}
