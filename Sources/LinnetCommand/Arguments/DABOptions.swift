// SPDX-License-Identifier: Apache-2.0

import AudioContainers
import AudioFiles
import DABPlus

/// The DAB+ options of all commands that encode.
enum DABOptions {
    static let rate = CommandOption(
        "dab", value: "RATE",
        "encode for DAB+ superframes in a sub-channel of this rate, a multiple of 8k up to 192k: 960 samples per frame, constant bit rate, "
            + "32 or 48 kHz, and the usual profile for the rate")
    static let pad = CommandOption(
        "dab-pad", value: "N", "with --dab: bytes of programme-associated data per access unit (default: 16 with labels, else 0)")
    static let labels = CommandOption(
        "dab-labels", value: "FILE", "with --dab: labels for receivers, one per line after its time: 0:00 News, 1:30 Weather")

    /// Bytes of programme-associated data per access unit that are reserved for labels.
    private static let labelPadByteCount = 16

    /// The maximum size of a label file, in bytes.
    private static let byteLimit = 1 << 20

    /// Returns the sub-channel of `--dab`, if given.
    static func subchannel(_ arguments: ParsedArguments) throws(CommandFailure) -> DABSubchannel? {
        guard let bitRate = try arguments.perSecond("dab", example: "72k") else {
            for option in [pad, labels] where isGiven(option, arguments) { throw arguments.failure("--\(option.name) needs --dab") }
            return nil
        }
        for other in ["bitrate", "quality", "cbr", "abr", "peak-bitrate", "low-delay"] { try arguments.exclude("dab", other) }
        guard DABSubchannel.bitRates.contains(bitRate) else {
            throw arguments.failure("invalid --dab value '\(arguments.text("dab") ?? "")'; use a multiple of 8k, 8k to 192k")
        }
        let byteCount = try arguments.integer("dab-pad", in: 0...198) ?? (isGiven(labels, arguments) ? labelPadByteCount : 0)
        if byteCount == 1 { throw arguments.failure("invalid --dab-pad value '1'; the fixed part alone has 2 bytes") }
        return DABSubchannel(bitRate: bitRate, padByteCount: byteCount)
    }

    /// Whether `--dab` is an option of the command and was given.
    static func isGiven(_ arguments: ParsedArguments) -> Bool { isGiven(rate, arguments) }

    private static func isGiven(_ option: CommandOption, _ arguments: ParsedArguments) -> Bool {
        arguments.offers(option.name) && arguments.has(option.name)
    }

    /// Returns the container options; `nil` without `--dab`.
    static func writerOptions(_ arguments: ParsedArguments) throws(CommandFailure) -> DABWriterOptions? {
        guard let subchannel = try subchannel(arguments) else { return nil }
        return DABWriterOptions(subchannel: subchannel, labels: try timedLabels(arguments))
    }

    /// Returns the labels of `--dab-labels`, sorted by time.
    private static func timedLabels(_ arguments: ParsedArguments) throws(CommandFailure) -> [TimedLabel] {
        guard isGiven(labels, arguments), let path = arguments.text(labels.name) else { return [] }
        var result: [TimedLabel] = []
        let text: String
        do { text = try TextFile.contents(path, byteLimit: byteLimit) } catch { throw arguments.failure("\(error)") }
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let words = line.split(maxSplits: 1, omittingEmptySubsequences: true) { $0 == " " || $0 == "\t" || $0 == "\r" }
            guard let first = words.first, !first.hasPrefix("#") else { continue }
            guard let seconds = TimeRange.seconds(String(first)), (0...1e9).contains(seconds) else {
                throw arguments.failure("line \(index + 1) of \(path) does not start with a time; use for example 90 or 1:30")
            }
            let label = words.count > 1 ? words[1].filter { !$0.isNewline } : ""
            result.append(TimedLabel(start: .seconds(seconds), label: DynamicLabel(String(label))))
        }
        return result.sorted { $0.start < $1.start }
    }
}
