// SPDX-License-Identifier: Apache-2.0

import AACCodec
import AudioFiles
import AudioMetadata
import AudioPrimitives
import JSONText
import PCMFiles
import SystemFiles

/// One input of a subcommand with the work on it.
struct FileJob: Sendable {
    /// The input's path; `-` is standard input.
    let input: String
    /// The output's path; `-` for standard output, `nil` if the result is text.
    let output: String?
    /// Whether the output goes to standard output under any name, so that text must not.
    let usesStandardOutput: Bool
    let body: @Sendable (FileJobMonitor) throws -> FileResult

    /// Creates a job.
    ///
    /// The output's path is resolved now, before the work replaces files.
    init(input: String, output: String?, body: @escaping @Sendable (FileJobMonitor) throws -> FileResult) {
        self.input = input
        self.output = output
        usesStandardOutput = output.map(StandardOutput.isDestination) ?? false
        self.body = body
    }

    var inputName: String { PathName.inputName(input) }

    var outputName: String? { output.map(PathName.outputName) }
}

/// The result of a job, for people and for programs.
struct FileResult: Sendable {
    /// The text for standard output, without the final line end.
    var text: String
    var members: [JSONMember]
    /// Notes for standard error, which `--quiet` suppresses.
    var notes: [String] = []
    /// Warnings about damage for standard error.
    var warnings: [String] = []
    /// ``ExitCode/success``, or ``ExitCode/damagedInput`` for a completed job with a damaged input.
    var exitCode = ExitCode.success
}

package struct JobProgress: Sendable {
    /// Seconds of audio processed.
    var seconds: Double
    /// The completed fraction, 0 to 1; `nil` for an input of unknown length.
    var fraction: Double?

    package init(seconds: Double, fraction: Double? = nil) {
        self.seconds = seconds
        self.fraction = fraction
    }
}

/// The channels through which a job reports.
struct FileJobMonitor: Sendable {
    let progress: @Sendable (JobProgress) -> Void
    /// Prints a note before the result is there, unless `--quiet` was given.
    let note: @Sendable (String) -> Void
    /// Writes a line to the log; `nil` without `--verbose`.
    let log: (@Sendable (String) -> Void)?
}

extension FileJobMonitor {
    func run(_ converter: FileConverter) throws -> ConversionSummary {
        let summary = try converter.run { state in
            progress(JobProgress(seconds: state.duration.inSeconds, fraction: state.fraction))
            return true
        }
        noteLateChapters(converter.configuration.tags, after: summary.duration.inSeconds, of: summary.outputPath)
        let decoder = converter.configuration.decoding.decoder
        if decoder.dynamicRangeBoost > 0 || decoder.dynamicRangeCut > 0, summary.input.codec?.codecName != "AAC" {
            note("--drc applies to AAC only, not to \(PathName.inputName(converter.input))")
        }
        return summary
    }

    /// Notes requested chapters that start after the end of an output.
    func noteLateChapters(_ tags: AudioTags, after seconds: Double, of output: String) {
        let count = tags.chapters.count { $0.seconds >= seconds }
        guard count > 0 else { return }
        note("\(count) chapter\(count == 1 ? " starts" : "s start") after the end of \(output), at \(Format.fixed(seconds, digits: 2)) s")
    }
}
