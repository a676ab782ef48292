// SPDX-License-Identifier: Apache-2.0

/// Flattening of the subbands that patches copy, which avoids level steps between patches (`bs_sbr_preprocessing`,
/// ISO/IEC 23003-3, 7.5).
package enum SpectralFlattener {
    /// Multiplies high-band subbands by the flattening gains of their source subbands.
    ///
    /// - Parameters:
    ///   - high: `X_High`.
    ///   - low: `X_Low`. QMF slot i of the high band is slot i + 2 here.
    package static func flatten(
        _ high: inout HighBandSlots, by low: borrowing LowBandSlots, qmfSlots: Range<Int>, tables: borrowing FrequencyBandTables
    ) {
        let count = min(tables.startSubband, 32)
        let gains = gains(of: levels(low, qmfSlots, count: count), count: count)
        let patches = tables.patches
        for patch in 0..<patches.count {
            for offset in 0..<patches.width(of: patch) {
                let (source, target) = (patches.start(of: patch) + offset, patches.target(of: patch) + offset)
                guard source < count else { continue }
                for qmfSlot in qmfSlots {
                    high.real[16 * qmfSlot + target / 4][target % 4] *= gains[source]
                    high.imaginary[16 * qmfSlot + target / 4][target % 4] *= gains[source]
                }
            }
        }
    }

    /// Returns the levels of the first `count` subbands, in decibels.
    private static func levels(_ low: borrowing LowBandSlots, _ qmfSlots: Range<Int>, count: Int) -> SIMD32<Double> {
        var levels = SIMD32<Double>()
        for band in 0..<count {
            var sum = 0.0
            for qmfSlot in qmfSlots {
                let index = LowBandSlots.row(ofQMFSlot: qmfSlot + 2) + band / 4
                let (real, imaginary) = (Double(low.real[index][band % 4]), Double(low.imaginary[index][band % 4]))
                sum += real * real + imaginary * imaginary
            }
            levels[band] = 10 * PortableMath.ln(sum / Double(qmfSlots.count) + 1) / PortableMath.ln(10)
        }
        return levels
    }

    /// Returns the gain of each subband: the mean level relative to a cubic fit of all levels.
    private static func gains(of levels: SIMD32<Double>, count: Int) -> SIMD32<Float> {
        var mean = 0.0
        for band in 0..<count { mean += levels[band] / Double(count) }
        let smooth = count <= 4 ? levels : cubic(levels, count: count)
        var gains = SIMD32<Float>(repeating: 1)
        for band in 0..<count { gains[band] = Float(PortableMath.power(10, (mean - smooth[band]) / 20)) }
        return gains
    }

    /// Returns the least-squares cubic fit to levels, computed with orthogonal polynomials.
    private static func cubic(_ levels: SIMD32<Double>, count: Int) -> SIMD32<Double> {
        var result = SIMD32<Double>()
        var previous = SIMD32<Double>()
        var previousNorm = 1.0
        var current = SIMD32<Double>()
        for band in 0..<count { current[band] = 1 }
        let center = Double(count - 1) / 2
        for degree in 0...3 {
            let norm = (current * current).sum()
            result += current * ((current * levels).sum() / norm)
            guard degree < 3 else { break }
            // The abscissae are symmetric about their centre, so the recurrence has only two terms.
            var next = SIMD32<Double>()
            for band in 0..<count {
                next[band] = (Double(band) - center) * current[band] - (degree > 0 ? norm / previousNorm * previous[band] : 0)
            }
            (previous, previousNorm, current) = (current, norm, next)
        }
        return result
    }
}
