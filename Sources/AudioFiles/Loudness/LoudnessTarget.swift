// SPDX-License-Identifier: Apache-2.0

/// A loudness to normalize a signal to before encoding.
public struct LoudnessTarget: Hashable, Sendable {
    /// The integrated loudness, in LUFS, such as -16 for podcasts or -23 for broadcasts.
    public var integrated: Double
    /// The maximum true peak, in dBTP.
    ///
    /// It applies to the signal before encoding. A decoder's output differs by the coding noise.
    public var truePeak: Double

    /// Creates a target.
    public init(integrated: Double, truePeak: Double = -1) {
        self.integrated = integrated
        self.truePeak = truePeak
    }
}
