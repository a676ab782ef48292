// SPDX-License-Identifier: Apache-2.0

import AACCodec
import AudioContainers
import AudioConversion
import AudioFiles
import AudioPrimitives
import JSONText
import PCMFiles
internal import SystemLibrary

/// The results of `encode`, `convert` and `decode`, as text and JSON.
struct ConversionText {
    let input: String
    let summary: ConversionSummary
    /// Whether `--normalize` was given: only infinite samples and those that are not a number exceed full scale then.
    var isNormalized = false

    var encoded: FileResult {
        // AAC-LC is the default and not named.
        var parts: [String] = []
        if case .aac(let encoder)? = summary.configuration, encoder.profile == .lowComplexity {
        } else {
            parts = [summary.profile?.description ?? summary.codec.name]
        }
        return result(
            parts + [frames, seconds, Format.bitRate(summary.averageBitRate), "\(summary.byteCount) bytes"],
            members: [
                ("container", .string(summary.format.name)),
                ("codec", .string(summary.codec.name)),
                ("objectType", summary.profile.map { .string($0 == .lowComplexity ? "AAC LC" : $0.description) } ?? .null),
                ("inputFormat", .string(summary.input.containerName)),
                ("sampleRate", .integer(summary.sampleRate)),
                ("channels", .integer(summary.channelCount)),
                ("bandwidth", summary.bandwidth.map { .integer($0) } ?? .null),
                ("targetBitRate", summary.targetBitRate.map { .integer($0) } ?? .null),
                ("bitRate", .rounded(summary.averageBitRate, digits: 0)),
                ("peakBitRate", .rounded(summary.peakBitRate, digits: 0)),
                ("accessUnits", .integer(summary.accessUnitCount)),
                ("frames", .integer(summary.frameCount)),
                ("primingFrames", .integer(summary.gapless.primingFrames)),
                ("remainderFrames", .integer(summary.gapless.remainderFrames)),
                ("seconds", .rounded(summary.duration.inSeconds, digits: 6)),
                ("bytes", .integer(summary.byteCount)),
                ("payloadBytes", .integer(summary.payloadByteCount)),
                ("formatChanges", .integer(formatChangeCount)),
            ])
    }

    /// A note about AAC-LC at a bit rate for which another profile is better; `nil` for others.
    var profileHint: String? {
        guard case .aac(var encoder)? = summary.configuration, encoder.profile == .lowComplexity, encoder.settings.rateGroup == nil,
            let bitRate = summary.targetBitRate, bitRate < 40_000 * encoder.channelCount
        else { return nil }
        encoder.profile = .automatic
        guard let profile = try? AACEncoder(encoder).profile, profile != .lowComplexity else { return nil }
        return "\(input): \(Format.bitRate(Double(bitRate))) is little for AAC-LC; --profile auto chooses \(profile)"
    }

    var converted: FileResult {
        let coding = [summary.codec == .pcm ? nil : summary.codec.name, summary.encoding?.rawValue].compactMap { $0 }
        return result(
            coding + [rate, channels, frames, seconds, Format.byteCount(summary.byteCount)],
            members: [
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
            ] + DecodingStatistics.members(summary.decoding) + [("formatChanges", .integer(formatChangeCount))],
            decoding: summary.decoding)
    }

    var decoded: FileResult {
        let members: [JSONMember] = [
            ("fileFormat", .string(summary.format.fileExtension)),
            ("sampleFormat", summary.encoding.map { .string($0.rawValue) } ?? .null),
            ("sampleRate", .integer(summary.sampleRate)),
            ("channels", .integer(summary.channelCount)),
            ("accessUnits", .integer(summary.decoding?.accessUnitCount ?? 0)),
            ("frames", .integer(summary.frameCount)),
            ("seconds", .rounded(summary.duration.inSeconds, digits: 6)),
        ]
        var damage = DecodingStatistics.members(summary.decoding)
        damage.insert(("checksumFailures", .integer(summary.decoding?.checksumFailureCount ?? 0)), at: 2)
        return result(
            [frames, seconds, rate, channels],
            members: members + damage + [("formatChanges", .integer(formatChangeCount))], decoding: summary.decoding)
    }

    /// The number of changes of sample rate or channels in the input.
    private var formatChangeCount: Int { summary.decoding?.formatChangeCount ?? 0 }

    /// A note about an input that changes its format, if it does.
    private var formatNote: [String] {
        guard formatChangeCount > 0 else { return [] }
        let times = formatChangeCount == 1 ? "1 time" : "\(formatChangeCount) times"
        let format = "\(summary.input.sampleRate) Hz, \(Format.channels(summary.input.channelCount))"
        return ["\(input) changes its format \(times); converted to \(format)"]
    }

    private var frames: String { "\(summary.frameCount) frames" }
    private var seconds: String { "\(Format.fixed(summary.duration.inSeconds, digits: 2)) s" }
    private var rate: String { "\(summary.sampleRate) Hz" }
    private var channels: String { Format.channels(summary.channelCount) }

    /// Returns a result with the parts common to all subcommands.
    ///
    /// - Parameters:
    ///   - parts: Text about the output.
    ///   - members: JSON members about the output.
    ///   - decoding: Counts of damage, which replace the warnings of the input.
    private func result(_ parts: [String], members: [JSONMember], decoding: DecodingStatistics? = nil) -> FileResult {
        let loudness = summary.decodedLoudness ?? summary.loudness
        let all = parts + ["\(Format.speed(summary.speed)) real time"] + LoudnessText.parts(loudness)
        let damage = decoding?.warnings(input: input) ?? []
        let problems = decoding == nil ? summary.warnings : []
        var warnings = damage + problems.map(\.description)
        if summary.clippedSampleCount > 0 {
            let samples = summary.clippedSampleCount == 1 ? "1 sample" : "\(summary.clippedSampleCount) samples"
            let hasFloats = summary.codec == .pcm && !summary.format.isFLAC
            let remedy = hasFloats ? "; --sample-format f32 keeps them" : isNormalized ? "" : "; --normalize lowers them"
            warnings.append("clipped \(samples) of \(input) beyond full scale or not a number\(remedy)")
        }
        if summary.encodedPeak > 1.005, summary.encodedPeak.isFinite {
            let excess = Format.fixed(20 * log10(Double(summary.encodedPeak)), digits: 1)
            warnings.append("\(input) exceeds full scale by \(excess) dB, which players clip; --normalize lowers it")
        }
        return FileResult(
            text: "\(input) -> \(summary.outputPath): " + all.joined(separator: ", "),
            members: members + [
                ("elapsedSeconds", .rounded(summary.elapsed.inSeconds, digits: 4)),
                ("speed", .rounded(summary.speed, digits: 1)),
            ] + LoudnessText.members(loudness, gain: summary.gain),
            notes: summary.notes.map { "\(input): \(text($0))" } + formatNote, warnings: warnings,
            exitCode: !damage.isEmpty || problems.contains(where: \.isDamage) ? .damagedInput : .success)
    }

    /// Returns the text of a note, with advice.
    private func text(_ note: ConversionNote) -> String {
        switch note {
        case .otherTracksLeftOut: "\(note)" + AudioTrackOption.advice
        case .channelsKept: "\(note); linnet convert adds channels"
        case .samplesRounded(from: .int32, to: .int24) where !summary.format.isFLAC: "\(note); linnet convert keeps all bits of a file"
        default: "\(note)"
        }
    }
}
