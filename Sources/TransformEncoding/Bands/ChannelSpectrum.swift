// SPDX-License-Identifier: Apache-2.0

package import TransformCoding

/// The spectrum of one channel in a frame of the encoder with its noise targets: what the tools and the quantisation work on.
package struct ChannelSpectrum: ~Copyable {
    /// The spectral lines, in the order in which they are sent (``BandLayout``).
    package var lines: FixedArray<Float>

    /// The noise target of each band: the energy of noise to which the quantisation noise is in proportion.
    package var noiseTargets = FixedArray<Float>(repeating: 1, count: BandLayout.maximumCount)

    /// The bands that are sent without lines.
    package var replacements = BandReplacements()

    /// Makes a silent spectrum of so many lines.
    package init(frameLength: Int) { lines = FixedArray(repeating: 0, count: frameLength) }
}
