// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// Levels with which bands have their energy though some hold sines (ISO/IEC 14496-3:2009, 4.6.18.7.5).
///
/// A level is the mean over the subbands of a band, but a sine is in one of them. What is missing for that, a decoder makes up
/// by one factor for the whole limiter band, its other bands included, and by 4 dB at most. So the sine's band is raised,
/// and the others are lowered, until that factor brings all to where they should be.
enum SineCompensation {
    /// The largest factor of energy that a decoder makes up by.
    private static let boost: Float = 2.512

    /// Changes the mean energies of one envelope, by band.
    ///
    /// - Parameters:
    ///   - harmonics: Bit i is set when band i of the high resolution has a sine.
    ///   - floors: The noise floors, log2 of the ratio of noise to the rest.
    static func adjust(
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

    /// The part of the energy that its level stands for which a band has before the limiter's factor.
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
        // The sines have what the noise doesn't; the copy is made as loud as the noise, which the sines' subbands don't have.
        return (sineCount + (2 * Float(subbands.count) - sineCount) * floor) / ((1 + floor) * Float(subbands.count))
    }
}
