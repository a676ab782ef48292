// SPDX-License-Identifier: Apache-2.0

package import TransformCoding

/// Compensation of envelope energies for sinusoids (ISO/IEC 14496-3:2009, 4.6.18.7.5).
///
/// An envelope energy is the mean over a band's subbands, but a sinusoid is in only one of them. The decoder compensates for the
/// missing energy with one factor, `G_Boost`, per limiter band, by at most 4 dB. This also affects the limiter band's other bands.
/// So the energies of bands with a sinusoid are raised and the others lowered, such that the factor restores all of them.
package enum SineCompensation {
    /// The maximum of `G_Boost`².
    private static let boost: Float = 2.512

    /// Adjusts the mean energies of one envelope.
    ///
    /// - Parameters:
    ///   - energies: The mean energies by band.
    ///   - harmonics: `bs_add_harmonic`, band i in bit i.
    ///   - floors: The noise floors by noise band: log2 of the noise-to-signal ratio.
    package static func adjust(
        _ energies: inout MutableSpan<Float>, isHighResolution: Bool, harmonics: UInt64, floors: SIMD8<Float>,
        tables: borrowing FrequencyBandTables
    ) {
        let (bands, limiter) = (tables.envelopeBands(isHighResolution: isHighResolution), tables.limiter)
        var band = 0
        for limited in 0..<limiter.count {
            let first = band
            var wanted: Float = 1
            var levels: Float = 1
            while band < bands.count && bands[band] < limiter[limited + 1] {
                let energy = energies[band] * Float(bands[band + 1] - bands[band])
                wanted += energy
                let share = share(bands[band]..<bands[band + 1], harmonics: harmonics, floors: floors, tables: tables)
                levels += energy / share
                energies[band] /= share
                band += 1
            }
            let factor = min(levels / wanted, Self.boost)
            for index in first..<band { energies[index] /= factor }
        }
    }

    /// Returns the fraction of its energy that a band has before `G_Boost`.
    private static func share(
        _ subbands: Range<Int>, harmonics: UInt64, floors: SIMD8<Float>, tables: borrowing FrequencyBandTables
    ) -> Float {
        var sineCount: Float = 0
        var rest = harmonics
        while rest != 0 {
            let band = rest.trailingZeroBitCount
            rest &= rest &- 1
            if subbands.contains(tables.high[band]) { sineCount += 1 }
        }
        guard sineCount > 0 else { return 1 }
        var noiseBand = 0
        let noise = tables.noise
        while noiseBand + 1 < noise.count && noise[noiseBand + 1] <= subbands.lowerBound { noiseBand += 1 }
        let floor = PortableMath.exp2(floors[noiseBand])
        // A sinusoid has the fraction 1 / (1 + Q) in its subband. Patch and noise have Q / (1 + Q) each, and subbands with sinusoids
        // get no noise.
        return (sineCount + (2 * Float(subbands.count) - sineCount) * floor) / ((1 + floor) * Float(subbands.count))
    }
}
