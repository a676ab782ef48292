// SPDX-License-Identifier: Apache-2.0

internal import TransformCoding

/// Estimates a channel's inverse filtering modes, which make patches less tonal, and noise floors, which add noise to patches
/// (ISO/IEC 14496-3:2009, 4.6.18.6.2 and 4.6.18.7.4).
package struct NoiseFloorPlanner {
    /// `bs_invf_mode` by noise band.
    package private(set) var inverseFiltering = SIMD8<UInt8>(repeating: 0)
    /// The smoothed noise floors by noise band: log2 of the noise-to-signal ratio.
    package private(set) var floors = SIMD8<Float>(repeating: quietest)

    /// Whether ``floors`` contains a previous frame.
    private var hasHistory = false

    package init() {}

    /// The fraction of white noise energy that two QMF slots do not predict, measured over 40 frames.
    ///
    /// Measured in HighEfficiency.md#noise-and-tones.
    private static let residualOfNoise: Float = 0.5
    /// The minimum ratios of the original's noise fraction to its patch's for low, intermediate and strong inverse filtering.
    private static let filterSteps: (Float, Float, Float) = (1.5, 3, 6)
    private static let smoothingWeight: Float = 0.5
    /// The lowest noise floor that is sent, as log2.
    private static let quietest: Float = -12
    /// The highest noise floor that is sent, as log2.
    private static let loudest: Float = 0

    /// Resets the smoothing, so that the next frame's floors are not smoothed.
    package mutating func resetHistory() { hasHistory = false }

    /// Estimates modes and floors of a frame from its subband tonality.
    package mutating func plan(_ tonality: borrowing SubbandTonality, tuning: borrowing SBRTuning) {
        let (energies, residuals) = (tonality.energies.span, tonality.residuals.span)
        let sources = tuning.sources.span
        let (bands, high) = (tuning.tables.noise, tuning.tables.high)
        var inner = 0
        for band in 0..<bands.count {
            var energy: Float = 1
            var noise: Float = 0
            var patchNoise: Float = 0
            let end = bands[band + 1]
            while inner < high.count && high[inner] < end {
                let subbands = high[inner]..<high[inner + 1]
                var innerEnergy: Float = 0
                var innerNoise: Float = 0
                for subband in subbands {
                    innerEnergy += energies[subband]
                    noise += energies[subband] * residuals[subband]
                    innerNoise += residuals[sources[subband]]
                }
                energy += innerEnergy
                // The decoder gives all subbands of an envelope band the same energy.
                patchNoise += innerNoise * innerEnergy / Float(subbands.count)
                inner += 1
            }
            let own = min(noise / (energy * Self.residualOfNoise), 1)
            let patch = min(patchNoise / (energy * Self.residualOfNoise), 1)
            setFilter(band, ratio: own / max(patch, 1e-4))
            setFloor(band, own: own, patch: patch, offset: tuning.floorOffset)
        }
        hasHistory = true
    }

    /// Sets the inverse filtering mode of a band from the ratio of noise fractions.
    private mutating func setFilter(_ band: Int, ratio: Float) {
        let steps = Self.filterSteps
        inverseFiltering[band] = ratio > steps.2 ? 3 : ratio > steps.1 ? 2 : ratio > steps.0 ? 1 : 0
    }

    /// Sets the noise floor of a band from the noise fractions, 0 to 1, of the original and the patch.
    ///
    /// Adds `offset` octaves.
    private mutating func setFloor(_ band: Int, own: Float, patch: Float, offset: Float) {
        let missing = max(own - patch, 0) / max(1 - own, 0.1)
        let octaves = min(max(PortableMath.log2(max(missing, 1e-6)) + offset, Self.quietest), Self.loudest)
        floors[band] += (hasHistory ? Self.smoothingWeight : 1) * (octaves - floors[band])
    }
}
