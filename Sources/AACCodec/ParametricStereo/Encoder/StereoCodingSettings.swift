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
    var usesMixingProcedureB = false
    /// The first of the 20 stereo bands that band replication has a part in.
    var replicatedBand = 20
    /// Whether what a decoder makes of the higher bands is guessed.
    var isFast = false

    /// The codebooks of level differences.
    var levelBooks: (frequency: DeltaCodebook, time: DeltaCodebook) {
        hasFineLevels ? (.iidFrequencyFine, .iidTimeFine) : (.iidFrequencyCoarse, .iidTimeCoarse)
    }

    /// The header that says so.
    var header: ParametricStereoHeader {
        var header = ParametricStereoHeader()
        header.hasLevelDifferences = true
        header.levelMode = (bandCount == 10 ? 0 : 1) + (hasFineLevels ? 3 : 0)
        header.hasCoherence = true
        header.coherenceMode = (bandCount == 10 ? 0 : 1) + (usesMixingProcedureB ? 3 : 0)
        return header
    }
}

extension StereoCodingSettings {
    /// Bits a second, as if the sample rate were 48 kHz, from which on there are 20 bands, two envelopes, four envelopes.
    private static let fullBandRate = 20_000
    private static let twoEnvelopesRate = 22_000
    private static let fourEnvelopesRate = 44_000

    /// What suits a bit rate of the whole stream.
    ///
    /// - Parameter crossoverSubband: The QMF subband at which band replication begins.
    init(bitRate: Int, sampleRate: Int, crossoverSubband: Int) {
        let rate = bitRate * 48_000 / sampleRate
        self.init(
            bandCount: rate < Self.fullBandRate ? 10 : 20,
            envelopeCount: rate < Self.twoEnvelopesRate ? 1 : rate < Self.fourEnvelopesRate ? 2 : 4)
        replicatedBand = StereoBands.bands20.stereoBand(ofSubband: crossoverSubband)
    }
}
