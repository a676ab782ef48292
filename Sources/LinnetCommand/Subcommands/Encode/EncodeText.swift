// SPDX-License-Identifier: Apache-2.0

import AACCodec
import AudioContainers
import AudioConversion
import AudioFiles
import AudioPrimitives
import JSONText
import PCMFiles

/// The result of an encoding as text and as JSON.
enum EncodeText {
    /// Returns the result of a job.
    static func result(_ summary: ConversionSummary, inputName: String) -> FileResult {
        // The usual profile isn't named.
        let profile = isPlain(summary) ? [] : [summary.profile?.description ?? "Opus"]
        let parts =
            [
                "\(summary.frameCount) frames", "\(Format.fixed(summary.duration.inSeconds, digits: 2)) s",
                Format.bitRate(summary.averageBitRate), "\(summary.byteCount) bytes", "\(Format.speed(summary.speed)) real time",
            ] + LoudnessText.parts(summary.decodedLoudness ?? summary.loudness)
        return FileResult(
            text: "\(inputName) -> \(summary.outputPath): " + (profile + parts).joined(separator: ", "), members: members(summary),
            notes: summary.notes.map { "\(inputName): \($0)" }, warnings: summary.warnings.map(\.description),
            exitCode: summary.warnings.contains(where: \.isDamage) ? .damagedInput : .success)
    }

    /// Returns whether AAC-LC was asked for.
    private static func isPlain(_ summary: ConversionSummary) -> Bool {
        if case .aac(let encoder)? = summary.configuration { encoder.profile == .lowComplexity } else { false }
    }

    /// Returns the JSON members of a result.
    private static func members(_ summary: ConversionSummary) -> [JSONMember] {
        [
            ("container", .string(summary.format.name)),
            ("codec", .string(summary.profile == nil ? "Opus" : "AAC")),
            ("objectType", summary.profile.map { .string($0 == .lowComplexity ? "AAC LC" : $0.description) } ?? .null),
            ("inputFormat", .string(summary.input.containerName)),
            ("sampleRate", .integer(summary.sampleRate)),
            ("channels", .integer(summary.channelCount)),
            ("bandwidth", summary.bandwidth.map { .integer($0) } ?? .null),
            ("targetBitRate", summary.targetBitRate.map { .integer($0) } ?? .null),
            ("bitRate", .rounded(summary.averageBitRate, digits: 0)),
            ("peakBitRate", .rounded(summary.peakBitRate, digits: 0)),
            ("accessUnits", .integer(summary.unitCount)),
            ("frames", .integer(summary.frameCount)),
            ("primingFrames", .integer(summary.gapless.primingFrames)),
            ("remainderFrames", .integer(summary.gapless.remainderFrames)),
            ("seconds", .rounded(summary.duration.inSeconds, digits: 6)),
            ("bytes", .integer(summary.byteCount)),
            ("payloadBytes", .integer(summary.payloadByteCount)),
            ("elapsedSeconds", .rounded(summary.elapsed.inSeconds, digits: 4)),
            ("speed", .rounded(summary.speed, digits: 1)),
        ] + LoudnessText.members(summary.decodedLoudness ?? summary.loudness, gain: summary.gain)
    }
}
