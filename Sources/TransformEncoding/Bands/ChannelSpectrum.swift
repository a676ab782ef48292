// SPDX-License-Identifier: Apache-2.0

package import TransformCoding

/// The spectrum and noise targets of one channel in one frame, as processed by coding tools and quantization.
package struct ChannelSpectrum: ~Copyable {
    /// The spectral lines, in bitstream order (``BandLayout``).
    package var lines: FixedArray<Float>

    /// The noise target of each band, an energy to which the quantization noise is proportional.
    package var noiseTargets = FixedArray<Float>(repeating: 1, count: BandLayout.maximumCount)

    /// The bands that are sent without lines.
    package var replacements = BandReplacements()

    /// Creates a silent spectrum of `frameLength` lines.
    package init(frameLength: Int) { lines = FixedArray(repeating: 0, count: frameLength) }
}
