// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import AudioPrimitives
import JSONText

extension DecodingStatistics {
    /// Returns messages about damage.
    ///
    /// - Parameter input: The name of the input in messages.
    func warnings(input: String) -> [String] {
        var warnings: [String] = []
        if damagedUnitCount > 0 {
            let reason = firstDamage.map { " (the first: \($0))" } ?? ""
            warnings.append("\(damagedUnitCount) of \(accessUnitCount) access units of \(input) are damaged\(reason)")
        }
        if highBandLossCount > 0 { warnings.append(Self.warning(highBandLossCount: highBandLossCount, of: input)) }
        if concealedUnitCount > 0 { warnings.append("concealed \(concealedUnitCount) missing access units of \(input)") }
        if gapCount > 0 {
            let place = gapCount == 1 ? "a gap" : "\(gapCount) gaps"
            let seconds = Format.fixed(gapDuration.inSeconds, digits: 1)
            warnings.append(
                "skipped \(place) of \(input), up to \(seconds) s; at most 10 s are concealed in sequence")
        }
        if checksumFailureCount > 0 { warnings.append("\(checksumFailureCount) access units of \(input) have an invalid checksum") }
        if lostByteCount > 0 { warnings.append("skipped \(lostByteCount) bytes of \(input) outside access units") }
        if missingUnitCount > 0 { warnings.append(Self.warning(missingUnitCount: missingUnitCount, of: input)) }
        return warnings
    }

    /// Returns damage counts as JSON; null for PCM.
    static func members(_ statistics: DecodingStatistics?) -> [JSONMember] {
        let counts: [(String, KeyPath<DecodingStatistics, Int>)] = [
            ("damagedUnits", \.damagedUnitCount), ("highBandLosses", \.highBandLossCount), ("lostBytes", \.lostByteCount),
            ("missingUnits", \.missingUnitCount), ("concealedUnits", \.concealedUnitCount), ("gaps", \.gapCount),
        ]
        return counts.map { name, count in (name, statistics.map { .integer($0[keyPath: count]) } ?? .null) }
            + [("gapSeconds", statistics.map { .rounded($0.gapDuration.inSeconds, digits: 3) } ?? .null)]
    }

    /// Returns the message about access units without a decodable high band.
    static func warning(highBandLossCount count: Int, of input: String) -> String {
        "\(count) access unit\(count == 1 ? "" : "s") of \(input) lost the high band and any parametric stereo: the SBR data is damaged "
            + "or invalid"
    }

    /// Returns the message about access units after the end of the audio, as in a cut file or by a false size.
    static func warning(missingUnitCount: Int, of input: String) -> String {
        missingUnitCount == 1
            ? "an access unit of \(input) is missing: the file is cut off or its index is damaged"
            : "\(missingUnitCount) access units of \(input) are missing: the file is cut off or its index is damaged"
    }
}
