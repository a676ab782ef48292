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

    /// The gains as ReplayGain texts.
    package var gainFields: [Field] {
        [(replayGain, Self.trackNames), (albumReplayGain, Self.albumNames)].flatMap { gain, names in
            [gain.map { Field(names.gain, $0.gainText) }, gain?.peakText.map { Field(names.peak, $0) }].compactMap { $0 }
        }
    }

    /// The texts, followed by the gains as ReplayGain texts.
    package var fieldsWithGains: [Field] { filledFields(without: gainFields) + gainFields }

    /// The texts, followed by the gains as Opus texts, which have no peaks.
    var fieldsWithOpusGains: [Field] {
        let gains = [(replayGain, Self.trackNames.opus), (albumReplayGain, Self.albumNames.opus)].compactMap { gain, name in
            gain.map { Field(name, $0.opusText) }
        }
        return filledFields(without: gains) + gains
    }

    /// Returns the fields with a non-empty value, without texts that the gains replace because they could not be read.
    private func filledFields(without gains: [Field]) -> [Field] {
        fields.filter { field in !field.value.isEmpty && !gains.contains { $0.key == field.key } }
    }
}
