// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

import AACCodec
import MPEG4Audio

/// `--profile` and `--signaling`, the same in all commands that encode.
enum ProfileOption {
    /// The profile.
    static let profile = CommandOption(
        "profile", value: "NAME", "AAC profile: lc (default), he (HE-AAC), he-v2 (HE-AAC v2), or auto, the best one for the bit rate")
    /// The signaling of HE-AAC.
    static let signaling = CommandOption(
        "signaling", value: "MODE", "signaling of HE-AAC in M4A, CAF and LOAS: compatible (default) or hierarchical")

    /// Returns the profile that was asked for.
    static func profile(_ arguments: ParsedArguments) throws(CommandFailure) -> AACProfile? {
        let names: [(name: String, value: AACProfile)] = [
            ("lc", .lowComplexity), ("he", .highEfficiency), ("he-v2", .highEfficiencyV2), ("auto", .automatic),
        ]
        return try arguments.choice("profile", names)
    }

    /// Throws if `--signaling` was given for a profile that needs none.
    static func checkSignaling(_ arguments: ParsedArguments, profile: AACProfile) throws(CommandFailure) {
        guard arguments.has("signaling"), profile == .lowComplexity else { return }
        throw arguments.failure("--signaling is for HE-AAC: add --profile he, he-v2 or auto")
    }

    /// Returns the signaling that was asked for (ISO/IEC 14496-3:2009, 1.6.5).
    static func signaling(_ arguments: ParsedArguments) throws(CommandFailure) -> AudioSpecificConfig.ExtensionSignaling? {
        try arguments.choice("signaling", [("compatible", .backwardCompatible), ("hierarchical", .hierarchical)])
    }
}
