// SPDX-License-Identifier: Apache-2.0

extension AudioTags {
    /// The gain that gives a file the loudness of others, for players that apply it.
    public struct ReplayGain: Hashable, Sendable {
        /// The gain in decibels to the reference of ReplayGain 2, -18 LUFS.
        public var gain: Double
        /// The largest true peak as an amplitude, of which 1 is full scale; nil if it is unknown.
        public var peak: Double?

        /// Creates a gain.
        public init(gain: Double, peak: Double?) {
            self.gain = gain
            self.peak = peak
        }
    }
}
