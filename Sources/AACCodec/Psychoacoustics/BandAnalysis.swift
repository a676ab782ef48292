// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// The results of the psychoacoustic model for the bands of one channel in one frame.
struct BandAnalysis {
    /// The energy of each band: the sum of squared coefficients.
    var energy = [120 of Float](repeating: 0)

    /// The tonality of each band, from 0 (noise) to 1 (tone).
    var tonality = [120 of Float](repeating: 0)

    /// The masking threshold of each band: the energy of noise that is just inaudible.
    var threshold = [120 of Float](repeating: 0)

    /// The noise target of each band: the quantisation noise of a frame is these energies times its noise scale.
    var noise = [120 of Float](repeating: 0)
}
