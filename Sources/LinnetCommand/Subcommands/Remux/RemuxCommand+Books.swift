// SPDX-License-Identifier: Apache-2.0

import AudioContainers
import AudioFiles
import AudioMetadata
import AudioPrimitives
import PCMFiles
import SystemFiles

// Joining files and splitting a file without decoding.
extension RemuxCommand {
    static func joiningJobs(_ arguments: ParsedArguments, _ configuration: FileRemuxerConfiguration) throws -> [FileJob] {
        try arguments.exclude("join", "range")
        guard let output = arguments.text("output"), !output.hasSuffix("/"), !Folder.exists(output) else {
            throw arguments.failure("--join writes one file; use -o FILE, such as -o book.m4b")
        }
        let paths = arguments.operands
        guard !paths.contains("-") else { throw arguments.failure("--join needs files instead of standard input") }
        try OutputPlan.checkStandardOutput(output, arguments)
        let old = (try? FileStatus(of: output))?.identity
        guard output == "-" || old == nil || !paths.contains(where: { (try? FileStatus(of: $0))?.identity == old }) else {
            throw arguments.failure("\(output) is both an input and the output of --join")
        }
        var configuration = configuration
        configuration.container = try configuration.container ?? ContainerOption.container(of: output, arguments)
        let name = paths.count == 1 ? PathName.inputName(paths[0]) : "\(paths.count) files"
        return [
            FileJob(input: name, output: output) { [configuration] monitor in
                try remux(FileRemuxer(joining: paths, output: output, configuration: configuration), name, monitor)
            }
        ]
    }

    /// Returns the jobs that write each part of the input to a folder.
    static func splittingJobs(
        _ rule: SplitRule, _ arguments: ParsedArguments, _ configuration: FileRemuxerConfiguration
    ) throws -> [FileJob] {
        let container =
            try configuration.container ?? arguments.operands.first.map { path throws(CommandFailure) in
                try ContainerOption.container(of: path, arguments)
            } ?? .adts
        let parts = try SplitParts(
            rule, arguments, format: configuration.container, chapters: configuration.tags.chapters, copies: container
        ) {
            try ChapterSplit(path: $0, audioTrack: configuration.audioTrack, byteCount: $1, container: container)
        }
        var shared = configuration
        shared.container = container
        return parts.outputs.map { [shared] part, output in
            FileJob(input: parts.input, output: output) { monitor in
                let remuxer = FileRemuxer(input: parts.input, output: output, configuration: shared.copying(part))
                return try remux(remuxer, PathName.inputName(parts.input), monitor)
            }
        }
    }

    static func joinNotes(_ summary: RemuxingSummary, _ output: String) -> [String] {
        var notes: [String] = []
        let advice = "linnet convert --join encodes without gaps"
        if summary.gapFrameCount > 0 {
            let milliseconds = Double(summary.gapFrameCount) * 1000 / Double(max(1, summary.timescale))
            notes.append(
                "\(output): \(Format.fixed(milliseconds, digits: 0)) ms of priming and padding remain between the parts, because "
                    + "\(summary.container.name) cannot omit them; M4A can")
        }
        if summary.unstatedPartCount > 0 {
            notes.append(
                "\(output): \(Format.count(summary.unstatedPartCount, "input")) without stated priming and padding, which remain "
                    + "between the parts; \(advice)")
        }
        if summary.unsettledPartCount > 0 {
            notes.append(
                "\(output): \(Format.count(summary.unsettledPartCount, "part")) with little priming; its first milliseconds depend on the "
                    + "previous part; \(advice)")
        }
        return notes
    }
}
