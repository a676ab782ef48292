// SPDX-License-Identifier: Apache-2.0

internal import AudioLoudness
internal import AudioMetadata
internal import SystemLibrary

/// The loudness of several files that belong together, so that they get one gain.
package struct AlbumLoudness: Hashable, Sendable {
    /// The measurement of one file.
    package struct Track: Hashable, Sendable {
        let series: LoudnessSeries
        /// The highest true peak of all channels; 1 is full scale.
        let peak: Double
    }

    /// The loudness of all files together, in LUFS; `nil` for silence.
    let integrated: Double?
    /// The highest true peak of all files; 1 is full scale.
    let peak: Double

    /// Combines the measurements of all files: the gating blocks of all count alike (ITU-R BS.1770-5, 400 ms blocks).
    package init(_ tracks: [Track]) {
        integrated = LoudnessSeries.integrated(of: tracks.map(\.series))
        peak = tracks.map(\.peak).max() ?? 0
    }

    /// Returns the values to store after normalizing to a target, or without a target.
    func replayGain(_ target: LoudnessTarget?) -> AudioTags.ReplayGain? {
        guard let integrated else { return nil }
        guard let target else { return AudioTags.ReplayGain(loudness: integrated, peak: peak) }
        let gained = peak * pow(10, (target.integrated - integrated) / 20)
        return AudioTags.ReplayGain(loudness: target.integrated, peak: min(gained, pow(10, target.truePeak / 20)))
    }
}
