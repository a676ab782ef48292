// SPDX-License-Identifier: Apache-2.0

import AACCodec
import AudioContainers
import AudioConversion
import AudioFiles
import AudioPrimitives
import JSONText
import MPEG4Audio
import PCMFiles

/// The result of decoding as text and as JSON.
struct DecodeText {
    /// The input's name in messages.
    let input: String
    /// The output's name in messages.
    let output: String
    /// The output's file format.
    let file: PCMFileFormat
    /// The decoder at the end of the input.
    let decoder: FileDecoder
    /// The output's sample format, rate and channels; nil if nothing was written.
    let format: PCMOutputFormat?
    /// The names of tags that the output can't hold.
    let namesOfLostTags: [String]
    /// Seconds that the work took.
    let elapsedSeconds: Double

    /// Seconds of audio decoded.
    private var seconds: Double { Double(decoder.statistics.frameCount) / Double(max(1, format?.sampleRate ?? 1)) }

    /// The speed as a multiple of real time.
    private var speed: Double { elapsedSeconds > 0 ? seconds / elapsedSeconds : 0 }

    /// The result for the batch.
    var result: FileResult {
        let parts = [
            "\(decoder.statistics.frameCount) frames", "\(Format.fixed(seconds, digits: 2)) s", "\(format?.sampleRate ?? 0) Hz",
            Format.channels(format?.channelCount ?? 0), "\(Format.speed(speed)) real time",
        ]
        let warnings = decoder.statistics.warnings(input: input)
        return FileResult(
            text: "\(input) -> \(output): " + parts.joined(separator: ", "), members: members, notes: notes, warnings: warnings,
            exitCode: warnings.isEmpty ? .success : .damagedInput)
    }

    /// Remarks about an intact input.
    private var notes: [String] {
        var notes: [String] = []
        if !namesOfLostTags.isEmpty {
            notes.append("\(input): \(OutputTags.note(namesOfLostTags, formatName: file.rawValue.uppercased()))")
        }
        notes += ConversionNote.notes(
            tracks: decoder.description.audioTracks, decoder.decoder?.codecConfiguration,
            hasFalsePositions: decoder.description.hasFalsePositions
        ).map { "\(input): \($0)" }
        let count = decoder.statistics.formatChangeCount
        guard count > 0, let format else { return notes }
        return notes + [
            "\(input) changes its format \(count) \(count == 1 ? "time" : "times"); "
                + "all of it is converted to \(format.sampleRate) Hz, \(Format.channels(format.channelCount))"
        ]
    }

    /// The JSON members.
    private var members: [JSONMember] {
        let statistics = decoder.statistics
        return [
            ("fileFormat", .string(file.rawValue)),
            ("sampleFormat", format.map { .string("\($0.encoding)") } ?? .null),
            ("sampleRate", format.map { .integer($0.sampleRate) } ?? .null),
            ("channels", format.map { .integer($0.channelCount) } ?? .null),
            ("accessUnits", .integer(statistics.unitCount)),
            ("frames", .integer(statistics.frameCount)),
            ("seconds", .rounded(seconds, digits: 6)),
            ("checksumFailures", .integer(statistics.checksumFailureCount)),
        ] + DecodingStatistics.members(statistics) + [
            ("formatChanges", .integer(statistics.formatChangeCount)),
            ("elapsedSeconds", .rounded(elapsedSeconds, digits: 4)),
            ("speed", .rounded(speed, digits: 1)),
        ]
    }
}
