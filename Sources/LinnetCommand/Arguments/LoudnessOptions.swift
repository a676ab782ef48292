// SPDX-License-Identifier: Apache-2.0

import AudioFiles

enum LoudnessOptions {
    static let normalize = CommandOption(
        "normalize", value: "LUFS", "normalize to this integrated loudness (EBU R 128), such as -16LUFS, with a true peak limiter")
    /// The target loudness of a decoded file whose loudness is stored.
    static let stated = CommandOption(
        "loudness", value: "LUFS", "normalize to this loudness, such as -16LUFS, from the loudness stored in the input")
    static let truePeak = CommandOption("true-peak", value: "DBTP", "maximum true peak with --normalize (default: -1dBTP)")
    static let loudness = CommandOption.loudness.with(", and store them as ReplayGain (M4A) or R128_TRACK_GAIN (Opus)")

    /// The useful ranges, in LUFS and dBTP.
    private static let (loudnessRange, peakRange) = (-70.0 ... -5.0, -20.0...0.0)

    /// Returns the target loudness; `nil` to keep the input's.
    static func target(_ arguments: ParsedArguments) throws(CommandFailure) -> LoudnessTarget? {
        let truePeak = try number(arguments, "true-peak", unit: "dbtp", in: peakRange, example: "-1dBTP")
        guard let loudness = try number(arguments, "normalize", unit: "lufs", in: loudnessRange, example: "-16LUFS") else {
            if truePeak != nil { throw arguments.failure("--true-peak needs --normalize") }
            return nil
        }
        return LoudnessTarget(integrated: loudness, truePeak: truePeak ?? -1)
    }

    /// Returns the target loudness of a decoded file in LUFS; `nil` to keep the input's.
    static func statedTarget(_ arguments: ParsedArguments) throws(CommandFailure) -> Double? {
        try number(arguments, "loudness", unit: "lufs", in: loudnessRange, example: "-16LUFS")
    }

    private static func number(
        _ arguments: ParsedArguments, _ name: String, unit: String, in range: ClosedRange<Double>, example: String
    ) throws(CommandFailure) -> Double? {
        guard let text = arguments.text(name) else { return nil }
        let digits = text.lowercased().hasSuffix(unit) ? String(text.dropLast(unit.count)) : text
        guard let value = Double(decimal: digits), range.contains(value) else {
            let limits = "\(Format.short(range.lowerBound)) to \(Format.short(range.upperBound))"
            throw arguments.failure("invalid --\(name) value '\(text)'; use \(limits), such as \(example)")
        }
        return value
    }
}
