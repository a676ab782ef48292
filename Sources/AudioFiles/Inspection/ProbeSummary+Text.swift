// SPDX-License-Identifier: Apache-2.0

internal import AudioContainers
internal import AudioPrimitives
internal import MPEG4Audio

/// Properties in words, for `linnet probe` and reports.
extension ProbeSummary {
    /// The stated loudness and peak, such as "-16.0 LUFS, peak -1.0 dBFS", or `nil` if no loudness is stated.
    package var statedLoudnessText: String? {
        guard let stated = statedLoudness?.integratedLoudness else { return nil }
        let peak = statedLoudness?.peak.map { ", peak \(Self.text($0, digits: 1)) dBFS" } ?? ""
        return "\(Self.text(stated, digits: 1)) LUFS" + peak
    }

    /// The number of points where players can start and their largest distance, such as "31, up to 2.005 s apart"; `nil` for other codecs
    /// than xHE-AAC.
    package var accessPointText: String? {
        guard let accessPoints else { return nil }
        guard accessPoints.largestDistance > 0 else { return "\(accessPoints.count)" }
        return "\(accessPoints.count), up to \(Self.text(seconds(accessPoints.largestDistance), digits: 3)) s apart"
    }

    /// The size of the configuration, which is repeated at each point where players can start; `nil` for other codecs than xHE-AAC.
    package var configurationText: String? { configuration.audioSpecificConfig?.usac.map { "\($0.bytes.count) bytes" } }

    private static func text(_ value: Double, digits: Int) -> String { DecimalText.fixed(value, digits: digits) ?? "" }
}
