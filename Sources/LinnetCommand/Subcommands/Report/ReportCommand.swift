// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import AudioReports
import PCMFiles
import SystemFiles

/// `linnet report`: creates a page about files, with figures.
enum ReportCommand: Subcommand {
    static let name = "report"
    static let summary = "create a page about files: figures of signal, loudness, bits and noise"
    static let usage = "FILE... [-o OUT.html] [--reference REF] [--pictures DIR]"
    static let options = [
        CommandOption.output.with(": an HTML page, or - for standard output (default: the last FILE with .html)"),
        CommandOption("reference", value: "REF", "original signal, with which each FILE is compared"),
        CommandOption("pictures", value: "DIR", "also write the figures to this folder, as SVG and PNG"),
        .bitRate.with(": the target bit rate, drawn with the actual one"),
        AudioTrackOption.option,
        .threads,
        .force,
        .quiet,
    ]
    static let details = """
        FILE is any file that linnet convert reads, or the results of linnet batch (JSON lines), shown as a table with histograms. The page
        is self-contained. It shows waveform, spectrogram, loudness (EBU R 128), bits, windows and tools, noise-to-mask ratio (with
        --reference), stereo image, container structure, tags and damage, with values at the pointer, which arrow keys also move.
        """
    static let examples = [
        (command: "linnet report song.m4a", meaning: "write song.html"),
        (command: "linnet report --reference song.wav song.m4a song.opus -o song.html", meaning: "two encodings with the original"),
        (command: "linnet report take.wav --pictures pictures/", meaning: "with each figure as a file"),
        (command: "linnet report results.jsonl -o archive.html", meaning: "the results of a batch"),
    ]

    static func run(_ arguments: ParsedArguments) throws -> ExitCode {
        guard let last = arguments.operands.last else { throw arguments.failure("missing input file") }
        guard !arguments.operands.contains("-") else {
            throw arguments.failure("a report needs files instead of standard input, because it reads them twice")
        }
        let output = arguments.text("output") ?? PathName.replacingExtension(of: last, by: "html")
        if let name = PathName.fileExtension(output), !["html", "htm", "xhtml"].contains(name) {
            throw arguments.failure("invalid report name \(output); use a name that ends in .html")
        }
        let overwrites = arguments.has("force")
        let stage = StageLine(isHidden: arguments.has("quiet"))
        SignalWatcher.discardOutputs { stage.clear() }
        defer { stage.clear() }
        // Unwritable outputs fail before the work.
        let reference = arguments.text("reference")
        let file = try OutputFile(path: output, overwrites: overwrites, inputs: arguments.operands + (reference.map { [$0] } ?? []))
        if BatchReport.isResults(last) { return try reportBatch(last, to: file, arguments) }
        let folder = arguments.text("pictures")
        if let folder { try OutputPlan.make(folder: folder) }
        var configuration = AudioReport.Configuration()
        let track = try AudioTrackOption.choice(arguments)
        configuration.reference = reference.map { AudioTrackOption.input($0, besides: last, track) }
        configuration.targetBitRate = try arguments.bitRate()
        configuration.threadCount = try arguments.integer("threads", in: 1...1024)
        let inputs = arguments.operands.map { path in
            reference.map { AudioTrackOption.input(path, besides: $0, track) } ?? .file(path, audioTrack: track)
        }
        let report = try AudioReport(analyzing: inputs, configuration: configuration, { stage.show("analyzing \($0)") })
        stage.clear()
        if let folder {
            for picture in report.pictures {
                let target = try OutputFile(path: folder + "/" + picture.name, overwrites: overwrites)
                try target.write(picture.bytes)
                try target.commit()
            }
        }
        try write(report.html, to: file, arguments)
        for problem in report.comparisonProblems { StandardError.complain("warning: \(problem)", .warning) }
        for warning in report.warnings { StandardError.complain("warning: \(warning)", .warning) }
        if report.warnings.contains(where: \.isDamage) { return .damagedInput }
        return report.lacksComparison ? .refusedSettings : .success
    }

    private static func reportBatch(_ path: String, to file: OutputFile, _ arguments: ParsedArguments) throws -> ExitCode {
        guard arguments.operands.count == 1 else { throw arguments.failure("report the results of a batch separately") }
        for option in ["reference", "pictures", "bitrate", "audio-track"] where arguments.has(option) {
            throw arguments.failure("--\(option) applies to audio files only, not to the results of a batch")
        }
        try write(BatchReport(results: path).html, to: file, arguments)
        return .success
    }

    private static func write(_ html: String, to file: OutputFile, _ arguments: ParsedArguments) throws {
        let bytes = Array(html.utf8)
        try file.write(bytes)
        try file.commit()
        guard !arguments.has("quiet"), !StandardOutput.isDestination(arguments.text("output") ?? "") else { return }
        try StandardOutput.print("\(arguments.operands.joined(separator: ", ")) -> \(file.path): \(Format.byteCount(bytes.count))")
    }
}
