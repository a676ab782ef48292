// SPDX-License-Identifier: Apache-2.0

import ILBCCodec
import TestSupport
import Testing

@Suite struct LinearPredictionTests {
    @Test("Frequencies round-trip through coefficients", arguments: 0..<50 as Range<UInt64>)
    func roundTrip(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        // Steps of at least 0.05 radians (64 Hz)
        var frequencies: [Float] = []
        var last: Float = 0.05
        for _ in 0..<10 {
            last += Float.random(in: 0.05...0.3, using: &random)
            frequencies.append(min(last, 3.1))
        }
        let found = try #require(LineSpectrum.frequencies(of: LineSpectrum.coefficients(of: frequencies)), "seed \(seed)")
        for (wanted, value) in zip(frequencies, found) { #expect(abs(wanted - value) < 2e-3, "seed \(seed)") }
    }

    @Test("Every codebook combination yields ascending frequencies and a stable filter", arguments: 0..<20 as Range<UInt64>)
    func stability(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        for _ in 0..<500 {
            let frame = RandomFrames.valid(mode: .milliseconds20, random: &random)
            let frequencies = LSFQuantizer.frequencies(ofSet: 0, in: frame)
            #expect(zip(frequencies, frequencies.dropFirst()).allSatisfy { $1 - $0 > 0.0038 }, "seed \(seed)")
            #expect(frequencies[0] > 0 && frequencies[9] < .pi)
            #expect(isStable(LineSpectrum.coefficients(of: frequencies)), "seed \(seed)")
        }
    }

    /// Whether all reflection coefficients are below 1, by step-down recursion.
    private func isStable(_ coefficients: [Float]) -> Bool {
        var current = coefficients.map { Double($0) }
        for order in (1...10).reversed() {
            let reflection = current[order]
            guard abs(reflection) < 1 else { return false }
            let before = current
            for lag in 1..<order { current[lag] = (before[lag] - reflection * before[order - lag]) / (1 - reflection * reflection) }
        }
        return true
    }

    @Test("Predicts an autoregressive process exactly")
    func levinson() {
        // A first-order autoregressive process with factor 0.8
        let autocorrelation = (0...10).map { lag in (0..<lag).reduce(Float(1)) { value, _ in value * 0.8 } }
        let predictor = LPCAnalysis.predictor(of: autocorrelation)
        #expect(abs(predictor[1] + 0.8) < 1e-5)
        #expect(predictor[2...].allSatisfy { abs($0) < 1e-4 })
        #expect(LPCAnalysis.predictor(of: [Float](repeating: 0, count: 11)) == [1] + [Float](repeating: 0, count: 10))
    }

    @Test("Synthesis inverts analysis across blocks", arguments: 0..<5 as Range<UInt64>)
    func inverse(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let coefficients = LineSpectrum.coefficients(of: LSFTables.mean)
        var (analysis, synthesis) = (PredictionFilter(), PredictionFilter())
        for _ in 0..<3 {
            let samples = random.samples(160, amplitude: 1000)
            var copy = samples
            for start in stride(from: 0, to: 160, by: 40) { analysis.analyze(&copy, start..<start + 40, with: coefficients) }
            for start in stride(from: 0, to: 160, by: 40) { synthesis.synthesize(&copy, start..<start + 40, with: coefficients) }
            #expect(SignalDistance.signalToNoise(samples, copy) > 80, "seed \(seed)")
        }
    }

    @Test("Interpolates frequencies with the weights of RFC 3951", arguments: ILBCMode.allCases)
    func interpolation(mode: ILBCMode) {
        let sets = (0..<mode.lsfSetCount).map { set in LSFTables.mean.map { $0 + 0.02 * Float(set + 1) } }
        var interpolator = LSFInterpolator(mode: mode)
        let filters = interpolator.filters(for: sets)
        // The weighted sum of both sets, with the initial mean at 0
        let offsets: [Float] = mode == .milliseconds20 ? [0.005, 0.01, 0.015, 0.02] : [0.01, 0.02, 0.0266667, 0.0333333, 0.04, 0.04]
        for (filter, offset) in zip(filters, offsets) {
            let wanted = LineSpectrum.coefficients(of: LSFTables.mean.map { $0 + offset })
            #expect(zip(filter, wanted).allSatisfy { abs($0 - $1) < 1e-3 })
        }
    }
}
