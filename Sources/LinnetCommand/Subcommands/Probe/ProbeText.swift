// SPDX-License-Identifier: Apache-2.0

import AudioContainers
import AudioFiles
import AudioLoudness
import AudioMetadata
import AudioPrimitives
import JSONText
import MPEG4Audio
import PCMFiles
import SystemFiles

/// The result of a probe as text and as JSON.
enum ProbeText {
    /// The maximum number of damaged ranges in the text.
    private static let listedDamage = 20

    /// Returns one line per property.
    static func lines(_ report: ProbeSummary, _ loudness: LoudnessSummary? = nil, others: OtherTracks? = nil) -> [String] {
        var rows = [
            ("File", Format.line(report.path)),
            ("Container", container(report)),
            (report.configuration.audioSpecificConfig == nil ? "Codec" : "Object type", objectType(report)),
            ("Sample rate", sampleRate(report)),
            ("Channels", channels(report)),
            ("Access units", accessUnits(report)),
            ("Duration", "\(Format.fixed(report.duration.inSeconds, digits: 3)) s"),
            (
                "Bit rate",
                "\(Format.bitRate(report.averageBitRate)), \(Format.bitRate(report.peakBitRate)) in the largest second, "
                    + "\(Format.bitRate(report.totalBitRate)) with headers"
            ),
            ("Encoder delay", delay(report)),
        ]
        if let text = report.statedLoudnessText { rows.append(("Stated", text)) }
        if let text = report.accessPointText { rows.append(("Access points", text)) }
        if let text = report.configurationText { rows.append(("Configuration", text)) }
        if let refusal = report.refusal { rows.append(("Unsupported", "\(refusal)")) }
        rows += TrackLines.rows(report.audioTracks, others)
        if let note = AudioTrackOption.note(report.audioTracks) { rows.append(("Note", note)) }
        rows += report.notes.map { ("Note", $0.description) }
        if let rate = report.decodedSampleRate, rate != report.outputSampleRate { rows.append(("Decodes to", "\(rate) Hz")) }
        if report.configurationChangeCount > 0 { rows.append(("Changes", "\(report.configurationChangeCount) of the configuration")) }
        if let superframes = report.superframes { rows += SuperframeText.rows(superframes) }
        if let loudness { rows += LoudnessText.lines(loudness) }
        rows += TagLines.rows(report.tags)
        for tag in report.skippedTags { rows.append(("Tag", "\(text(tag.byteRange)): \(tag.reason)")) }
        for damage in report.damage.prefix(listedDamage) {
            rows.append(("Damage", "\(text(damage.byteRange)), at \(Format.fixed(damage.time.inSeconds, digits: 3)) s: \(damage.cause)"))
        }
        if report.damageCount > listedDamage { rows.append(("Damage", "\(report.damageCount - listedDamage) more ranges")) }
        if report.highBandLossCount > 0 {
            rows.append(("High band", DecodingStatistics.warning(highBandLossCount: report.highBandLossCount, of: "the file")))
        }
        if !report.isIntact { rows.append(("Damaged", damage(report))) }
        return TagLines.lines(rows)
    }

    /// Returns a line about a file whose exit status is not 0, or `nil` for others.
    static func problem(_ report: ProbeSummary) -> String? {
        let name = PathName.inputName(report.path)
        if let refusal = report.refusal { return "\(name): \(refusal)" }
        if report.isRearranged { return "\(AudioFileError(.unsupportedEditList, path: name))" }
        return report.isIntact ? nil : "\(name) is damaged: \(damage(report))"
    }

    /// Returns the extent of damage.
    private static func damage(_ report: ProbeSummary) -> String {
        "\(report.damagedByteCount) of \(report.byteCount) bytes in \(Format.count(report.damageCount, "range"))"
    }

