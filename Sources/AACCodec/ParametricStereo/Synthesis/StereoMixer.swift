// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// Mixes one channel and its decorrelated twin to two, four columns at a time (ISO/IEC 14496-3:2009, 8.6.4.6).
struct StereoMixer: ~Copyable {
    private var real = InlineArray<36, StereoMatrices.Factors>(repeating: StereoMatrices.Factors())
    private var imaginary = InlineArray<36, StereoMatrices.Factors>(repeating: StereoMatrices.Factors())
    private var isComplex = false
    private var bands = StereoBands.bands20

    /// Makes a mixer that is silent.
    init() {}

    /// Takes the matrices of four columns.
    ///
    /// - Parameter gains: What the twin is multiplied with besides, by stereo band.
    mutating func set(_ matrices: inout StereoMatrices, gains: Span<SIMD4<Float>>, bands: StereoBands, column: Int) {
        self.bands = bands
        isComplex = matrices.isComplex
        var factors = real.mutableSpan
        matrices.realFactors(column, bandCount: bands.count, into: &factors)
        Self.scale(&factors, gains: gains, bandCount: bands.count)
        guard isComplex else { return }
        var turns = imaginary.mutableSpan
        matrices.imaginaryFactors(column, bandCount: bands.count, into: &turns)
        Self.scale(&turns, gains: gains, bandCount: bands.count)
    }

    private static func scale(_ factors: inout MutableSpan<StereoMatrices.Factors>, gains: Span<SIMD4<Float>>, bandCount: Int) {
        for band in 0..<bandCount {
            factors[band].h21 *= gains[band]
            factors[band].h22 *= gains[band]
        }
    }

    /// Makes the left channel in place of the one channel, the right one in place of the twin.
    mutating func mix(
        low: Span<ComplexVector>, lowTwins: Span<ComplexVector>, subbands: inout MutableSpan<ComplexVector>,
        right: inout MutableSpan<ComplexVector>
    ) {
        let real = real.span
        let imaginary = imaginary.span
        mixLow(low: low, lowTwins: lowTwins, real, imaginary, subbands: &subbands, right: &right)
        for subband in bands.splitSubbandCount..<64 {
            let band = bands.stereoBand(ofSubband: subband)
            var pair = Self.mixed(subbands[subband], right[subband], real[band])
            if isComplex { Self.turn(&pair, subbands[subband], right[subband], imaginary[band], isConjugated: false) }
            subbands[subband] = pair.left
            right[subband] = pair.right
        }
    }

    /// The parts of the split subbands, added up again.
    private func mixLow(
        low: Span<ComplexVector>, lowTwins: Span<ComplexVector>, _ real: Span<StereoMatrices.Factors>,
        _ imaginary: Span<StereoMatrices.Factors>, subbands: inout MutableSpan<ComplexVector>,
        right: inout MutableSpan<ComplexVector>
    ) {
        var part = 0
        for subband in 0..<bands.splitSubbandCount {
            var left = ComplexVector.zero
            var sum = ComplexVector.zero
            for _ in 0..<partCount(subband) {
                let band = bands.stereoBand(ofLowBand: part)
                var pair = Self.mixed(low[part], lowTwins[part], real[band])
                if isComplex {
                    let isConjugated = bands.conjugatedLowBands.contains(part)
                    Self.turn(&pair, low[part], lowTwins[part], imaginary[band], isConjugated: isConjugated)
                }
                left = left + pair.left
                sum = sum + pair.right
                part += 1
            }
            subbands[subband] = left
            right[subband] = sum
        }
    }

    private func partCount(_ subband: Int) -> Int {
        switch (bands, subband) {
        case (.bands20, 0): 6
        case (.bands20, _): 2
        case (.bands34, 0): 12
        case (.bands34, 1): 8
        case (.bands34, _): 4
        }
    }

    @inline(__always)
    private static func mixed(
        _ signal: ComplexVector, _ twin: ComplexVector, _ factors: StereoMatrices.Factors
    ) -> (left: ComplexVector, right: ComplexVector) {
        (signal * factors.h11 + twin * factors.h21, signal * factors.h12 + twin * factors.h22)
    }

    /// Adds the products with the imaginary parts of the factors.
    @inline(__always)
    private static func turn(
        _ pair: inout (left: ComplexVector, right: ComplexVector), _ signal: ComplexVector, _ twin: ComplexVector,
        _ factors: StereoMatrices.Factors, isConjugated: Bool
    ) {
        let turned = mixed(signal, twin, factors)
        let left = turned.left.timesMinusI
        let right = turned.right.timesMinusI
        pair.left = isConjugated ? pair.left + left : pair.left - left
        pair.right = isConjugated ? pair.right + right : pair.right - right
    }
}
