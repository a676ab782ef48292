// SPDX-License-Identifier: Apache-2.0

import AudioPrimitives
import TestSupport
import TransformCoding
import USACCodec

/// Random valid input for the tools of the linear prediction domain.
extension SeededRandom {
    mutating func latticeCode(number: Int) -> LatticeCode {
        var reader = BitReader((0..<32).map { _ in UInt8.random(in: 0...255, using: &self) })
        return LatticeCode(number: number, reading: &reader)
    }

    /// Returns five sets of line spectral frequencies from the first codebook, without residuals.
    mutating func plainSets() -> FixedArray<LineSpectralData> {
        var sets = FixedArray(count: 5) { _ in LineSpectralData() }
        for set in 0..<5 {
            sets[set].isPresent = true
            sets[set].index = integer(in: 0..<256)
        }
        return sets
    }

    /// Returns a periodic signal, like a voice, plus noise.
    mutating func voice(_ count: Int, period: Int, noise: Float) -> [Float] {
        let shape = samples(period, amplitude: 3000)
        return (0..<count).map { shape[$0 % period] + float(in: -noise...noise) }
    }
}

extension LineSpectralFrequencies {
    /// The frequencies of a set.
    func set(_ index: Int) -> [Double] { (0..<Self.order).map { frequencies[Self.order * index + $0] } }
}

extension PredictionFilter {
    /// a[0] to a[16].
    var coefficients: [Double] { [1] + (0..<LineSpectralFrequencies.order).map { Double(self[$0]) } }
}

extension FixedArray<Float> {
    /// Sets values starting at an index.
    mutating func set(_ values: [Float], at first: Int) {
        for (index, value) in values.enumerated() { self[first + index] = value }
    }

    func doubles(_ range: Range<Int>) -> [Double] { range.map { Double(self[$0]) } }
}
