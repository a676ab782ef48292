// SPDX-License-Identifier: Apache-2.0

import AudioFiles

/// The options for the loudness of an output.
enum LoudnessOptions {
    /// The loudness to give a file.
    static let normalize = CommandOption(
        "normalize", value: "LUFS", "give the audio this integrated loudness (EBU R 128), such as -16LUFS, with a limiter for true peaks")
    /// The loudness to give a decoded file, by what the file states.
    static let stated = CommandOption(
        "loudness", value: "LUFS", "give the audio this loudness, such as -16LUFS, by the loudness that the input states")
    /// The limit of true peaks.
    static let truePeak = CommandOption("true-peak", value: "DBTP", "largest true peak with --normalize (default: -1dBTP)")
    /// The loudness as a tag.
    static let loudness = CommandOption.loudness.with(", and store them for players: as ReplayGain in M4A, as R128_TRACK_GAIN in Opus")

    /// The smallest and the largest values that are useful.
    private static let (loudnessRange, peakRange) = (-70.0 ... -5.0, -20.0...0.0)

    /// Returns the loudness that the options ask for; nil for that of the input.
    static func target(_ arguments: ParsedArguments) throws(CommandFailure) -> LoudnessTarget? {
        let truePeak = try number(arguments, "true-peak", unit: "dbtp", in: peakRange, example: "-1dBTP")
        guard let loudness = try number(arguments, "normalize", unit: "lufs", in: loudnessRange, example: "-16LUFS") else {
            if truePeak != nil { throw arguments.failure("--true-peak needs --normalize") }
            return nil
        }
        return LoudnessTarget(integrated: loudness, truePeak: truePeak ?? -1)
    }

    /// Returns the loudness for a decoded file; nil for that of the input.
    static func statedTarget(_ arguments: ParsedArguments) throws(CommandFailure) -> Double? {
        try number(arguments, "loudness", unit: "lufs", in: loudnessRange, example: "-16LUFS")
    }

    /// Returns the value of an option, with or without its unit.
    private static func number(
        _ arguments: ParsedArguments, _ name: String, unit: String, in range: ClosedRange<Double>, example: String
    ) throws(CommandFailure) -> Double? {
        guard let text = arguments.text(name) else { return nil }
        let digits = text.lowercased().hasSuffix(unit) ? String(text.dropLast(unit.count)) : text
        guard let value = Double(decimal: digits), range.contains(value) else {
            let limits = "\(Format.short(range.lowerBound)) to \(Format.short(range.upperBound))"
            throw arguments.failure("--\(name) \(text) can't be used; it takes \(limits), such as \(example)")
        }
        return value
    }
}
