// SPDX-License-Identifier: Apache-2.0

/// The SBR header fields that determine the frequency band tables (ISO/IEC 14496-3:2009, 4.6.18.3.2).
///
/// A change of any of them resets SBR (4.6.18.3.1).
package struct FrequencyBandParameters: Hashable, Sendable {
    /// `bs_start_freq`, 0 to 15: selects `k0`.
    package var startFrequency = 0
    /// `bs_stop_freq`, 0 to 15: selects `k2`.
    package var stopFrequency = 0
    /// `bs_xover_band`, 0 to 7: the first band of the master table that SBR codes.
    package var crossoverBand = 0
    /// `bs_freq_scale`: 0 for bands of equal width, 1 to 3 for 12, 10 or 8 bands per octave.
    package var frequencyScale = Defaults.frequencyScale
    /// `bs_alter_scale`: whether the bands are wider.
    package var altersScale = Defaults.altersScale
    /// `bs_noise_bands`, 0 to 3: the number of noise floor bands per octave.
    package var noiseBands = Defaults.noiseBands

    /// Default values of fields that a header may omit (`bs_header_extra_1` = 0).
    package enum Defaults {
        /// The default of `bs_freq_scale`.
        package static let frequencyScale = 2
        /// The default of `bs_alter_scale`.
        package static let altersScale = true
        /// The default of `bs_noise_bands`.
        package static let noiseBands = 2
    }

    /// Creates parameters with all fields 0 or at their defaults.
    package init() {}

    /// Whether the fields of `bs_header_extra_1` have their defaults.
    var hasDefaultScale: Bool {
        frequencyScale == Defaults.frequencyScale && altersScale == Defaults.altersScale && noiseBands == Defaults.noiseBands
    }
}
