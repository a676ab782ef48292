// SPDX-License-Identifier: Apache-2.0

import AudioPrimitives
import LiveAudio

/// The options of `linnet record` and `linnet stream` for several files, and for the start and end of a recording.
enum SplitOptions {
    static let options = [
        SplitRule.option.with("; recording.aac is followed by recording-2.aac"),
        CommandOption("split-at", value: "HH:MM", "start a new file at this local time; separate several times with commas"),
        CommandOption("start-level", value: "DB", "record nothing until a sample exceeds this level in dBFS"),
        CommandOption("pre-roll", value: "SECONDS", "with --start-level: audio to record from before (default: 1)"),
        CommandOption("stop-silence", value: "SECONDS", "stop after this much silence, which is kept"),
        SplitParts.silenceLevel.with(", also for --stop-silence"),
        CommandOption("stop-at", value: "HH:MM", "stop at this local time"),
        CommandOption("stop-size", value: "SIZE", "stop before all files together exceed SIZE, such as 10G"),
    ]
    static let help = """
        Names of files can contain the local start time: %Y/%m-%d_%H%M%S.m4a, with the conversions of strftime; missing folders are
        created, and %% is a percent sign. Without them, --split and --split-at number the files. During the recording, an existing file is
        kept, and the new one gets the next number. All outputs are cut at the same sample: WAV, FLAC, M4A, CAF and Opus exactly, others
        after the access unit. Standard output and servers continue. --split silence cuts in the middle of 2 s of silence, at least 10 s
        after the previous cut. A SIZE counts FLAC as uncompressed.
        """

    /// Sets the rules of a command line.
    static func apply(_ arguments: ParsedArguments, to configuration: inout RecorderConfiguration) throws {
        configuration.splitting = try splitting(arguments)
        configuration.startLevel = try arguments.number("start-level", in: -120...0)
        if let seconds = try arguments.number("pre-roll", in: 0...600) {
            guard configuration.startLevel != nil else { throw arguments.failure("--pre-roll needs --start-level") }
            configuration.preRoll = .seconds(seconds)
        }
        if let level = try arguments.number("silence-level", in: -120...0) {
            guard arguments.has("stop-silence") || configuration.splitting?.cutsAtPauses == true else {
                throw arguments.failure("--silence-level needs --stop-silence or --split silence")
            }
            configuration.silenceLevel = level
        }
        configuration.stopConditions.silence = try arguments.number("stop-silence", in: 0.1...86_400).map { .seconds($0) }
        configuration.stopConditions.time = try arguments.text("stop-at").map { try dayTime($0, of: "stop-at", arguments) }
        if let text = arguments.text("stop-size") {
            guard let count = ByteSize.parse(text) else {
                throw arguments.failure("invalid --stop-size value '\(text)'; use a size like 500M or 10G")
            }
            configuration.stopConditions.byteCount = count
        }
    }

    private static func splitting(_ arguments: ParsedArguments) throws(CommandFailure) -> RecordingSplit? {
        var split = RecordingSplit()
        switch try SplitRule.rule(arguments) {
        case .chapters: throw arguments.failure("--split chapters applies to linnet convert and remux; use a time, a size or silence")
        case .interval(let seconds): split.interval = .seconds(seconds)
        case .byteCount(let count): split.byteCount = count
        case .silence: split.cutsAtPauses = true
        case nil: break
        }
        for text in arguments.text("split-at")?.split(separator: ",", omittingEmptySubsequences: false) ?? [] {
            split.times.append(try dayTime(text, of: "split-at", arguments))
        }
        guard split != RecordingSplit() else { return nil }
        if arguments.has("dab") { throw arguments.failure("--split and --split-at cannot cut the superframes of --dab") }
        return split
    }

    private static func dayTime(
        _ text: some StringProtocol, of option: String, _ arguments: ParsedArguments
    ) throws(CommandFailure) -> DayTime {
        guard let time = DayTime(text) else {
            throw arguments.failure("invalid --\(option) value '\(text)'; use a time of day like 7:30, 23:59 or 0:00:30")
        }
        return time
    }

    /// Returns the path of an output file, and whether it contains conversions for the start time.
    static func path(_ text: String, _ arguments: ParsedArguments) throws(CommandFailure) -> (path: String, isPattern: Bool) {
        guard let pattern = FileNamePattern(text) else {
            throw arguments.failure(
                "unknown conversion in \(text); use those of strftime, such as %Y-%m-%d_%H%M%S, and %% for a percent sign")
        }
        return pattern.isDated ? (text, true) : (pattern.path(at: 0), false)
    }
}
