// SPDX-License-Identifier: Apache-2.0

import AudioPrimitives

/// The options of xHE-AAC output.
enum XHEAACOptions {
    static let statedLoudness = CommandOption(
        "stated-loudness", value: "LUFS",
        "integrated loudness to state in xHE-AAC, such as -16LUFS, for pipes and live audio (default for files: measured)")
    static let accessPoints = CommandOption(
        "access-points", value: "SECONDS",
        "time between the points of xHE-AAC where players can start, 0.1 to 60 (default: 2, or an HLS segment if shorter)")
    static let options = [statedLoudness, accessPoints]

    /// Returns the values of the options, or `nil` for those that are not given.
    ///
    /// - Parameter isOutput: Whether the output is xHE-AAC. Otherwise the options are refused.
    static func values(
        _ arguments: ParsedArguments, isOutput: Bool
    ) throws(CommandFailure) -> (loudness: Double?, accessPointInterval: Double?) {
        if !isOutput, let option = options.first(where: { arguments.has($0.name) }) {
            throw arguments.failure("--\(option.name) needs --profile xhe")
        }
        let loudness = try LoudnessOptions.number(
            arguments, statedLoudness.name, unit: "lufs", in: -57.0...0, example: "-16LUFS")
        return (loudness, try arguments.number(accessPoints.name, in: 0.1...60))
    }

    /// Throws if live xHE-AAC states no loudness, which cannot be measured in advance.
    static func requireStatement(_ arguments: ParsedArguments, _ profile: AACProfile?) throws(CommandFailure) {
        guard profile == .extendedHighEfficiency, !arguments.has(statedLoudness.name) else { return }
        throw arguments.failure(
            "xHE-AAC states its loudness, which is unknown before a recording; use --\(statedLoudness.name), such as -16LUFS")
    }
}
