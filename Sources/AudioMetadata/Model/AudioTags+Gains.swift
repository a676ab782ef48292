// SPDX-License-Identifier: Apache-2.0

// Gains as texts, which is how most formats store them.
extension AudioTags {
    /// The names of a gain in ReplayGain and Opus (RFC 7845, 5.2.1).
    private typealias GainNames = (gain: Key, peak: Key, opus: Key)

    private static let trackNames: GainNames = ("replaygain_track_gain", "replaygain_track_peak", "R128_TRACK_GAIN")
    private static let albumNames: GainNames = ("replaygain_album_gain", "replaygain_album_peak", "R128_ALBUM_GAIN")

    /// Moves valid gain texts to ``replayGain`` and ``albumReplayGain``.
    package mutating func extractGains() {
        replayGain = extract(Self.trackNames) ?? replayGain
        albumReplayGain = extract(Self.albumNames) ?? albumReplayGain
    }

    private mutating func extract(_ names: GainNames) -> ReplayGain? {
        let opus = first(names.opus).flatMap { ReplayGain(opusText: $0) }
        self[names.opus] = []
        guard let gain = first(names.gain).flatMap(ReplayGain.number) else { return opus }
        let peak = first(names.peak).flatMap(ReplayGain.number)
        self[names.gain] = []
        if peak != nil { self[names.peak] = [] }
        return ReplayGain(gain: gain, peak: peak)
    }

    /// The fields with a non-empty value.
    private var filledFields: [Field] { fields.filter { !$0.value.isEmpty } }

    /// The texts, followed by the gains as ReplayGain texts.
    package var fieldsWithGains: [Field] {
        filledFields
            + [(replayGain, Self.trackNames), (albumReplayGain, Self.albumNames)].flatMap { gain, names in
                [gain.map { Field(names.gain, $0.gainText) }, gain?.peakText.map { Field(names.peak, $0) }].compactMap { $0 }
            }
    }

    /// The texts, followed by the gains as Opus texts, which have no peaks.
    var fieldsWithOpusGains: [Field] {
        filledFields
            + [(replayGain, Self.trackNames.opus), (albumReplayGain, Self.albumNames.opus)].compactMap { gain, name in
                gain.map { Field(name, $0.opusText) }
            }
    }
}
