// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// Mixes one channel and its decorrelated twin to two, four columns at a time (ISO/IEC 14496-3:2009, 8.6.4.6).
struct StereoMixer {
    private var real = InlineArray<36, StereoMatrices.Factors>(repeating: StereoMatrices.Factors())
    private var imaginary = InlineArray<36, StereoMatrices.Factors>(repeating: StereoMatrices.Factors())
    private let isComplex: Bool
    private let bands: StereoBands

    /// Takes the matrices of four columns.
    ///
    /// - Parameter gains: What the twin is multiplied with besides, by stereo band.
    init(_ matrices: borrowing StereoMatrices, gains: borrowing [36 of SIMD4<Float>], bands: StereoBands, column: Int) {
        self.bands = bands
        isComplex = matrices.isComplex
        matrices.realFactors(column, bandCount: bands.count, into: &real)
        for band in 0..<bands.count {
            real[band].h21 *= gains[band]
            real[band].h22 *= gains[band]
        }
        guard isComplex else { return }
        matrices.imaginaryFactors(column, bandCount: bands.count, into: &imaginary)
        for band in 0..<bands.count {
            imaginary[band].h21 *= gains[band]
            imaginary[band].h22 *= gains[band]
        }
    }

    /// Makes the left channel in place of the one channel, the right one in place of the twin.
    func mix(
        low: Span<ComplexVector>, lowTwins: Span<ComplexVector>, subbands: inout MutableSpan<ComplexVector>,
        right: inout MutableSpan<ComplexVector>
    ) {
        mixLow(low: low, lowTwins: lowTwins, subbands: &subbands, right: &right)
        for subband in bands.splitSubbandCount..<64 {
            let band = bands.stereoBand(ofSubband: subband)
            let pair = mixed(subbands[subband], right[subband], band, isConjugated: false)
            subbands[subband] = pair.left
            right[subband] = pair.right
        }
    }

    /// The parts of the split subbands, added up again.
    private func mixLow(
        low: Span<ComplexVector>, lowTwins: Span<ComplexVector>, subbands: inout MutableSpan<ComplexVector>,
        right: inout MutableSpan<ComplexVector>
    ) {
        var band = 0
        for subband in 0..<bands.splitSubbandCount {
            var left = ComplexVector.zero
            var sum = ComplexVector.zero
            for _ in 0..<partCount(subband) {
                let pair = mixed(
                    low[band], lowTwins[band], bands.stereoBand(ofLowBand: band),
                    isConjugated: bands.conjugatedLowBands.contains(band))
                left = left + pair.left
                sum = sum + pair.right
                band += 1
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
    private func mixed(
        _ signal: ComplexVector, _ twin: ComplexVector, _ band: Int, isConjugated: Bool
    ) -> (left: ComplexVector, right: ComplexVector) {
        let factors = real[band]
        var left = signal * factors.h11 + twin * factors.h21
        var right = signal * factors.h12 + twin * factors.h22
        if isComplex {
            let turned = imaginary[band]
            // The product with an imaginary factor, i s.
            let leftTurned = (signal * turned.h11 + twin * turned.h21).timesMinusI
            let rightTurned = (signal * turned.h12 + twin * turned.h22).timesMinusI
            left = isConjugated ? left + leftTurned : left - leftTurned
            right = isConjugated ? right + rightTurned : right - rightTurned
        }
        return (left, right)
    }
}