    /// Returns the JSON members of a report; byte ranges are half-open.
    static func members(
        _ report: ProbeSummary, _ loudness: LoudnessSummary? = nil, others: OtherTracks? = nil, frames: [JSONValue]?
    ) -> [JSONMember] {
        let configuration = report.configuration
        var members: [JSONMember] = [
            ("container", .string(report.containerName)),
            ("mpegVersion", .integer(report.adtsHeader?.isMPEG2 == true ? 2 : 4)),
            ("hasChecksums", .bool(report.adtsHeader?.hasCRC == true)),
            ("codec", .string(configuration.formatID.codecName)),
            ("objectType", .string(report.profileName)),
            ("sampleRate", .integer(report.outputSampleRate)),
            ("channels", report.outputChannelCount.map { .integer($0) } ?? .null),
            ("coreSampleRate", .integer(report.coreSampleRate)),
            ("coreChannels", configuration.coreChannelCount.map { .integer($0) } ?? .null),
            ("channelConfiguration", configuration.audioSpecificConfig.map { .integer($0.channelConfiguration?.rawValue ?? 0) } ?? .null),
            ("audioSpecificConfig", configuration.audioSpecificConfig.map { .string(hexadecimal($0.serialized())) } ?? .null),
            ("accessUnits", .integer(report.accessUnitCount)),
            ("frames", .integer(report.frameCount)),
            ("seconds", .rounded(report.duration.inSeconds, digits: 6)),
            ("bytes", .integer(report.byteCount)),
            ("payloadBytes", .integer(report.payloadByteCount)),
            ("bitRate", .rounded(report.averageBitRate, digits: 0)),
            ("peakBitRate", .rounded(report.peakBitRate, digits: 0)),
            ("totalBitRate", .rounded(report.totalBitRate, digits: 0)),
            ("decodedSampleRate", report.decodedSampleRate.map { .integer($0) } ?? .null),
            ("primingFrames", report.gaplessInfo.map { .integer($0.primingFrames) } ?? .null),
            ("validFrames", report.gaplessInfo.map { .integer($0.validFrames) } ?? .null),
            ("remainderFrames", report.gaplessInfo.map { .integer($0.remainderFrames) } ?? .null),
            ("omittedFrames", .integer(report.omittedFrameCount)),
            ("isRearranged", .bool(report.isRearranged)),
            ("audioTracks", .array(report.audioTracks.map(TrackLines.json))),
            ("configurationChanges", .integer(report.configurationChangeCount)),
            ("unsupported", report.refusal.map { .string("\($0)") } ?? .null),
            ("tags", .object(TagLines.named(report.tags).map { ($0.name, .string($0.value)) })),
            ("pictures", .array(report.tags.pictures.map(TagLines.json))),
            ("chapters", .array(report.tags.chapters.map(TagLines.json))),
            ("skippedTags", .array(report.skippedTags.map { json($0.byteRange, $0.reason.description) })),
            ("damageCount", .integer(report.damageCount)),
            ("damagedBytes", .integer(report.damagedByteCount)),
            ("highBandLosses", .integer(report.highBandLossCount)),
            ("damage", .array(report.damage.map { json($0.byteRange, $0.cause.description, seconds: $0.time.inSeconds) })),
        ]
        members += TrackLines.members(others)
        if let superframes = report.superframes { members.append(("dab", SuperframeText.json(superframes))) }
        if let stated = report.statedLoudness { members.append(("statedLoudness", LoudnessText.json(stated))) }
        if let usac = configuration.audioSpecificConfig?.usac {
            members.append(("hasDynamicRangeControl", .bool(usac.hasDynamicRangeControl)))
            members.append(("configurationBytes", .integer(usac.bytes.count)))
            members.append(("streamIdentifier", usac.streamIdentifier.map { .integer($0) } ?? .null))
        }
        if let points = report.accessPoints {
            members.append(("accessPoints", .integer(points.count)))
            members.append(("largestAccessPointDistance", .rounded(report.seconds(points.largestDistance), digits: 6)))
        }
        if let loudness { members.append(("loudness", LoudnessText.json(loudness))) }
        if let frames { members.append(("units", .array(frames))) }
        return members
    }

