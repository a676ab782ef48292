// SPDX-License-Identifier: Apache-2.0

internal import TransformCoding

/// Estimates inverse filtering modes and noise floors of a channel: the first make patches less tonal, the second add noise to
/// them (ISO/IEC 14496-3:2009, 4.6.18.6.2 and 4.6.18.7.4).
package struct NoiseFloorPlanner {
    /// `bs_invf_mode` by noise band.
    package private(set) var inverseFiltering = SIMD8<UInt8>(repeating: 0)
    /// The noise floors, smoothed over frames, by noise band: log2 of the ratio of noise to signal.
    package private(set) var floors = SIMD8<Float>(repeating: quietest)

    /// Whether ``floors`` has values of a previous frame.
    private var hasPast = false

    /// Creates the initial value.
    package init() {}

    /// The share of the energy of white noise that is not predictable from two columns, measured over 40 frames.
    ///
    /// Measured in HighEfficiency.md#noise-and-tones.
    private static let residualOfNoise: Float = 0.5
    /// The ratios of the noise share of the original to that of its patch from which inverse filtering is low, intermediate and
    /// strong.
    private static let filterSteps: (Float, Float, Float) = (1.5, 3, 6)
    /// The weight of the current frame in the smoothed floors.
    private static let smoothingWeight: Float = 0.5
    /// The quietest noise floor that is sent, as log2.
    private static let quietest: Float = -12
    /// The loudest noise floor that is sent, as log2.
    private static let loudest: Float = 0

    /// Resets the smoothing: the floors of the next frame are not smoothed.
    package mutating func resetHistory() { hasPast = false }

    /// Estimates modes and floors of a frame from the tonality of its subbands.
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
        hasPast = true
    }

    /// Sets the inverse filtering mode of a band from a ratio of noise shares.
    private mutating func setFilter(_ band: Int, ratio: Float) {
        let steps = Self.filterSteps
        inverseFiltering[band] = ratio > steps.2 ? 3 : ratio > steps.1 ? 2 : ratio > steps.0 ? 1 : 0
    }

    /// Sets the noise floor of a band from the noise shares of the original and the patch, which are 0 to 1, and the octaves that are added to
    /// this estimate.
    private mutating func setFloor(_ band: Int, own: Float, patch: Float, offset: Float) {
        let missing = max(own - patch, 0) / max(1 - own, 0.1)
        let octaves = min(max(PortableMath.log2(max(missing, 1e-6)) + offset, Self.quietest), Self.loudest)
        floors[band] += (hasPast ? Self.smoothingWeight : 1) * (octaves - floors[band])
    }
}
