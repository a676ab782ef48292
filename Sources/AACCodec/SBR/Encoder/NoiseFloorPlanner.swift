// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// Chooses how noisy the high band is made: inverse filtering takes tones out of the copies, the noise floor covers them.
struct NoiseFloorPlanner {
    /// `bs_invf_mode` by noise band.
    private(set) var inverseFiltering = SIMD8<UInt8>(repeating: 0)
    /// The noise to be added, smoothed over frames, by noise band: log2 of its ratio to the rest.
    private(set) var floors = SIMD8<Float>(repeating: quietest)

    /// Whether there are floors of a frame before.
    private var hasPast = false

    /// The share of the energy of white noise that can't be predicted from two columns, measured over 40 frames.
    private static let residualOfNoise: Float = 0.5
    /// Ratios of the noise of the source to that of its copy from which inverse filtering is stronger.
    private static let filterSteps: (Float, Float, Float) = (1.5, 3, 6)
    /// How much the floor moves towards that of the frame.
    private static let pace: Float = 0.5
    /// The quietest noise floor that is sent, in octaves below the signal.
    private static let quietest: Float = -12
    /// The loudest.
    private static let loudest: Float = 0

    /// Takes the floors of the next frame as they are.
    mutating func resetHistory() { hasPast = false }

    /// Plans a frame from the tonality of its subbands.
    mutating func plan(_ tonality: inout SubbandTonality, tuning: borrowing SBRTuning) {
        let (energies, residuals) = (tonality.energies.span, tonality.residuals.span)
        let sources = tuning.sources.span
        let (bands, high) = (tuning.tables.noise, tuning.tables.high)
        var inner = 0
        for band in 0..<bands.count {
            var energy: Float = 1
            var noise: Float = 0
            var copiedNoise: Float = 0
            while inner < high.count && high[inner] < bands[band + 1] {
                var innerEnergy: Float = 0
                var innerNoise: Float = 0
                for subband in high[inner]..<high[inner + 1] {
                    innerEnergy += energies[subband]
                    noise += energies[subband] * residuals[subband]
                    innerNoise += residuals[sources[subband]]
                }
                energy += innerEnergy
                // The decoder gives all subbands of a band the same energy.
                copiedNoise += innerNoise * innerEnergy / Float(high[inner + 1] - high[inner])
                inner += 1
            }
            let own = min(noise / (energy * Self.residualOfNoise), 1)
            let copied = min(copiedNoise / (energy * Self.residualOfNoise), 1)
            setFilter(band, ratio: own / max(copied, 1e-4))
            setFloor(band, own: own, copied: copied)
        }
        hasPast = true
    }

    private mutating func setFilter(_ band: Int, ratio: Float) {
        let steps = Self.filterSteps
        inverseFiltering[band] = ratio > steps.2 ? 3 : ratio > steps.1 ? 2 : ratio > steps.0 ? 1 : 0
    }

    private mutating func setFloor(_ band: Int, own: Float, copied: Float) {
        let missing = max(own - copied, 0) / max(1 - own, 0.1)
        let octaves = min(max(PortableMath.log2(max(missing, 1e-6)), Self.quietest), Self.loudest)
        floors[band] += (hasPast ? Self.pace : 1) * (octaves - floors[band])
    }
}
