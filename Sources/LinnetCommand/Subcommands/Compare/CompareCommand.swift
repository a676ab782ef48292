// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import AudioMeasures
import JSONText
import PCMFiles
import SystemFiles

/// `linnet compare`: measures the quality of a file against its reference.
enum CompareCommand: Subcommand {
    static let name = "compare"
    static let summary = "measure the quality of a file against its reference"
    static let usage = "REFERENCE TEST [--offset N] [--drawing OUT.svg] [--json]"
    static let options = [
        CommandOption("offset", value: "N", "delay of TEST in frames, negative if it is early (default: detected)"),
        CommandOption("drawing", value: "OUT", "also draw the noise-to-mask ratio over time and frequency, as SVG"),
        AudioTrackOption.option.with(", if the file has several"),
        .force,
        .json,
    ]
    static let details = """
        Both files can have any format that linnet reads, with the same channel count. TEST is resampled to the rate of REFERENCE. A delay of
        up to 16384 frames is detected and compensated. The main figure is the noise-to-mask ratio: above 0 dB, noise exceeds the masking
        threshold of the signal. It comes from a psychoacoustic model and does not replace listening tests.
        Documentation/Guides/Measuring.md describes the figures and their limits.
        """
    static let examples = [
        (command: "linnet compare song.wav song.aac", meaning: "the quality of an encoded song"),
        (command: "linnet compare song.wav song.aac --drawing song.svg", meaning: "over time and frequency, as a picture for browsers"),
        (command: "linnet compare a.wav b.wav --json | jq .noiseToMask.mean", meaning: "one figure, for a program"),
    ]

    static func run(_ arguments: ParsedArguments) throws -> ExitCode {
        guard arguments.operands.count == 2 else { throw arguments.failure("compare needs a reference and a test file") }
        let (reference, test) = (arguments.operands[0], arguments.operands[1])
        if reference == "-", test == "-" { throw arguments.failure("only one file can be standard input") }
        let delay = try arguments.integer("offset", in: Int.min / 4...Int.max / 4)
        let track = try AudioTrackOption.choice(arguments)
        let picture = arguments.text("drawing")
        if let picture, !picture.lowercased().hasSuffix(".svg"), picture != "-" {
            throw arguments.failure("invalid picture name \(picture); use a name that ends in .svg")
        }
        let isPrinted = picture.map(StandardOutput.isDestination) ?? false
        if isPrinted, arguments.has("json") { throw arguments.failure("--json and --drawing would both write to standard output") }
        let stage = StageLine(isHidden: arguments.has("json"))
        SignalWatcher.discardOutputs { stage.clear() }
        defer { stage.clear() }
        let output = try picture.map { try OutputFile(path: $0, overwrites: arguments.has("force"), inputs: [reference, test]) }
        var warnings: [PCMFileWarning] = []
        stage.show("reading \(PathName.inputName(reference))")
        let original = try AudioSignal(AudioTrackOption.input(reference, besides: test, track), warnings: &warnings)
        let comparison = try compare(
            original, AudioTrackOption.input(test, besides: reference, track), delay: delay, &warnings, stage)
        stage.clear()
        for warning in warnings { StandardError.complain("warning: \(warning)", .warning) }
        let exitCode = warnings.contains(where: \.isDamage) ? ExitCode.damagedInput : .success
        let report = CompareText(
            reference: PathName.inputName(reference), test: PathName.inputName(test), hasGivenDelay: delay != nil, comparison)
        if let output {
            let drawing = NoiseToMaskPicture(
                comparison.noiseToMaskRatio, title: "\(PathName.inputName(test)) against \(PathName.inputName(reference))",
                subtitle: report.headline)
            try output.write(Array(drawing.svg.utf8))
            try output.commit()
            if isPrinted { return exitCode }
        }
        try StandardOutput.print(
            arguments.has("json") ? report.json.text() : report.lines(bars: StandardOutput.isTerminal).joined(separator: "\n"))
        return exitCode
    }

    /// Decodes the test at the reference's sample rate, and compares both.
    private static func compare(
        _ original: AudioSignal, _ input: AudioFileInput, delay: Int?, _ warnings: inout [PCMFileWarning], _ stage: StageLine
    ) throws -> SignalComparison {
        let name = input.name
        do {
            stage.show("reading \(name)")
            let test = try AudioSignal(input, sampleRate: original.sampleRate, warnings: &warnings)
            for (signal, subject) in [(original, "the reference"), (test, "it")] where signal.frameCount == 0 {
                throw CommandFailure(.refusedSettings, "cannot compare \(name): \(subject) is empty")
            }
            stage.show("comparing \(name) with the reference")
            return try SignalComparison(reference: original, test: test, delay: delay)
        } catch let error as SignalComparisonError {
            throw CommandFailure(.refusedSettings, "cannot compare \(name): \(error)")
        }
    }
}
