// SPDX-License-Identifier: Apache-2.0

import AudioContainers
import AudioFiles
import AudioPrimitives
import DABPlus
import JSONText

/// DAB+ superframes as text and JSON.
enum SuperframeText {
    static func rows(_ summary: SuperframeSummary) -> [(String, String)] {
        let corrected = "\(summary.correctedByteCount) byte\(summary.correctedByteCount == 1 ? "" : "s") corrected"
        let beyond = summary.uncorrectableWordCount
        var rows = [
            (
                "Superframes",
                "\(summary.superframeCount) of 120 ms at \(Format.bitRate(Double(summary.subchannelBitRate))), \(corrected)"
                    + (beyond > 0 ? ", \(beyond) uncorrectable words" : "")
            ),
            ("Unit sizes", "\(summary.unitByteCounts.lowerBound) to \(summary.unitByteCounts.upperBound) bytes"),
        ]
        if summary.padUnitCount > 0 {
            let damage = summary.damagedGroupCount
            rows.append(
                (
                    "PAD",
                    "\(summary.padByteCount) bytes in \(summary.padUnitCount) units"
                        + (damage > 0 ? ", \(damage) damaged segments" : "")
                ))
        }
        for label in summary.labels {
            rows.append(("Label", "\(Format.fixed(label.time.inSeconds, digits: 2)) s: \(text(label.label))"))
        }
        if summary.labelCount > summary.labels.count { rows.append(("Label", "\(summary.labelCount - summary.labels.count) more")) }
        if summary.dataGroupCount > 0 {
            rows.append(
                ("Objects", "\(summary.dataGroupCount) data groups with \(summary.dataGroupByteCount) bytes, of a slideshow for example"))
        }
        return rows
    }

    /// Returns the text of a label without control characters, and its character set.
    private static func text(_ label: DynamicLabel) -> String {
        let plain = String(String.UnicodeScalarView(label.text.unicodeScalars.filter { $0.properties.generalCategory != .control }))
        return "\(plain) (\(name(label)))"
    }

    private static func name(_ label: DynamicLabel) -> String {
        switch label.characterSet {
        case .ebuLatin: "EBU Latin"
        case .ucs2: "UCS-2"
        case .utf8: "UTF-8"
        case nil: "character set \(label.characterSetNumber)"
        }
    }

    static func json(_ summary: SuperframeSummary) -> JSONValue {
        .object([
            ("bitRate", .integer(summary.subchannelBitRate)), ("superframes", .integer(summary.superframeCount)),
            ("correctedBytes", .integer(summary.correctedByteCount)), ("uncorrectableWords", .integer(summary.uncorrectableWordCount)),
            ("smallestUnit", .integer(summary.unitByteCounts.lowerBound)), ("largestUnit", .integer(summary.unitByteCounts.upperBound)),
            ("padUnits", .integer(summary.padUnitCount)), ("padBytes", .integer(summary.padByteCount)),
            (
                "labels",
                .array(
                    summary.labels.map { label in
                        .object([
                            ("seconds", .rounded(label.time.inSeconds, digits: 6)), ("text", .string(label.label.text)),
                            ("characterSet", .integer(label.label.characterSetNumber)),
                        ])
                    })
            ),
            ("labelCount", .integer(summary.labelCount)), ("dataGroups", .integer(summary.dataGroupCount)),
            ("dataGroupBytes", .integer(summary.dataGroupByteCount)), ("damagedGroups", .integer(summary.damagedGroupCount)),
        ])
    }

    /// Returns the JSON members of an access unit in a superframe; empty for other units.
    static func members(_ probed: ProbedUnit) -> [JSONMember] {
        guard let position = probed.superframe else { return [] }
        return [
            ("superframe", .integer(position.superframe)), ("unitInSuperframe", .integer(position.accessUnitIndex)),
            ("padBytes", .integer(ProgrammeAssociatedData(inUnit: probed.demuxed.accessUnit.payload)?.bytes.count ?? 0)),
        ]
    }
}
