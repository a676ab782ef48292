// SPDX-License-Identifier: Apache-2.0

package import TransformCoding

/// The results of the psychoacoustic model for one channel and frame.
package struct BandAnalysis: ~Copyable {
    /// The energy of each band: the sum of squared coefficients.
    package var energy = FixedArray<Float>(repeating: 0, count: BandLayout.maximumCount)

    /// The tonality of each band, from 0 (noise) to 1 (tone).
    package var tonality = FixedArray<Float>(repeating: 0, count: BandLayout.maximumCount)

    /// The masking threshold of each band: the energy of just inaudible noise.
    package var threshold = FixedArray<Float>(repeating: 0, count: BandLayout.maximumCount)

    /// The noise target of each band, an energy.
    ///
    /// The quantization noise is this times the frame's noise scale.
    package var noise = FixedArray<Float>(repeating: 0, count: BandLayout.maximumCount)

    package init() {}
}
