// SPDX-License-Identifier: Apache-2.0

import AudioPrimitives
import TestSupport
import Testing
import TransformCoding
import USACCodec

@Suite struct LineSpectralFrequencyTests {
    @Test("Frequencies are at least 50 Hz apart, and their filter is stable", arguments: 0..<50 as Range<UInt64>)
    func order(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var frequencies = LineSpectralFrequencies()
        var sets = FixedArray(count: 5) { _ in LineSpectralData() }
        for set in 0..<5 {
            sets[set].isPresent = true
            sets[set].index = Int.random(in: 0..<256, using: &random)
        }
        frequencies.decode(sets)
        for set in 1..<5 {
            for index in 1..<16 {
                let (low, high) = (frequencies.frequencies[set * 16 + index - 1], frequencies.frequencies[set * 16 + index])
                #expect(high - low >= 49.9, "seed \(seed)")
            }
        }
    }

    @Test("The synthesis filter matches its recursion", arguments: 0..<50 as Range<UInt64>)
    func synthesis(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var frequencies = LineSpectralFrequencies()
        var sets = FixedArray(count: 5) { _ in LineSpectralData() }
        sets[4].isPresent = true
        sets[4].index = Int.random(in: 0..<256, using: &random)
        frequencies.decode(sets)
        let filter = frequencies.filter(from: 0, to: 4, share: Double.random(in: 0...1, using: &random))
        let input = (0..<80).map { _ in Float.random(in: -1...1, using: &random) }
        var output = input
        output.withMutableSpan { filter.synthesize(&$0, count: 64) }
        var expected = input.map { Double($0) }
        for n in 16..<80 {
            for index in 0..<16 { expected[n] -= Double(filter[index]) * expected[n - 1 - index] }
        }
        let scale = expected.map { abs($0) }.max() ?? 1
        #expect(zip(output, expected).allSatisfy { abs(Double($0) - $1) <= 1e-4 * scale }, "seed \(seed)")
    }

    private static func data(
        _ prediction: LineSpectralData.Prediction, form: Int, hasResidual: Bool = true, _ random: inout SeededRandom
    ) -> LineSpectralData {
        var data = LineSpectralData()
        data.isPresent = true
        (data.prediction, data.form, data.hasResidual) = (prediction, form, hasResidual)
        data.index = random.integer(in: 0..<256)
        guard hasResidual else { return data }
        data.lower = random.latticeCode(number: [0, 2, 3, 4, 5, 6][random.integer(in: 0..<6)])
        data.upper = random.latticeCode(number: [0, 2, 3, 4, 5, 6][random.integer(in: 0..<6)])
        return data
    }

    /// Returns random valid sets for a frame.
    private static func sets(isFirst: Bool, _ random: inout SeededRandom) -> FixedArray<LineSpectralData> {
        var sets = FixedArray(count: 5) { _ in LineSpectralData() }
        sets[4] = data(.absolute, form: 0, &random)
        for set in isFirst ? [0, 2] : [2] {
            let isRelative = random.integer(in: 0..<2) == 0
            sets[set] = isRelative ? data(.relative(4), form: 3, &random) : data(.absolute, form: 0, &random)
        }
        switch random.integer(in: 0..<3) {
        case 0: sets[1] = data(.absolute, form: 0, &random)
        case 1: sets[1] = data(.relative(2), form: 2, &random)
        default: sets[1] = data(.mean(0, 2), form: 1, hasResidual: false, &random)
        }
        switch random.integer(in: 0..<4) {
        case 0: sets[3] = data(.absolute, form: 0, &random)
        case 1: sets[3] = data(.relative(2), form: 2, &random)
        case 2: sets[3] = data(.relative(4), form: 2, &random)
        default: sets[3] = data(.mean(2, 4), form: 1, &random)
        }
        return sets
    }

    /// Returns a residual vector.
    private static func vector(_ code: LatticeCode) -> [Int] {
        LatticeModel().vector(number: code.number, index: Int(code.index), offsets: code.offsets.indices.map { Int(code.offsets[$0]) })
    }

    /// Returns a set, computed from previously decoded sets.
    private static func expected(_ data: LineSpectralData, _ sets: [[Double]], _ model: LineSpectralModel) -> [Double] {
        let prediction: [Double] =
            switch data.prediction {
            case .absolute: UnifiedTables.shared.lineSpectralFrequencies[data.index]
            case .relative(let other): sets[other]
            case .mean(let first, let second): zip(sets[first], sets[second]).map { ($0 + $1) / 2 }
            }
        guard data.hasResidual else { return prediction }
        return model.set(predicted: prediction, residual: vector(data.lower) + vector(data.upper), form: data.form)
    }

    // The decoder's codebook has single precision.
    @Test("Sets match predictions with weighted residuals, and filters match their polynomials, across frames")
    func decoding() {
        let comparison = ModelComparison(seeds: 700..<730) { seed, fault in
            var random = SeededRandom(seed: seed)
            let model = LineSpectralModel(fault: fault)
            var frequencies = LineSpectralFrequencies()
            var sets = [[Double]](repeating: LineSpectralModel.initial, count: 5)
            var error = ModelError()
            for frame in 0..<3 {
                let data = Self.sets(isFirst: frame == 0, &random)
                frequencies.decode(data)
                if frame > 0 { sets[0] = sets[4] }
                for set in [4, 0, 2, 1, 3] where data[set].isPresent { sets[set] = Self.expected(data[set], sets, model) }
                for set in 0..<5 {
                    for index in 0..<16 { error.add(Float(frequencies.set(set)[index]), expected: sets[set][index]) }
                }
                let (first, second) = (random.integer(in: 0..<5), random.integer(in: 0..<5))
                let share = random.double(in: 0...1)
                // The filter for the decoder's own frequencies, because it is sensitive to small distances.
                let expected = model.filter(from: frequencies.set(first), to: frequencies.set(second), share: share)
                let filter = frequencies.filter(from: first, to: second, share: share)
                let scale = expected.map(abs).max() ?? 1
                for index in 0...16 {
                    #expect(fault != nil || abs(filter.coefficients[index] - expected[index]) <= 1e-6 * scale, "seed \(seed)")
                    if fault == .sign { error.add(Float(filter.coefficients[index]), expected: expected[index]) }
                    let weighted = LineSpectralModel.weighted(expected)[index]
                    #expect(fault != nil || abs(filter.weighted.coefficients[index] - weighted) <= 1e-6 * scale, "seed \(seed)")
                }
                let stability = LineSpectralModel.stability(from: frequencies.set(first), to: frequencies.set(second))
                #expect(abs(Double(frequencies.stability(from: first, to: second)) - stability) < 1e-6, "seed \(seed)")
            }
            return error
        }
        #expect(comparison.agrees(below: -120), "\(comparison)")
    }
}
