// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import AudioReports
import PCMFiles
import SystemFiles

/// `linnet report`: creates a page about files, with figures.
enum ReportCommand: Subcommand {
    static let name = "report"
    static let summary = "make a page about files: pictures of signal, loudness, bits, noise"
    static let usage = "FILE... [-o OUT.html] [--reference REF] [--pictures DIR]"
    static let options = [
        CommandOption.output.with(": a page in HTML, or - for standard output (default: the last FILE with .html)"),
        CommandOption("reference", value: "REF", "the signal before coding; each FILE is compared with it"),
        CommandOption("pictures", value: "DIR", "also write the pictures into this folder, as SVG and PNG"),
        .bitRate.with(": the one that was asked for, which is drawn beside the actual one"),
        .threads,
        .force,
        .quiet,
    ]
    static let details = """
        FILE is any file that linnet play reads, or the results of linnet batch (JSON lines), which become a table with histograms. The page
        needs nothing from elsewhere. It shows waveform, spectrogram, loudness (EBU R 128), bits, windows and tools, noise to mask (with
        --reference), stereo image, the structure of the container, tags and damage; with values under the pointer, which the
        arrow keys move too.
        """
    static let examples = [
        (command: "linnet report song.m4a", meaning: "writes song.html"),
        (command: "linnet report --reference song.wav song.m4a song.opus -o song.html", meaning: "two codings beside the original"),
        (command: "linnet report take.wav --pictures pictures/", meaning: "also each picture as a file"),
        (command: "linnet report results.jsonl -o archive.html", meaning: "the results of a batch"),
    ]

    static func run(_ arguments: ParsedArguments) throws -> ExitCode {
        guard let last = arguments.operands.last else { throw arguments.failure("no file to report about") }
        guard !arguments.operands.contains("-") else { throw arguments.failure("standard input can't be read twice; a report needs files") }
        let output = arguments.text("output") ?? PathName.replacingExtension(of: last, by: "html")
        if let name = PathName.fileExtension(output), !["html", "htm", "xhtml"].contains(name) {
            throw arguments.failure("\(output) is no name of a page: a report is HTML (.html)")
        }
        let overwrites = arguments.has("force")
        let stage = StageLine(isHidden: arguments.has("quiet"))
        SignalWatcher.discardOutputs { stage.clear() }
        defer { stage.clear() }
        // Unwritable outputs fail before the work.
        let file = try OutputFile(path: output, overwrites: overwrites, input: last)
        if BatchReport.isResults(last) { return try reportBatch(last, to: file, arguments) }
        let folder = arguments.text("pictures")
        if let folder { try OutputPlan.make(folder: folder) }
        var configuration = AudioReport.Configuration()
        configuration.reference = arguments.text("reference").map { .file($0) }
        configuration.targetBitRate = try arguments.bitRate()
        configuration.threadCount = try arguments.integer("threads", in: 1...1024)
        let inputs = arguments.operands.map { AudioFileInput.file($0) }
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
        return report.warnings.contains(where: \.isDamage) ? .damagedInput : .success
    }

    private static func reportBatch(_ path: String, to file: OutputFile, _ arguments: ParsedArguments) throws -> ExitCode {
        guard arguments.operands.count == 1 else { throw arguments.failure("the results of a batch make a page of their own") }
        for option in ["reference", "pictures", "bitrate"] where arguments.has(option) {
            throw arguments.failure("--\(option) is for audio files, not for the results of a batch")
        }
        try write(BatchReport(results: path).html, to: file, arguments)
        return .success
    }

    private static func write(_ html: String, to file: OutputFile, _ arguments: ParsedArguments) throws {
        let bytes = Array(html.utf8)
        try file.write(bytes)
        try file.commit()
        guard !arguments.has("quiet"), arguments.text("output") != "-" else { return }
        try StandardOutput.print("\(arguments.operands.joined(separator: ", ")) -> \(file.path): \(Format.byteCount(bytes.count))")
    }
}
