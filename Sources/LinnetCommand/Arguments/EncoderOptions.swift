// SPDX-License-Identifier: Apache-2.0

package import AACCodec
package import AudioPrimitives
import DABPlus
import MPEG4Audio

/// The AAC encoder options of all commands that encode.
package enum EncoderOptions {
    /// An option with the setting that it changes.
    package struct Entry {
        /// The name of a property of `AACEncoderSettings`.
        package let setting: String
        package let option: CommandOption
        /// Whether the option also applies to codecs other than AAC.
        var isShared = false
    }

    package static let table = [
        Entry(setting: "rateControl", option: .bitRate, isShared: true),
        Entry(setting: "rateControl", option: .quality),
        Entry(setting: "rateControl", option: CommandOption("cbr", "constant bit rate, for channels with a fixed rate"), isShared: true),
        Entry(setting: "rateControl", option: CommandOption("abr", "average bit rate (default with -b, except for ld and eld)")),
        Entry(
            setting: "peakBitRate",
            option: CommandOption("peak-bitrate", value: "RATE", "maximum bit rate of any access unit, such as 256k")),
        Entry(
            setting: "profile",
            option: .profile.with(
                ": lc, he (HE-AAC), he-v2 (HE-AAC v2), ld (AAC-LD), eld (AAC-ELD), xhe (xHE-AAC), "
                    + "or auto (lc, he or he-v2 by bit rate) (default: lc)")),
        Entry(
            setting: "signaling",
            option: CommandOption(
                "signaling", value: "MODE", "HE-AAC signaling in M4A, CAF and LOAS: compatible (default) or hierarchical")),
        Entry(
            setting: "effort",
            option: CommandOption("effort", value: "EFFORT", "speed or quality: fast, balanced (default) or best")),
        Entry(setting: "lowDelay", option: .lowDelay),
        Entry(
            setting: "frameLength",
            option: CommandOption(
                "frame-length", value: "N",
                "sample frames per access unit: \(AACEncoderSettings.frameLengths.map(String.init).joined(separator: " or ")); with ld and eld "
                    + AACEncoderSettings.lowDelayFrameLengths.map(String.init).joined(separator: " or "))),
        Entry(
            setting: "lowDelaySBR",
            option: CommandOption(
                "sbr", value: "MODE", "SBR with eld: auto (by bit rate, default), off, single or dual (core rate)")),
        Entry(setting: "rateGroup", option: DABOptions.rate),
        Entry(setting: "rateGroup", option: DABOptions.pad),
        Entry(setting: "bandwidth", option: CommandOption("bandwidth", value: "HZ", "highest encoded frequency, such as 16k")),
        Entry(
            setting: "usesNoiseSubstitution",
            option: CommandOption("no-noise-substitution", "disable perceptual noise substitution (PNS), for MPEG-2 AAC, and noise filling")
        ),
        Entry(setting: "statedLoudness", option: XHEAACOptions.statedLoudness),
        Entry(setting: "accessPointInterval", option: XHEAACOptions.accessPoints),
        Entry(
            setting: "invalidSamples",
            option: CommandOption(
                "silence-invalid", "encode infinite and NaN samples as silence; without it they are an error, except in recordings"),
            isShared: true),
    ]

    /// Returns all options, with details of one command by option name.
    static func options(_ details: [String: String] = [:]) -> [CommandOption] {
        table.map { entry in details[entry.option.name].map { entry.option.with($0) } ?? entry.option }
    }

    /// Throws if an AAC-only option was given.
    static func refuse(_ arguments: ParsedArguments) throws(CommandFailure) {
        for entry in table where !entry.isShared && arguments.has(entry.option.name) {
            throw arguments.failure("--\(entry.option.name) applies to AAC only")
        }
    }

    /// Throws if an option of lossy codecs was given.
    ///
    /// - Parameter output: The lossless format or codec in the message.
    static func refuseForLossless(
        _ arguments: ParsedArguments, _ output: String = "Apple Lossless, whose bit rate follows from the signal"
    ) throws(CommandFailure) {
        try refuse(arguments)
        for option in ["bitrate", "cbr", "silence-invalid"] where arguments.has(option) {
            throw arguments.failure("--\(option) does not apply to \(output)")
        }
    }

    /// Throws if an option of an encoder was given for a format of samples.
    ///
    /// - Parameter others: Further options that the format does not have.
    static func refuse(_ arguments: ParsedArguments, for format: AudioFileFormat, others: [String]) throws(CommandFailure) {
        let names = table.map(\.option.name) + OpusOptions.options.map(\.name) + ["codec", "no-delay", "dab-labels"] + others
        for option in names where arguments.has(option) {
            throw arguments.failure("--\(option) does not apply to \(format.name), which is lossless")
        }
    }

    /// Returns the settings of the command line.
    ///
    /// - Parameter presetProfile: The preset's profile, if any.
    package static func settings(_ arguments: ParsedArguments, presetProfile: AACProfile? = nil) throws(CommandFailure)
        -> AACEncoderSettings
    {
        for (first, second) in [("bitrate", "quality"), ("cbr", "abr"), ("quality", "cbr"), ("quality", "abr")] {
            try arguments.exclude(first, second)
        }
        var settings = AACEncoderSettings()
        settings.peakBitRate = try arguments.perSecond("peak-bitrate", example: "256000 or 256k")
        settings.profile = try arguments.choice(
            "profile",
            [
                ("lc", .lowComplexity), ("he", .highEfficiency), ("he-v2", .highEfficiencyV2), ("ld", .lowDelay),
                ("eld", .enhancedLowDelay), ("xhe", .extendedHighEfficiency), ("auto", .automatic),
            ],
            aliases: [
                "aaclc": "lc", "lcaac": "lc", "aaclow": "lc", "heaac": "he", "aache": "he", "hev1": "he", "heaacv1": "he", "aacp": "he",
                "heaacv2": "he-v2", "aachev2": "he-v2", "hev2": "he-v2", "aacp2": "he-v2", "aacld": "ld", "lowdelay": "ld", "aaceld": "eld",
                "enhancedlowdelay": "eld", "xheaac": "xhe", "usac": "xhe",
            ])
        settings.rateControl = try rateControl(arguments, isConstant: (settings.profile ?? presetProfile)?.isLowDelay ?? false)
        settings.signaling = try arguments.choice("signaling", [("compatible", .backwardCompatible), ("hierarchical", .hierarchical)])
        if settings.signaling != nil, !arguments.has("dab"), !(settings.profile ?? presetProfile ?? .lowComplexity).allowsSBR {
            throw arguments.failure("--signaling applies to HE-AAC only; add --profile he, he-v2 or auto")
        }
        settings.effort = try arguments.choice("effort", [("fast", .fast), ("balanced", .balanced), ("best", .best)]) ?? .balanced
        settings.lowDelay = arguments.has("low-delay")
        settings.frameLength = try arguments.integer("frame-length", in: 1...65_536) ?? settings.frameLength
        settings.lowDelaySBR =
            try arguments.choice("sbr", [("auto", .automatic), ("off", .off), ("single", .singleRate), ("dual", .dualRate)]) ?? .automatic
        if arguments.has("sbr"), (settings.profile ?? presetProfile) != .enhancedLowDelay {
            throw arguments.failure("--sbr applies to AAC-ELD only; add --profile eld")
        }
        let isExtended = (settings.profile ?? presetProfile) == .extendedHighEfficiency
        let values = try XHEAACOptions.values(arguments, isOutput: isExtended)
        settings.statedLoudness = values.loudness
        if let interval = values.accessPointInterval { settings.accessPointInterval = interval }
        settings.rateGroup = try DABOptions.subchannel(arguments)?.rateGroup
        settings.bandwidth = try arguments.perSecond("bandwidth", example: "16000 or 16k")
        settings.usesNoiseSubstitution = !arguments.has("no-noise-substitution")
        settings.invalidSamples = arguments.has("silence-invalid") ? .silence : .throwError
        return settings
    }

    /// Returns the rate control of `--bitrate`, `--quality`, `--cbr` and `--abr`; `nil` for the default.
    ///
    /// - Parameter isConstant: Whether a bit rate is constant without `--abr`.
    private static func rateControl(
        _ arguments: ParsedArguments, isConstant: Bool
    ) throws(CommandFailure) -> AACEncoderConfiguration.RateControl? {
        if let quality = try arguments.number("quality", in: 0...100) { return .variable(quality: quality) }
        guard let bitRate = try arguments.bitRate() else {
            for option in ["cbr", "abr"] where arguments.has(option) { throw arguments.failure("--\(option) needs --bitrate") }
            return nil
        }
        return arguments.has("cbr") || isConstant && !arguments.has("abr") ? .constant(bitRate: bitRate) : .average(bitRate: bitRate)
    }
}

extension AACProfile {
    /// Whether the stream has SBR or can have it.
    fileprivate var allowsSBR: Bool { hasSBR || self == .automatic }
}
