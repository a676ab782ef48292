// SPDX-License-Identifier: Apache-2.0

/// The loudness that a signal is given before it is encoded.
public struct LoudnessTarget: Hashable, Sendable {
    /// The integrated loudness in LUFS, such as -16 for podcasts or -23 for broadcasts.
    public var integrated: Double
    /// The largest true peak in dBTP.
    ///
    /// It holds for the signal that is encoded: a decoder's output differs from it by the coding noise.
    public var truePeak: Double

    /// Creates a target.
    public init(integrated: Double, truePeak: Double = -1) {
        self.integrated = integrated
        self.truePeak = truePeak
    }
}