    private static func hexadecimal(_ bytes: [UInt8]) -> String {
        bytes.map { (String($0 >> 4, radix: 16) + String($0 & 15, radix: 16)) }.joined()
    }

    static func json(_ probed: ProbedUnit, number: Int, listsTools: Bool) -> JSONValue {
        let demuxed = probed.demuxed
        var members: [JSONMember] = [
            ("number", .integer(number)), ("offset", .integer(demuxed.byteRange.lowerBound)), ("size", .integer(demuxed.byteRange.count)),
            ("payload", .integer(demuxed.accessUnit.payload.count)), ("frames", .integer(probed.frameCount)),
        ]
        members += SuperframeText.members(probed)
        if listsTools { members.append(("elements", ToolText.json(probed.tools))) }
        return .object(members)
    }

    private static func json(_ range: Range<Int>, _ reason: String, seconds: Double? = nil) -> JSONValue {
        let time = seconds.map { [("seconds", JSONValue.rounded($0, digits: 6))] } ?? []
        return .object([("start", .integer(range.lowerBound)), ("end", .integer(range.upperBound))] + time + [("reason", .string(reason))])
    }

    private static func text(_ range: Range<Int>) -> String {
        range.isEmpty ? "byte \(range.lowerBound)" : "bytes \(range.lowerBound) to \(range.upperBound - 1)"
    }

    /// Returns the container, with details of ADTS headers.
    private static func container(_ report: ProbeSummary) -> String {
        guard let header = report.adtsHeader else { return report.containerName }
        let name = report.format == .transportStream ? "MPEG-TS, ADTS" : "ADTS"
        return "\(name) (\(header.isMPEG2 ? "MPEG-2" : "MPEG-4")\(header.hasCRC ? ", with checksums" : ""))"
    }

    /// Returns the encoder delay, if the container stores it.
    private static func delay(_ report: ProbeSummary) -> String {
        guard let gapless = report.gaplessInfo else { return "not stored in \(report.containerName)" }
        let omitted = report.omittedFrameCount > 0 ? ", \(report.omittedFrameCount) of which are left out" : ""
        let order = report.isRearranged ? "; an edit list plays parts repeatedly or in another order" : ""
        return "\(gapless.primingFrames) frames, then \(gapless.validFrames) valid frames" + omitted + order
    }

    /// Returns the object type and whether it is signalled implicitly, or the codec and its details.
    private static func objectType(_ report: ProbeSummary) -> String {
        switch report.configuration {
        case .alac(let config): return "\(report.profileName), \(config.bitDepth) bits"
        case .ilbc(let mode): return "\(report.profileName), \(mode.milliseconds) ms"
        case .opus(let config) where config.outputGain != 0:
            return "\(report.profileName), gain \(Format.fixed(config.outputGainDecibels, digits: 2)) dB"
        case .aac, .opus:
            let isSignaled = report.profileName == report.configuration.profileName
            return isSignaled ? report.profileName : "\(report.profileName), signaled implicitly"
        }
    }

    /// Returns the sample rate, with the core's in SBR.
    private static func sampleRate(_ report: ProbeSummary) -> String {
        "\(report.outputSampleRate) Hz" + (report.hasSBR ? ", core \(report.coreSampleRate) Hz" : "")
    }

    /// Returns the counts of access units and sample frames.
    private static func accessUnits(_ report: ProbeSummary) -> String {
        let length = report.hasSBR && report.accessUnitCount > 0 ? " of \(report.frameCount / report.accessUnitCount) frames" : ""
        return "\(report.accessUnitCount)\(length), \(report.frameCount) frames"
    }

    /// Returns the channel count and names, with the core's count in parametric stereo.
    private static func channels(_ report: ProbeSummary) -> String {
        let configuration = report.configuration
        guard let count = report.outputChannelCount else { return "unknown" }
        if count != configuration.coreChannelCount { return "\(count) (FL FR), core \(configuration.coreChannelCount ?? 0)" }
        let names = configuration.channelLayout?.names
        return "\(count)" + (names.map { " (\($0))" } ?? "")
    }
}
