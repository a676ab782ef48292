// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// The spectrum of one channel in a frame of the encoder with its noise targets: what the tools and the quantisation work on.
struct ChannelSpectrum: ~Copyable {
    /// Keeps the struct in place.
    private let addressOnly = AddressOnly()

    /// The spectral lines, in the order in which they are sent (``BandLayout``).
    var lines = [1024 of Float](repeating: 0)

    /// The noise target of each band: the energy of noise to which the quantisation noise is in proportion.
    var noiseTargets = [120 of Float](repeating: 1)

    /// The bands that are sent without lines.
    var replacements = BandReplacements()
}
