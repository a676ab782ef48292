// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import AudioMetadata
import AudioPrimitives
import JSONText
import SystemFiles

/// One input of a subcommand, with what is to be done with it.
struct FileJob: Sendable {
    /// The input's path; `-` is standard input.
    let input: String
    /// The output's path, `-` for standard output; nil if the result is text.
    let output: String?
    /// Whether the output goes to standard output, whatever its name, so that no text may go there.
    let usesStandardOutput: Bool
    /// Does the work; throws any error of the libraries.
    let body: @Sendable (FileJobMonitor) throws -> FileResult

    /// Creates a job; standard output and the output's path are looked at now, since the work replaces files.
    init(input: String, output: String?, body: @escaping @Sendable (FileJobMonitor) throws -> FileResult) {
        self.input = input
        self.output = output
        usesStandardOutput = output.map(StandardOutput.isDestination) ?? false
        self.body = body
    }

    /// The input's name in messages.
    var inputName: String { PathName.inputName(input) }

    /// The output's name in messages.
    var outputName: String? { output.map(PathName.outputName) }
}

/// The result of a job, for people and for programs.
struct FileResult: Sendable {
    /// The text for standard output, without the last line's end.
    var text: String
    /// The members of the JSON object.
    var members: [JSONMember]
    /// Remarks for standard error, which `--quiet` leaves out.
    var notes: [String] = []
    /// Messages about damage for standard error.
    var warnings: [String] = []
    /// ``ExitCode/success``, or ``ExitCode/damagedInput`` if the job was done with a damaged input.
    var exitCode = ExitCode.success
}

/// The position that a job has reached.
package struct JobProgress: Sendable {
    /// Seconds of audio processed.
    var seconds: Double
    /// The completed part, 0 to 1; nil for an input of unknown length.
    var fraction: Double?

    /// Creates a value from its parts.
    package init(seconds: Double, fraction: Double? = nil) {
        self.seconds = seconds
        self.fraction = fraction
    }
}

/// The connection of a job to the report that shows its progress and its log.
struct FileJobMonitor: Sendable {
    /// Takes the job's position.
    let progress: @Sendable (JobProgress) -> Void
    /// Takes a remark for standard error that can't wait for the result; `--quiet` leaves it out.
    let note: @Sendable (String) -> Void
    /// Takes lines of the log; nil without `--verbose`.
    let log: (@Sendable (String) -> Void)?
}

extension FileJobMonitor {
    /// Converts a file, and shows the progress.
    func run(_ converter: FileConverter) throws -> ConversionSummary {
        let summary = try converter.run { state in
            progress(JobProgress(seconds: state.duration.inSeconds, fraction: state.fraction))
            return true
        }
        noteLateChapters(converter.configuration.tags, after: summary.duration.inSeconds, of: summary.outputPath)
        return summary
    }

    /// Notes requested chapters that start after the end of an output.
    func noteLateChapters(_ tags: AudioTags, after seconds: Double, of output: String) {
        let count = tags.chapters.count { $0.seconds >= seconds }
        guard count > 0 else { return }
        note("\(count) chapter\(count == 1 ? " starts" : "s start") after the end of \(output), at \(Format.fixed(seconds, digits: 2)) s")
    }
}
