// SPDX-License-Identifier: Apache-2.0

/// The parametric stereo header: which parameters are sent, and their resolutions (ISO/IEC 14496-3:2009, 8.4.2 and 8.6.4.3).
package struct ParametricStereoHeader: Hashable, Sendable {
    /// `enable_iid`: whether inter-channel intensity differences are sent.
    package var hasLevelDifferences = false
    /// `iid_mode`, 0 to 5: 10, 20 or 34 bands with default quantization, then the same with fine quantization.
    package var levelMode = 0
    /// `enable_icc`: whether inter-channel coherence is sent.
    package var hasCoherence = false
    /// `icc_mode`, 0 to 5: 10, 20 or 34 bands with mixing procedure `Ra`, then the same with `Rb`.
    package var coherenceMode = 0
    /// `enable_ext`: whether extensions such as phase differences may be sent.
    package var hasExtension = false

    package init() {}

    package var levelBandCount: Int { Self.bandCount(levelMode) }
    package var coherenceBandCount: Int { Self.bandCount(coherenceMode) }
    /// The number of phase difference bands, determined by `iid_mode`.
    package var phaseBandCount: Int { levelMode % 3 == 0 ? 5 : levelMode % 3 == 1 ? 11 : 17 }
    /// Whether intensity differences use fine quantization.
    package var hasFineLevels: Bool { levelMode >= 3 }
    /// Whether the channels are mixed with procedure `Rb`.
    package var usesMixingProcedureB: Bool { coherenceMode >= 3 }
    /// The maximum index of an intensity difference.
    package var maximumLevelIndex: Int { hasFineLevels ? 15 : 7 }

    private static func bandCount(_ mode: Int) -> Int { mode % 3 == 0 ? 10 : mode % 3 == 1 ? 20 : 34 }
}
