// SPDX-License-Identifier: Apache-2.0

import AudioConversion
import AudioFiles
import AudioPrimitives
import JSONText
import PCMFiles

/// The result of a conversion as text and as JSON.
struct ConvertText {
    /// The input's name in messages.
    let input: String
    /// The result.
    let summary: ConversionSummary

    /// The result for the batch.
    var result: FileResult {
        let coding = summary.encoding?.rawValue ?? summary.codec.name
        let parts =
            [
                coding, "\(summary.sampleRate) Hz", Format.channels(summary.channelCount), "\(summary.frameCount) frames",
                "\(Format.fixed(summary.duration.inSeconds, digits: 2)) s", Format.byteCount(summary.byteCount),
                "\(Format.speed(summary.speed)) real time",
            ] + LoudnessText.parts(summary.decodedLoudness ?? summary.loudness)
        let damage = summary.decoding?.warnings(input: input) ?? []
        // Damage of coded audio is in its counts.
        let problems = summary.decoding == nil ? summary.warnings : []
        var warnings = damage + problems.map(\.description)
        if summary.clippedSampleCount > 0 {
            warnings.append(
                "\(summary.clippedSampleCount) samples of \(input) were beyond full scale or not a number and are clipped; "
                    + "--sample-format f32 keeps them")
        }
        let isDamaged = !damage.isEmpty || problems.contains(where: \.isDamage)
        return FileResult(
            text: "\(input) -> \(summary.outputPath): " + parts.joined(separator: ", "), members: members,
            notes: summary.notes.map { "\(input): \($0)" }, warnings: warnings, exitCode: isDamaged ? .damagedInput : .success)
    }

    /// The JSON members.
    private var members: [JSONMember] {
        [
            ("inputFormat", .string(summary.input.containerName)),
            ("inputSampleRate", .integer(summary.input.sampleRate)),
            ("inputChannels", .integer(summary.input.channelCount)),
            ("inputFrames", .integer(summary.framesRead)),
            ("fileFormat", .string(summary.format.name)),
            ("codec", .string(summary.codec.rawValue)),
            ("sampleFormat", summary.encoding.map { .string($0.rawValue) } ?? .null),
            ("sampleRate", .integer(summary.sampleRate)),
            ("channels", .integer(summary.channelCount)),
            ("frames", .integer(summary.frameCount)),
            ("primingFrames", summary.codec == .pcm ? .null : .integer(summary.gapless.primingFrames)),
            ("remainderFrames", summary.codec == .pcm ? .null : .integer(summary.gapless.remainderFrames)),
            ("seconds", .rounded(summary.duration.inSeconds, digits: 6)),
            ("bytes", .integer(summary.byteCount)),
            ("dither", .string(summary.dither == .noiseShaped ? "shaped" : summary.dither.rawValue)),
            ("clippedSamples", .integer(summary.clippedSampleCount)),
        ] + DecodingStatistics.members(summary.decoding) + [
            ("elapsedSeconds", .rounded(summary.elapsed.inSeconds, digits: 4)),
            ("speed", .rounded(summary.speed, digits: 1)),
        ] + LoudnessText.members(summary.decodedLoudness ?? summary.loudness, gain: summary.gain)
    }
}
