// SPDX-License-Identifier: Apache-2.0

import AudioContainers
import AudioConversion
import AudioFiles
import AudioPrimitives
import OpusCodec
import PCMFiles

/// `--codec` and the Opus options of all commands that encode.
enum OpusOptions {
    static let codec = CommandOption.codec.with(": aac (default), opus (default for .opus) or alac (Apple Lossless, in .m4a and .caf)")
    static let options = [
        CommandOption("application", value: "NAME", "Opus signal type: voice, audio (default) or low-delay"),
        CommandOption("frame-duration", value: "MS", "Opus packet duration: 2.5, 5, 10, 20 (default), 40 or 60"),
        CommandOption("complexity", value: "0-10", "Opus encoder effort (default: 10, the best quality)"),
        CommandOption("packet-loss", value: "PERCENT", "expected packet loss, for which Opus repeats speech in later packets"),
        CommandOption("dtx", "one-byte packets during silence (Opus)"),
        CommandOption("constrained", "constrained variable bit rate (Opus)"),
    ]

    /// Returns the output codec with its parameters.
    ///
    /// - Parameter container: The output container, if known.
    /// - Throws: An error if an option of the other codec was given.
    static func codec(_ arguments: ParsedArguments, container: AudioFileFormat?) throws(CommandFailure) -> FileCodec {
        let usual = container == .oggOpus
        let choices: [OutputCodec] = [.aac, .opus, .alac]
        let codec = try arguments.choice("codec", choices.map { ($0.rawValue, $0) }) ?? (usual ? .opus : .aac)
        if usual, codec != .opus {
            throw arguments.failure("Ogg files hold Opus, not \(codec.name); omit --codec, or choose another extension")
        }
        guard codec == .opus else {
            for option in options where arguments.has(option.name) {
                throw arguments.failure("--\(option.name) applies to Opus only; add --codec opus, or write .opus")
            }
            guard codec == .alac else { return .aac }
            try EncoderOptions.refuseForLossless(arguments)
            return .alac
        }
        try EncoderOptions.refuse(arguments)
        return .opus(try parameters(arguments))
    }

    /// Sets the codec of a configuration, with its parameters.
    ///
    /// - Parameter container: The output container, if known.
    /// - Throws: An error if an option of the other codec was given.
    static func setCodec(
        of configuration: inout FileConverterConfiguration, _ arguments: ParsedArguments, container: AudioFileFormat?
    ) throws(CommandFailure) {
        switch try codec(arguments, container: container) {
        case .aac: configuration.codec = .aac
        case .alac: configuration.codec = .alac
        case .opus(let parameters): (configuration.codec, configuration.opus) = (.opus, parameters)
        }
        if configuration.omitsDelay, let codec = configuration.codec, codec != .aac {
            throw arguments.failure(
                "--no-delay applies to AAC only; \(codec == .opus ? "Opus signals its delay" : "\(codec.name) has none")")
        }
    }

    private static func parameters(_ arguments: ParsedArguments) throws(CommandFailure) -> OpusParameters {
        var parameters = OpusParameters()
        parameters.bitRate = try arguments.bitRate()
        if arguments.has("cbr") { parameters.bitRateMode = .constant }
        if arguments.has("constrained") {
            if arguments.has("cbr") { throw arguments.failure("--cbr and --constrained exclude each other") }
            parameters.bitRateMode = .constrained
        }
        parameters.application =
            try arguments.choice("application", [("voice", .voice), ("audio", .audio), ("low-delay", .lowDelay)]) ?? .audio
        let durations = OpusFrameDuration.allCases.map { (name: Format.short($0.milliseconds), value: $0) }
        parameters.frameDuration = try arguments.choice("frame-duration", durations) ?? .milliseconds20
        parameters.complexity = try arguments.integer("complexity", in: 0...10) ?? 10
        parameters.expectedPacketLoss = try arguments.integer("packet-loss", in: 0...100) ?? 0
        parameters.usesForwardErrorCorrection = parameters.expectedPacketLoss > 0
        parameters.usesDiscontinuousTransmission = arguments.has("dtx")
        return parameters
    }
}
