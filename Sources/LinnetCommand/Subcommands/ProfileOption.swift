// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

import AACCodec
import MPEG4Audio

/// `--profile` and `--signaling`, alike in all commands that encode.
enum ProfileOption {
    static let profile = CommandOption(
        "profile", value: "NAME", help: "lc (default), he (HE-AAC), he-v2, or auto: what sounds best at the rate")
    static let signaling = CommandOption(
        "signaling", value: "HOW", help: "how M4A, CAF and LOAS tell of HE-AAC: compatible (default) or hierarchical")

    private typealias Profile = AACEncoderConfiguration.Profile

    /// The profile that was named.
    static func profile(_ arguments: ParsedArguments) throws(CommandFailure) -> AACEncoderConfiguration.Profile? {
        let names: [(name: String, value: Profile)] = [
            ("lc", .lowComplexity), ("he", .highEfficiency), ("he-v2", .highEfficiencyV2), ("auto", .automatic),
        ]
        return try arguments.choice("profile", names)
    }

    /// Complains about `--signaling` where there is nothing to tell.
    static func checkSignaling(_ arguments: ParsedArguments, profile: AACEncoderConfiguration.Profile) throws(CommandFailure) {
        guard arguments.has("signaling"), profile == .lowComplexity else { return }
        throw arguments.failure("--signaling is about HE-AAC: add --profile he, he-v2 or auto")
    }

    /// How HE-AAC is told of.
    static func signaling(_ arguments: ParsedArguments) throws(CommandFailure) -> AudioSpecificConfig.ExtensionSignaling? {
        try arguments.choice("signaling", [("compatible", .backwardCompatible), ("hierarchical", .hierarchical)])
    }
}
