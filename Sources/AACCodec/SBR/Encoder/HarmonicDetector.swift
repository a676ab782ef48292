// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// Finds tones of the high band that no copy of the low band has; the decoder puts a sine in the middle of their band
/// (`bs_add_harmonic`, ISO/IEC 14496-3:2009, 4.6.18.7.2).
struct HarmonicDetector {
    /// Bit i is set when band i of the high resolution gets a sine.
    private(set) var harmonics: UInt64 = 0

    /// The largest share of a band that can't be predicted, at the start of a sine and after it.
    private static let onset: Float = 0.05
    private static let hold: Float = 0.1
    /// The mean energy of a subband up to which there is nothing to be heard: a level of 0.
    private static let silence: Float = 64
    /// How much less of the copy has to be predictable.
    private static let contrast: Float = 6

    /// Goes on as if all bands had had a tone: in doubt those that have one keep it.
    mutating func resetHistory() { harmonics = .max }

    /// Looks at a frame.
    mutating func detect(_ tonality: inout SubbandTonality, tuning: borrowing SBRTuning) {
        let (energies, residuals) = (tonality.energies.span, tonality.residuals.span)
        let sources = tuning.sources.span
        var found: UInt64 = 0
        let bands = tuning.tables.high
        for band in 0..<bands.count {
            let wasThere = harmonics >> UInt64(band) & 1 != 0
            var energy: Float = 1
            var rest: Float = 0
            var copiedRest: Float = 0
            for subband in bands[band]..<bands[band + 1] {
                energy += energies[subband]
                rest += energies[subband] * residuals[subband]
                copiedRest += residuals[sources[subband]]
            }
            let own = rest / energy
            let copied = copiedRest / Float(bands[band + 1] - bands[band])
            let limit = wasThere ? Self.hold : Self.onset
            let contrast = wasThere ? Self.contrast * 0.5 : Self.contrast
            let isHeard = energy > Self.silence * Float(bands[band + 1] - bands[band])
            if isHeard && own < limit && copied > contrast * own { found |= 1 << UInt64(band) }
        }
        harmonics = found
    }
}
