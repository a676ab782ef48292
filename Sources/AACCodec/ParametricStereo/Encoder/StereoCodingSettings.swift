// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// How finely stereo is described.
struct StereoCodingSettings: Hashable, Sendable {
    /// Bands, 10 or 20.
    var bandCount: Int
    /// Envelopes of a frame, 1, 2 or 4.
    var envelopeCount: Int
    /// Whether level differences are in fine steps.
    var hasFineLevels = false
    /// Whether the decoder mixes along the principal axis, `Rb`.
    var mixesInMannerB = false
    /// Frames from one header, and one set of parameters that stands on its own, to the next.
    var headerInterval: Int
    /// The first of the 20 stereo bands that band replication has a part in.
    var replicatedBand = 20

    /// The codebooks of level differences.
    var levelBooks: (frequency: DifferenceCodebook, time: DifferenceCodebook) {
        hasFineLevels ? (.iidFrequencyFine, .iidTimeFine) : (.iidFrequencyCoarse, .iidTimeCoarse)
    }

    /// The header that says so.
    var header: ParametricStereoHeader {
        var header = ParametricStereoHeader()
        header.hasLevelDifferences = true
        header.levelMode = (bandCount == 10 ? 0 : 1) + (hasFineLevels ? 3 : 0)
        header.hasCoherence = true
        header.coherenceMode = (bandCount == 10 ? 0 : 1) + (mixesInMannerB ? 3 : 0)
        return header
    }
}
