// SPDX-License-Identifier: Apache-2.0

import AudioContainers
import AudioFiles
import DABPlus

/// The options about DAB+, which all commands that encode have.
enum DABOptions {
    /// The bit rate of the sub-channel.
    static let rate = CommandOption(
        "dab", value: "RATE",
        "units for superframes of DAB+ in a sub-channel of this rate, a multiple of 8k up to 192k: frames of 960, constant rate, 32 or 48 kHz, "
            + "and the profile that broadcasters choose")
    /// The room for programme-associated data.
    static let pad = CommandOption(
        "dab-pad", value: "N", "with --dab: bytes of programme-associated data in a unit (default: 16 with labels, else 0)")
    /// The labels.
    static let labels = CommandOption(
        "dab-labels", value: "FILE", "with --dab: labels that receivers show, one a line after its time: 0:00 News, 1:30 Weather")

    /// The bytes of programme-associated data in a unit where labels are the only ones.
    private static let labelPadByteCount = 16

    /// The longest file of labels, in bytes.
    private static let byteLimit = 1 << 20

    /// Returns the sub-channel that `--dab` names; nil without it.
    static func subchannel(_ arguments: ParsedArguments) throws(CommandFailure) -> DABSubchannel? {
        guard let bitRate = try arguments.perSecond("dab", example: "72k") else {
            for option in [pad, labels] where isGiven(option, arguments) { throw arguments.failure("--\(option.name) needs --dab") }
            return nil
        }
        for other in ["bitrate", "quality", "cbr", "abr", "peak-bitrate", "low-delay"] { try arguments.exclude("dab", other) }
        guard DABSubchannel.bitRates.contains(bitRate) else {
            throw arguments.failure("--dab \(arguments.text("dab") ?? "") can't be used; it takes a multiple of 8k, 8k to 192k")
        }
        let byteCount = try arguments.integer("dab-pad", in: 0...198) ?? (isGiven(labels, arguments) ? labelPadByteCount : 0)
        if byteCount == 1 { throw arguments.failure("--dab-pad 1 can't be used; the fixed part alone has 2 bytes") }
        return DABSubchannel(bitRate: bitRate, padByteCount: byteCount)
    }

    /// Returns whether `--dab` was given, in a command that has it.
    static func isGiven(_ arguments: ParsedArguments) -> Bool { isGiven(rate, arguments) }

    /// Returns whether an option was given, in a command that has it.
    private static func isGiven(_ option: CommandOption, _ arguments: ParsedArguments) -> Bool {
        arguments.offers(option.name) && arguments.has(option.name)
    }

    /// Returns the options of the container; nil without `--dab`.
    static func writerOptions(_ arguments: ParsedArguments) throws(CommandFailure) -> DABWriterOptions? {
        guard let subchannel = try subchannel(arguments) else { return nil }
        return DABWriterOptions(subchannel: subchannel, labels: try timedLabels(arguments))
    }

    /// Returns the labels of `--dab-labels` in the order of their times; none without it.
    private static func timedLabels(_ arguments: ParsedArguments) throws(CommandFailure) -> [TimedLabel] {
        guard isGiven(labels, arguments), let path = arguments.text(labels.name) else { return [] }
        var result: [TimedLabel] = []
        let text: String
        do { text = try TextFile.contents(path, byteLimit: byteLimit) } catch { throw arguments.failure("\(error)") }
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let words = line.split(maxSplits: 1, omittingEmptySubsequences: true) { $0 == " " || $0 == "\t" || $0 == "\r" }
            guard let first = words.first, !first.hasPrefix("#") else { continue }
            guard let seconds = TimeRange.seconds(String(first)), (0...1e9).contains(seconds) else {
                throw arguments.failure("line \(index + 1) of \(path) does not begin with a time, such as 90 or 1:30")
            }
            let label = words.count > 1 ? words[1].filter { !$0.isNewline } : ""
            result.append(TimedLabel(start: .seconds(seconds), label: DynamicLabel(String(label))))
        }
        return result.sorted { $0.start < $1.start }
    }
}
