// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

import AudioContainers
import AudioPrimitives
import Linnet
import MPEG4Audio

/// A probe's result as text and as JSON.
enum ProbeText {
    private static let listedDamage = 20

    /// One line a property.
    static func lines(_ report: ProbeReport) -> [String] {
        let configuration = report.configuration
        let version = report.isMPEG2 ? "MPEG-2" : "MPEG-4"
        let container = "\(report.containerName) (\(version)\(report.hasCRC ? ", with checksums" : ""))"
        var rows = [
            ("File", report.path),
            ("Container", container),
            ("Object type", configuration.profileName),
            ("Sample rate", "\(configuration.sampleRate) Hz"),
            ("Channels", channels(configuration)),
            ("Access units", "\(report.unitCount), \(report.frameCount) frames"),
            ("Duration", "\(Format.fixed(report.seconds, digits: 3)) s"),
            (
                "Bit rate",
                "\(Format.bitRate(report.averageBitRate)), \(Format.bitRate(report.peakBitRate)) in the largest second, "
                    + "\(Format.bitRate(report.totalBitRate)) with headers"
            ),
            ("Encoder delay", report.encoderDelay.map { "\($0) frames" } ?? "not stored in \(report.containerName)"),
        ]
        if report.configurationChangeCount > 0 { rows.append(("Changes", "\(report.configurationChangeCount) of the configuration")) }
        for tag in report.tags { rows.append(("Tag", place(tag))) }
        for damage in report.damage.prefix(listedDamage) { rows.append(("Damage", place(damage))) }
        if report.damageCount > listedDamage { rows.append(("Damage", "\(report.damageCount - listedDamage) more places")) }
        if report.damageCount > 0 {
            let places = "\(report.damageCount) place\(report.damageCount == 1 ? "" : "s")"
            rows.append(("Damaged", "\(report.damagedByteCount) of \(report.byteCount) bytes in \(places)"))
        }
        return rows.map { Format.padded($0.0 + ":", to: -15) + $0.1 }
    }

    /// All properties for programs; byte ranges are half-open.
    static func json(_ report: ProbeReport, frames: [JSONValue]?) -> JSONValue {
        let configuration = report.configuration
        var members: [(name: String, value: JSONValue)] = [
            ("file", .string(report.path)),
            ("container", .string(report.containerName)),
            ("mpegVersion", .integer(report.isMPEG2 ? 2 : 4)),
            ("hasChecksums", .bool(report.hasCRC)),
            ("objectType", .string(configuration.profileName)),
            ("sampleRate", .integer(configuration.sampleRate)),
            ("channels", configuration.channelCount.map { .integer($0) } ?? .null),
            ("channelConfiguration", .integer(configuration.channelConfiguration?.rawValue ?? 0)),
            ("accessUnits", .integer(report.unitCount)),
            ("frames", .integer(report.frameCount)),
            ("seconds", .rounded(report.seconds, digits: 6)),
            ("bytes", .integer(report.byteCount)),
            ("payloadBytes", .integer(report.payloadByteCount)),
            ("bitRate", .rounded(report.averageBitRate, digits: 0)),
            ("peakBitRate", .rounded(report.peakBitRate, digits: 0)),
            ("totalBitRate", .rounded(report.totalBitRate, digits: 0)),
            ("encoderDelay", report.encoderDelay.map { .integer($0) } ?? .null),
            ("configurationChanges", .integer(report.configurationChangeCount)),
            ("tags", .array(report.tags.map(json))),
            ("damageCount", .integer(report.damageCount)),
            ("damagedBytes", .integer(report.damagedByteCount)),
            ("damage", .array(report.damage.map(json))),
        ]
        if let frames { members.append(("units", .array(frames))) }
        return .object(members)
    }

    /// One access unit for programs.
    static func json(_ unit: CodedUnit, number: Int, _ configuration: AudioSpecificConfig) -> JSONValue {
        .object([
            ("number", .integer(number)), ("offset", .integer(unit.byteRange.lowerBound)), ("size", .integer(unit.byteRange.count)),
            ("payload", .integer(unit.accessUnit.payload.count)), ("frames", .integer(unit.accessUnit.duration)),
        ])
    }

    private static func json(_ skipped: SkippedBytes) -> JSONValue {
        .object([
            ("start", .integer(skipped.byteRange.lowerBound)), ("end", .integer(skipped.byteRange.upperBound)),
            ("reason", .string(skipped.reason.description)),
        ])
    }

    private static func place(_ skipped: SkippedBytes) -> String {
        "bytes \(skipped.byteRange.lowerBound) to \(skipped.byteRange.upperBound - 1): \(skipped.reason.description)"
    }

    private static func channels(_ configuration: AudioSpecificConfig) -> String {
        guard let count = configuration.channelCount else { return "unknown" }
        let names = configuration.channelLayout?.names
        return "\(count)" + (names.map { " (\($0))" } ?? "")
    }
}
