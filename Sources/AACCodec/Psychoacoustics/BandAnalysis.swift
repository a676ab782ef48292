// SPDX-License-Identifier: Apache-2.0

internal import TransformCoding

/// The results of the psychoacoustic model for the bands of one channel in one frame.
struct BandAnalysis: ~Copyable {
    /// The energy of each band: the sum of squared coefficients.
    var energy = FixedArray<Float>(repeating: 0, count: BandLayout.maximumCount)

    /// The tonality of each band, from 0 (noise) to 1 (tone).
    var tonality = FixedArray<Float>(repeating: 0, count: BandLayout.maximumCount)

    /// The masking threshold of each band: the energy of noise that is just inaudible.
    var threshold = FixedArray<Float>(repeating: 0, count: BandLayout.maximumCount)

    /// The noise target of each band: the quantisation noise of a frame is these energies times its noise scale.
    var noise = FixedArray<Float>(repeating: 0, count: BandLayout.maximumCount)
}
