// SPDX-License-Identifier: Apache-2.0

import AudioLoudness
import JSONText
import MPEG4Audio

/// The loudness of a file as text and as JSON.
enum LoudnessText {
    static func json(_ stated: LoudnessInfoSet) -> JSONValue {
        .object([
            ("integrated", stated.integratedLoudness.map { .rounded($0, digits: 2) } ?? .null),
            ("peak", stated.peak.map { .rounded($0, digits: 2) } ?? .null),
            ("entries", .array(stated.programme.map(json))), ("albumEntries", .array(stated.album.map(json))),
        ])
    }

    private static func json(_ entry: LoudnessInfo) -> JSONValue {
        .object([
            ("dynamicRangeControlSet", .integer(entry.drcSetID)), ("downmix", .integer(entry.downmixID)),
            ("integrated", entry.integratedLoudness.map { .rounded($0, digits: 2) } ?? .null),
            ("truePeak", entry.truePeak.map { .rounded($0, digits: 2) } ?? .null),
            ("samplePeak", entry.samplePeak.map { .rounded($0, digits: 2) } ?? .null),
        ])
    }

    /// Returns loudness and true peak, such as `-16.0 LUFS, -1.2 dBTP`; empty if they were not measured.
    static func parts(_ loudness: LoudnessSummary?) -> [String] {
        loudness.map { ["\(decibels($0.integrated)) LUFS, \(decibels($0.truePeak)) dBTP"] } ?? []
    }

    /// Returns loudness and applied gain as JSON members; empty if they were not measured.
    static func members(_ loudness: LoudnessSummary?, gain: Double?) -> [JSONMember] {
        loudness.map { [("loudness", json($0)), ("gain", .rounded(gain ?? 0, digits: 2))] } ?? []
    }

    static func lines(_ loudness: LoudnessSummary) -> [(name: String, value: String)] {
        [
            (
                "Loudness",
                "\(decibels(loudness.integrated)) LUFS integrated, range \(Format.fixed(loudness.range, digits: 1)) LU, at most "
                    + "\(decibels(loudness.maximumMomentary)) LUFS in 400 ms and \(decibels(loudness.maximumShortTerm)) LUFS in 3 s"
            ),
            ("True peak", "\(decibels(loudness.truePeak)) dBTP"),
        ]
    }

    /// Returns all measures as JSON; null for silence.
    static func json(_ loudness: LoudnessSummary) -> JSONValue {
        .object([
            ("integrated", rounded(loudness.integrated)), ("range", .rounded(loudness.range, digits: 2)),
            ("maximumMomentary", rounded(loudness.maximumMomentary)), ("maximumShortTerm", rounded(loudness.maximumShortTerm)),
            ("truePeak", rounded(loudness.truePeak)),
        ])
    }

    /// Returns a level with one decimal place, or `-∞` for silence.
    private static func decibels(_ value: Double?) -> String { value.map { Format.fixed($0, digits: 1) } ?? "-∞" }

    /// Returns a level with two decimal places, or null for silence.
    private static func rounded(_ value: Double?) -> JSONValue { value.map { .rounded($0, digits: 2) } ?? .null }
}
