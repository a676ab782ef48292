// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// Which parameters of stereo are sent, and how finely (ISO/IEC 14496-3:2009, 8.4.2 and 8.6.4.3).
struct ParametricStereoHeader: Hashable, Sendable {
    /// `enable_iid`: level differences between the channels are sent.
    var hasLevelDifferences = false
    /// `iid_mode`, 0 to 5: 10, 20 or 34 bands in coarse steps, then the same in fine ones.
    var levelMode = 0
    /// `enable_icc`: coherence of the channels is sent.
    var hasCoherence = false
    /// `icc_mode`, 0 to 5: 10, 20 or 34 bands mixed in manner A, then the same in manner B.
    var coherenceMode = 0
    /// `enable_ext`: phases may be sent.
    var hasExtension = false

    /// Bands of level differences.
    var levelBandCount: Int { Self.bandCount(levelMode) }
    /// Bands of coherence.
    var coherenceBandCount: Int { Self.bandCount(coherenceMode) }
    /// Bands of phases, which follow those of level differences.
    var phaseBandCount: Int { levelMode % 3 == 0 ? 5 : levelMode % 3 == 1 ? 11 : 17 }
    /// Whether level differences are in fine steps.
    var hasFineLevels: Bool { levelMode >= 3 }
    /// Whether channels are mixed in manner B, `Rb`.
    var usesMixingProcedureB: Bool { coherenceMode >= 3 }
    /// The largest index of a level difference.
    var maximumLevelIndex: Int { hasFineLevels ? 15 : 7 }

    private static func bandCount(_ mode: Int) -> Int { mode % 3 == 0 ? 10 : mode % 3 == 1 ? 20 : 34 }
}
