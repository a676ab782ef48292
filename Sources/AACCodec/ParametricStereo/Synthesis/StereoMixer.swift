// SPDX-License-Identifier: Apache-2.0

internal import TransformCoding

/// Mixes the mono and the decorrelated signal to two channels, four time slots at a time (ISO/IEC 14496-3:2009, 8.6.4.6).
///
///     l(k, n) = H11 · s(k, n) + H21 · d(k, n)
///     r(k, n) = H12 · s(k, n) + H22 · d(k, n)
struct StereoMixer: ~Copyable {
    /// Real parts of the factors of each stereo band.
    private var real = FixedArray(repeating: StereoMatrices.Factors(), count: 36)
    /// Imaginary parts of the factors of each stereo band.
    private var imaginary = FixedArray(repeating: StereoMatrices.Factors(), count: 36)
    /// Whether any imaginary part is nonzero.
    private var isComplex = false
    private var bands = StereoBands.bands20

    init() {}

    /// Sets the matrices of four time slots starting at `qmfSlot`.
    ///
    /// - Parameter gains: The gains of the decorrelated signal from transient reduction, by stereo band.
    mutating func set(_ matrices: borrowing StereoMatrices, gains: Span<SIMD4<Float>>, bands: StereoBands, qmfSlot: Int) {
        self.bands = bands
        isComplex = matrices.isComplex
        var factors = real.mutableSpan(first: 36)
        matrices.realFactors(qmfSlot, bandCount: bands.count, into: &factors)
        Self.scale(&factors, gains: gains, bandCount: bands.count)
        guard isComplex else { return }
        var imaginaryFactors = imaginary.mutableSpan(first: 36)
        matrices.imaginaryFactors(qmfSlot, bandCount: bands.count, into: &imaginaryFactors)
        Self.scale(&imaginaryFactors, gains: gains, bandCount: bands.count)
    }

    private static func scale(_ factors: inout MutableSpan<StereoMatrices.Factors>, gains: Span<SIMD4<Float>>, bandCount: Int) {
        for band in 0..<bandCount {
            factors[band].h21 *= gains[band]
            factors[band].h22 *= gains[band]
        }
    }

    /// Mixes four time slots.
    ///
    /// - Parameters:
    ///   - low: The hybrid bands of the mono signal.
    ///   - lowDecorrelated: The hybrid bands of the decorrelated signal.
    ///   - subbandCount: The number of subbands to mix, up to 64.
    ///   - subbands: The subbands of the mono signal. Replaced by the left channel.
    ///   - right: The subbands of the decorrelated signal. Replaced by the right channel.
    mutating func mix(
        low: Span<ComplexVector>, lowDecorrelated: Span<ComplexVector>, subbandCount: Int,
        subbands: inout MutableSpan<ComplexVector>, right: inout MutableSpan<ComplexVector>
    ) {
        let real = real.span(first: 36)
        let imaginary = imaginary.span(first: 36)
        mixLow(low: low, lowDecorrelated: lowDecorrelated, real, imaginary, subbands: &subbands, right: &right)
        // Spans of constant length need fewer bounds checks.
        var left = subbands._mutatingExtracting(0..<64)
        var right = right._mutatingExtracting(0..<64)
        for band in bands.splitBandCount..<bands.count {
            let range = bands.subbands(ofBand: band).clamped(to: 0..<min(subbandCount, 64))
            let factors = real[band]
            guard isComplex else {
                for subband in range {
                    let pair = Self.mixed(left[subband], right[subband], factors)
                    left[subband] = pair.left
                    right[subband] = pair.right
                }
                continue
            }
            for subband in range {
                var pair = Self.mixed(left[subband], right[subband], factors)
                Self.addImaginary(&pair, left[subband], right[subband], imaginary[band], isConjugated: false)
                left[subband] = pair.left
                right[subband] = pair.right
            }
        }
    }

    /// Mixes the hybrid bands, and sums them to the split subbands (hybrid synthesis, 8.6.4.3).
    private func mixLow(
        low: Span<ComplexVector>, lowDecorrelated: Span<ComplexVector>, _ real: Span<StereoMatrices.Factors>,
        _ imaginary: Span<StereoMatrices.Factors>, subbands: inout MutableSpan<ComplexVector>,
        right: inout MutableSpan<ComplexVector>
    ) {
        var part = 0
        for subband in 0..<bands.splitSubbandCount {
            var left = ComplexVector.zero
            var sum = ComplexVector.zero
            for _ in 0..<partCount(subband) {
                let band = bands.stereoBand(ofLowBand: part)
                var pair = Self.mixed(low[part], lowDecorrelated[part], real[band])
                if isComplex {
                    let isConjugated = bands.conjugatedLowBands.contains(part)
                    Self.addImaginary(&pair, low[part], lowDecorrelated[part], imaginary[band], isConjugated: isConjugated)
                }
                left = left + pair.left
                sum = sum + pair.right
                part += 1
            }
            subbands[subband] = left
            right[subband] = sum
        }
    }

    /// Returns the number of hybrid bands of a split subband.
    private func partCount(_ subband: Int) -> Int {
        switch (bands, subband) {
        case (.bands20, 0): 6
        case (.bands20, _): 2
        case (.bands34, 0): 12
        case (.bands34, 1): 8
        case (.bands34, _): 4
        }
    }

    /// Returns the products with the real or imaginary parts of the factors.
    @inline(__always)
    private static func mixed(
        _ signal: ComplexVector, _ decorrelated: ComplexVector, _ factors: StereoMatrices.Factors
    ) -> (left: ComplexVector, right: ComplexVector) {
        (signal * factors.h11 + decorrelated * factors.h21, signal * factors.h12 + decorrelated * factors.h22)
    }

    /// Adds the products with the imaginary parts of the factors, conjugated at negative frequencies.
    @inline(__always)
    private static func addImaginary(
        _ pair: inout (left: ComplexVector, right: ComplexVector), _ signal: ComplexVector, _ decorrelated: ComplexVector,
        _ factors: StereoMatrices.Factors, isConjugated: Bool
    ) {
        let product = mixed(signal, decorrelated, factors)
        let left = product.left.timesMinusI
        let right = product.right.timesMinusI
        pair.left = isConjugated ? pair.left + left : pair.left - left
        pair.right = isConjugated ? pair.right + right : pair.right - right
    }
}
