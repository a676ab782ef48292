// SPDX-License-Identifier: Apache-2.0

internal import AACCodec
internal import AudioContainers
internal import AudioConversion
internal import AudioFiles
internal import AudioMeasures
internal import AudioPrimitives
internal import JSONText
internal import PCMFiles

/// The measures of a result, in the format of Documentation/Guides/Batch.md.
struct ResultMeasures {
    let input: RecordedFile
    let output: RecordedFile
    let summary: ConversionSummary
    let checked: EncodedFileMeasures?

    /// Returns the members of the result.
    func members(elapsed: Duration) -> [JSONMember] {
        let seconds = summary.duration / .seconds(1)
        let elapsed = elapsed / .seconds(1)
        var members: [JSONMember] = [
            ("seconds", .rounded(seconds, digits: 6)),
            ("sampleRate", .integer(summary.sampleRate)),
            ("channels", .integer(summary.channelCount)),
            ("codec", .string(summary.codec.name)),
        ]
        if let profile = summary.profile {
            members.append(("objectType", .string(profile == .lowComplexity ? "AAC LC" : profile.description)))
        }
        members.append(("container", .string(summary.format.name)))
        if let rate = summary.targetBitRate { members.append(("targetBitRate", .integer(rate))) }
        if summary.codec != .pcm {
            members += [
                ("bitRate", .rounded(summary.averageBitRate, digits: 0)), ("peakBitRate", .rounded(summary.peakBitRate, digits: 0)),
            ]
        }
        members += [
            ("inputBytes", .integer(input.stamp.byteCount)),
            ("bytes", .integer(output.stamp.byteCount)),
            ("inputSHA256", .string(input.sha256)),
            ("sha256", .string(output.sha256)),
            ("elapsedSeconds", .rounded(elapsed, digits: 4)),
            ("speed", elapsed > 0 ? .rounded(seconds / elapsed, digits: 1) : .null),
        ]
        if let checked { members.append(("measures", .object(Self.members(checked)))) }
        members += [
            ("notes", .array(summary.notes.map { .string($0.description) })),
            ("warnings", .array(summary.warnings.map { .string($0.description) })),
            ("inputDamaged", .bool(summary.warnings.contains(where: \.isDamage))),
        ]
        return members
    }

    /// Returns the members of the verification.
    private static func members(_ checked: EncodedFileMeasures) -> [JSONMember] {
        var members: [JSONMember] = [("frames", .integer(checked.frameCount))]
        if let noise = checked.noiseToMaskRatio {
            members += [
                ("noiseToMaskMean", .rounded(noise.mean, digits: 2)), ("noiseToMask95", .rounded(noise.percentile95, digits: 2)),
                ("audibleShare", .rounded(noise.audibleShare, digits: 4)),
            ]
        }
        return members + [("measuredSeconds", .rounded(checked.measuredSeconds, digits: 3))]
    }
}
