// SPDX-License-Identifier: Apache-2.0

import AudioConversion
package import AudioFiles
import AudioMetadata
import AudioPrimitives
import OpusCodec
import PCMFiles

/// The options of `linnet convert`.
package enum ConvertOptions {
    /// The names of `--format`.
    private static let formatNames = ["wav", "aiff", "caf", "flac", "oga", "raw", "adts", "m4a", "loas", "ts", "dabp", "opus", "lbc"]

    package static func configuration(_ arguments: ParsedArguments) throws -> FileConverterConfiguration {
        try arguments.exclude("channels", "channel-map")
        var result = try FileConverterConfiguration(arguments)
        if let name = arguments.text("format"), SampleEncoding(name: name) != nil {
            throw arguments.failure("--format is the file format; for the sample format use --sample-format \(name)")
        }
        try ContainerOption.refuseUnwritable(arguments)
        let formats = formatNames.compactMap { name in AudioFileFormat(fileExtension: name).map { (name: name, value: $0) } }
        result.format = try arguments.choice(
            "format", formats,
            aliases: ["mp4": "m4a", "m4b": "m4a", "aac": "adts", "mpegts": "ts", "latm": "loas", "wave": "wav", "aif": "aiff"])
        result.format = result.format ?? ContainerOption.oggOpus(arguments.text("output"), arguments)
        if arguments.text("codec") == "flac" {
            throw arguments.failure("FLAC is a file format; use -o NAME.flac or --format flac, or in Ogg -o NAME.oga or --format oga")
        }
        result.codec = try arguments.choice("codec", OutputCodec.allCases.map { ($0.rawValue, $0) })
        // Parts have the format of the input.
        let named = arguments.has("split") ? arguments.operands.first : arguments.text("output")
        let format = result.format ?? named.flatMap { AudioFileFormat(path: $0) }
        result.encoding = try encoding(arguments, codec: result.codec ?? format?.defaultCodec)
        result.storesLoudness = arguments.has("loudness")
        for option in ["join", "split"] { try arguments.exclude(option, "album-gain") }
        result.rateQuality =
            try arguments.choice("rate-quality", SampleRateConverterQuality.allCases.map { ($0.rawValue, $0) }) ?? .high
        try requireRate(arguments, codec: result.codec ?? format?.defaultCodec)
        result.channelCount = try arguments.integer("channels", in: 1...256)
        if let map = try channelMap(arguments) { result.channels = .map(map) }
        result.dither = try dither(arguments, codec: result.codec ?? format?.defaultCodec)
        result.bitRate = try arguments.bitRate()
        result.settings = try EncoderOptions.settings(arguments)
        if arguments.has("cbr") { result.opus.bitRateMode = .constant }
        result.dab = try DABOptions.writerOptions(arguments)
        if let codec = result.codec ?? format?.defaultCodec, codec != .aac {
            switch codec {
            case .pcm:
                let name = format.flatMap { $0 == .caf ? nil : $0.name } ?? codec.name
                try EncoderOptions.refuseForLossless(arguments, "\(name), which is lossless")
            case .alac: try EncoderOptions.refuseForLossless(arguments)
            default: try EncoderOptions.refuse(arguments)
            }
        }
        return result
    }

    /// Throws if `--rate-quality` has no effect.
    ///
    /// Lossy codecs can change the sample rate without a request.
    private static func requireRate(_ arguments: ParsedArguments, codec: OutputCodec?) throws(CommandFailure) {
        guard arguments.has("rate-quality"), !arguments.has("rate"), codec == .pcm || codec == .alac else { return }
        throw arguments.failure("--rate-quality needs --rate")
    }

    /// Throws if the output format cannot be written to a pipe.
    static func checkPipe(_ arguments: ParsedArguments, _ configuration: FileConverterConfiguration) throws(CommandFailure) {
        guard let format = configuration.format else { throw arguments.failure("standard output has no extension; use --format") }
        let isPCM = (configuration.codec ?? format.defaultCodec) == .pcm
        guard isPCM, format == .aiff || format == .caf else { return }
        throw arguments.failure("cannot write \(format.name) to a pipe; use --format wav, flac or raw, or -o FILE")
    }

    /// Returns the output sample format, whose byte order is optional.
    static func encoding(_ arguments: ParsedArguments, codec: OutputCodec?) throws(CommandFailure) -> SampleEncoding? {
        guard let text = arguments.text("sample-format") else { return nil }
        guard let encoding = SampleEncoding(name: text) else {
            throw arguments.failure(
                "invalid --sample-format value '\(text)'; use u8, s8, s16, s24, s32, f32 or f64, in raw PCM with le or be")
        }
        if let codec, codec != .pcm, codec != .alac {
            throw arguments.failure("--sample-format applies to WAV, AIFF, FLAC and Apple Lossless, not to \(codec.name)")
        }
        if codec == .alac, encoding.isFloat || encoding.byteCount < 2 {
            throw arguments.failure("Apple Lossless has no sample format \(text); use s16, s24 or s32")
        }
        return encoding
    }

    private static func dither(_ arguments: ParsedArguments, codec: OutputCodec?) throws(CommandFailure) -> Dither? {
        if arguments.has("dither"), let codec, codec != .pcm, codec != .alac {
            throw arguments.failure("--dither applies to WAV, AIFF, FLAC and Apple Lossless, not to \(codec.name)")
        }
        let dither = try arguments.choice("dither", [("none", Dither.none), ("triangular", .triangular), ("shaped", .noiseShaped)])
        if let dither, dither != Dither.none, let format = arguments.text("sample-format"), SampleEncoding(name: format)?.isFloat == true {
            throw arguments.failure("--dither applies to integer samples, not to \(format)")
        }
        return dither
    }

    /// Returns the input channel of each output channel.
    private static func channelMap(_ arguments: ParsedArguments) throws(CommandFailure) -> ChannelMap? {
        guard let text = arguments.text("channel-map") else { return nil }
        let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map { Int($0) }
        guard numbers.count <= 256, numbers.allSatisfy({ (0...256).contains($0 ?? -1) }) else {
            throw arguments.failure("invalid --channel-map value '\(text)'; use channels counted from 1, such as 2,1, and 0 for silence")
        }
        return ChannelMap(numbers.map { number in number.flatMap { $0 == 0 ? nil : $0 - 1 } })
    }
}
