// SPDX-License-Identifier: Apache-2.0

internal import TransformCoding

/// A detector of missing harmonics: tonal bands with a patch that is not tonal.
///
/// There the decoder adds a sinusoid (`bs_add_harmonic`, ISO/IEC 14496-3:2009, 4.6.18.7.2).
///
/// Measured in SBR.md#choice-of-parameters.
package struct HarmonicDetector {
    /// `bs_add_harmonic`: bit i is set if band i with high frequency resolution gets a sinusoid.
    package private(set) var harmonics: UInt64 = 0

    package init() {}

    /// The maximum unpredictable fraction of a band in which a sinusoid starts.
    private static let onsetLimit: Float = 0.05
    /// The maximum unpredictable fraction of a band in which a sinusoid continues.
    private static let continuationLimit: Float = 0.1
    /// The minimum ratio of the patch's unpredictable fraction to the band's at which a sinusoid starts.
    private static let contrast: Float = 6

    /// Resets the hysteresis: all bands count as tonal in the previous frame, so that a current sinusoid does not stop.
    package mutating func resetHistory() { harmonics = .max }

    package mutating func detect(_ tonality: borrowing SubbandTonality, tuning: borrowing SBRTuning) {
        let (energies, residuals) = (tonality.energies.span, tonality.residuals.span)
        let sources = tuning.sources.span
        var found: UInt64 = 0
        let bands = tuning.tables.high
        for band in 0..<bands.count {
            let wasThere = harmonics >> UInt64(band) & 1 != 0
            var energy: Float = 1
            var rest: Float = 0
            var copiedRest: Float = 0
            let subbands = bands[band]..<bands[band + 1]
            let width = Float(subbands.count)
            for subband in subbands {
                energy += energies[subband]
                rest += energies[subband] * residuals[subband]
                copiedRest += residuals[sources[subband]]
            }
            let own = rest / energy
            let copied = copiedRest / width
            let limit = wasThere ? Self.continuationLimit : Self.onsetLimit
            let contrast = wasThere ? Self.contrast * 0.5 : Self.contrast
            let isAudible = energy > EnvelopeDequantizer.lowestEnergy * width
            if isAudible && own < limit && copied > contrast * own { found |= 1 << UInt64(band) }
        }
        harmonics = found
    }
}
