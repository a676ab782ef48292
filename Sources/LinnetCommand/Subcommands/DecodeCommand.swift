// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

import AACCodec
import AudioFiles
import AudioPrimitives
import PCMFiles

/// `linnet decode`: makes a PCM file of a file of coded sound.
enum DecodeCommand: Subcommand {
    static let name = "decode"
    static let summary = "decode AAC to WAV, FLAC or CAF"
    static let usage = "IN [-o OUT] [--format F] [--seconds A-B]"
    static let options = [
        CommandOption("output", short: "o", value: "OUT", help: "the file to make, by its extension; - is standard output, as WAV"),
        CommandOption("format", value: "F", help: "s16 (default), s24 or f32"),
        CommandOption("seconds", value: "A-B", help: "only this part, such as 10-12.5, 60- or -5"),
        CommandOption("downmix", help: "mix more than two channels down to stereo"),
        CommandOption("keep-delay", help: "keep the silence that the encoder added at both ends"),
        CommandOption("force", short: "f", help: "overwrite OUT"),
    ]
    static let details = """
        IN can be ADTS, LOAS, M4A, MP4, 3GP, QuickTime, CAF or ADIF; - is standard input. Without -o the output is IN with the extension wav.
        Damaged parts are made up for as well as can be, and make the exit status 6.
        """
    static let examples = [
        (command: "linnet decode song.m4a", meaning: "song.wav"),
        (command: "linnet decode song.aac -o - | aplay", meaning: "listen without a file"),
        (command: "linnet decode film.m4a --downmix --format s24 -o film.flac", meaning: "5.1 to stereo, 24 bits"),
    ]

    static func run(_ arguments: ParsedArguments) throws -> ExitCode {
        guard let input = arguments.operands.first else { throw arguments.failure("no file to decode") }
        guard arguments.operands.count == 1 else { throw arguments.failure("one file at a time") }
        let outputPath = arguments.text("output") ?? defaultOutput(for: input)
        guard let file = outputPath == "-" ? .wav : PCMFileFormat(path: outputPath) else {
            throw arguments.failure("the extension of \(outputPath) is none of wav, flac, caf, aiff, raw")
        }
        var configuration = FileDecoderConfiguration()
        configuration.keepsFormat = true
        configuration.keepsDelay = arguments.has("keep-delay")
        configuration.seconds = try seconds(arguments)
        if arguments.has("downmix") { configuration.decoder.downmix = .stereo }
        let sampleFormat =
            try arguments.choice("format", [("s16", SampleFormat.int16), ("s24", .int24), ("f32", .float32)]) ?? .int16
        let decoder = try FileDecoder(path: input, configuration: configuration)
        let output = try OutputFile(path: outputPath, overwrites: arguments.has("force"), input: input)
        let target = DecodingTarget(output: output, file: file, sampleFormat: sampleFormat)
        var buffer = PCMBuffer(sampleRate: 1, channelCount: 1, frameCapacity: 0)
        while try decoder.read(into: &buffer) { try target.append(buffer, from: decoder) }
        try target.finish()
        return report(decoder, target, input: input)
    }

    private static func report(_ decoder: FileDecoder, _ target: DecodingTarget, input: String) -> ExitCode {
        var code = ExitCode.success
        let statistics = decoder.statistics
        if statistics.formatChangeCount > 0, let format = target.format {
            StandardError.complain(
                "note: \(input) changes its format \(statistics.formatChangeCount) times; "
                    + "all of it is converted to \(format.sampleRate) Hz and \(format.channelCount) channels")
        }
        if statistics.damagedUnitCount > 0 {
            let reason = statistics.firstDamage.map { " (the first: \($0))" } ?? ""
            StandardError.complain("\(statistics.damagedUnitCount) of \(statistics.unitCount) units of \(input) are damaged\(reason)")
            code = .damagedInput
        }
        if statistics.checksumFailureCount > 0 {
            StandardError.complain("the checksums of \(statistics.checksumFailureCount) units of \(input) are wrong")
            code = .damagedInput
        }
        if statistics.lostByteCount > 0 {
            StandardError.complain("\(statistics.lostByteCount) bytes of \(input) hold no unit")
            code = .damagedInput
        }
        return code
    }

    private static func defaultOutput(for input: String) -> String {
        guard input != "-" else { return "-" }
        let name = input.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
        guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return input + ".wav" }
        return String(input[..<dot]) + ".wav"
    }

    private static func seconds(_ arguments: ParsedArguments) throws -> Range<Double>? {
        guard let text = arguments.text("seconds") else { return nil }
        let parts = text.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        let complaint = arguments.failure("--seconds \(text) can't be used; it takes a part like 10-12.5, 60- or -5")
        guard parts.count == 2 else { throw complaint }
        let start = parts[0].isEmpty ? 0 : Double(parts[0])
        let end = parts[1].isEmpty ? Double.infinity : Double(parts[1])
        guard let start, let end, start >= 0, start < end, start.isFinite else { throw complaint }
        return start..<end
    }
}
