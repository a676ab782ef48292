// SPDX-License-Identifier: Apache-2.0

internal import TransformCoding

/// A detector of missing harmonics: tonal bands whose patch is not tonal, in which the decoder adds a sinusoid
/// (`bs_add_harmonic`, ISO/IEC 14496-3:2009, 4.6.18.7.2).
///
/// Measured in SBR.md#choice-of-parameters.
package struct HarmonicDetector {
    /// `bs_add_harmonic` in bit i: whether band i of the high frequency resolution gets a sinusoid.
    package private(set) var harmonics: UInt64 = 0

    /// Creates the initial value.
    package init() {}

    /// The largest unpredictable share of a band in which a sinusoid begins.
    private static let onsetLimit: Float = 0.05
    /// The same for a band in which a sinusoid continues.
    private static let continuationLimit: Float = 0.1
    /// The ratio of the unpredictable share of the patch to that of the band, at which a sinusoid begins.
    private static let contrast: Float = 6

    /// Resets the hysteresis: every band counts as tonal in the previous frame, so that a sinusoid in progress does not stop.
    package mutating func resetHistory() { harmonics = .max }

    /// Detects the missing harmonics of a frame.
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
