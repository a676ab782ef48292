// SPDX-License-Identifier: Apache-2.0

extension AudioTags {
    /// The gain that players apply to reach a common loudness.
    public struct ReplayGain: Hashable, Sendable {
        /// The gain in decibels, relative to the ReplayGain 2 reference of -18 LUFS.
        public var gain: Double
        /// The true peak as a linear amplitude (1 is full scale), or `nil` if unknown.
        public var peak: Double?

        /// Creates a gain.
        public init(gain: Double, peak: Double?) {
            self.gain = gain
            self.peak = peak
        }
    }
}
