// SPDX-License-Identifier: Apache-2.0

package import TransformCoding

/// The results of the psychoacoustic model for the bands of one channel in one frame.
package struct BandAnalysis: ~Copyable {
    /// The energy of each band: the sum of squared coefficients.
    package var energy = FixedArray<Float>(repeating: 0, count: BandLayout.maximumCount)

    /// The tonality of each band, from 0 (noise) to 1 (tone).
    package var tonality = FixedArray<Float>(repeating: 0, count: BandLayout.maximumCount)

    /// The masking threshold of each band: the energy of noise that is just inaudible.
    package var threshold = FixedArray<Float>(repeating: 0, count: BandLayout.maximumCount)

    /// The noise target of each band: the quantisation noise of a frame is these energies times its noise scale.
    package var noise = FixedArray<Float>(repeating: 0, count: BandLayout.maximumCount)

    /// Makes results of no bands.
    package init() {}
}
