// SPDX-License-Identifier: Apache-2.0

import AudioContainers
import AudioFiles
import AudioPrimitives
import JSONText
import MPEG4Audio
import PCMFiles
import Synchronization
import SystemFiles

/// `linnet probe`: describes and checks audio files.
enum ProbeCommand: Subcommand {
    static let name = "probe"
    static let summary = "describe and check audio files"
    static let usage = "FILE... [--frames [--verbose]] [--check] [--loudness] [--json]"
    static let options = [
        CommandOption("frames", "also list every access unit"),
        .verbose.with(": with --frames, also list the tools of each access unit, such as windows, M/S, TNS and SBR"),
        CommandOption("check", "also decode all access units, and list decoding errors and invalid checksums"),
        AudioTrackOption.option,
        .loudness.with(" of the decoded file"),
        .json,
        .quiet,
    ]
    static let details = """
        FILE is any file that linnet convert reads; - is standard input. Files with AAC, Opus, Apple Lossless and iLBC are read completely:
        durations and bit rates are counted, not estimated. All audio tracks are listed; one of them is read. Damage is listed with byte
        offsets, with exit status 6. An undecodable stream is described, with exit status 12. Of WAV, AIFF, FLAC, MP3 and other files only
        the headers are read, unless --check is given or they come from a pipe. --json prints an object for one FILE, an array for several.
        """
    static let examples = [
        (command: "linnet probe song.aac", meaning: "sample rate, channels, duration, bit rate"),
        (command: "linnet probe --check --quiet *.aac *.m4a", meaning: "check files by the exit status"),
        (command: "linnet probe --frames song.aac | head", meaning: "the first access units with their sizes"),
        (command: "linnet probe --frames --verbose --json song.m4a", meaning: "the tools of each access unit, as JSON"),
        (command: "curl -s https://example.org/song.aac | linnet probe - --json", meaning: "a stream, as JSON"),
    ]

    /// The settings of all inputs.
    private struct Settings: Sendable {
        let options: ProbeOptions
        let listsFrames: Bool
        let listsTools: Bool
        let isJSON: Bool
        let isQuiet: Bool
        let measuresLoudness: Bool
        let audioTrack: AudioTrackChoice?
        let blankLine = BlankLine()
    }

    /// The blank line between two results.
    private final class BlankLine: Sendable {
        private let isDue = Atomic<Bool>(false)

        /// Prints a blank line, except before the first result.
        func print() throws(AudioFileError) {
            if isDue.exchange(true, ordering: .relaxed) { try StandardOutput.print("") }
        }
    }

    /// Probes all inputs in order.
    static func run(_ arguments: ParsedArguments) throws -> ExitCode {
        guard !arguments.operands.isEmpty else { throw arguments.failure("missing input file") }
        if arguments.has("loudness"), arguments.operands.contains("-") {
            throw arguments.failure("--loudness cannot measure standard input, because it reads the file twice")
        }
        let (listsFrames, listsTools) = (arguments.has("frames"), arguments.has("verbose"))
        if listsTools, !listsFrames { throw arguments.failure("--verbose needs --frames") }
        let settings = Settings(
            options: [arguments.has("check") ? .decoding : [], listsTools ? .tools : []], listsFrames: listsFrames, listsTools: listsTools,
            isJSON: arguments.has("json"), isQuiet: arguments.has("quiet"), measuresLoudness: arguments.has("loudness"),
            audioTrack: try AudioTrackOption.choice(arguments))
        let jobs = arguments.operands.map { path in
            FileJob(input: path, output: nil) { try probe(path, settings, $0) }
        }
        // One thread keeps the results in the order of the inputs.
        return try FileJobRunner(jobs, arguments, verb: "read", givesOneObject: true).run(threadCount: 1)
    }

    /// Reads a file.
    ///
    /// The table of `--frames` is printed while reading, or collected for JSON.
    private static func probe(_ path: String, _ settings: Settings, _ monitor: FileJobMonitor) throws -> FileResult {
        let isText = !settings.isJSON && !settings.isQuiet
        let fileSize = path == "-" ? nil : (try? FileStatus(of: path))?.byteCount
        var frames: [JSONValue] = []
        var table = FrameTable()
        /// Prints or collects a unit.
        func visit(_ probed: ProbedUnit) throws {
            if settings.listsFrames, settings.isJSON {
                frames.append(ProbeText.json(probed, number: frames.count, listsTools: settings.listsTools))
            } else if settings.listsFrames, isText {
                if table.isEmpty { try settings.blankLine.print() }
                try table.append(probed.demuxed, probed.configuration)
                try table.append(probed.tools.flatMap(ToolText.lines))
            } else {
                let time = probed.demuxed.accessUnit.presentationTime
                let seconds = Double(time.value) / Double(max(1, time.timescale))
                let position = Double(probed.demuxed.byteRange.upperBound)
                monitor.progress(JobProgress(seconds: seconds, fraction: fileSize.map { min(1, position / Double(max(1, $0))) }))
            }
        }
        // The error of printing, as opposed to errors of the file.
        var failure: (any Error)?
        let report: ProbeSummary
        let file = AudioFileInput.file(path, audioTrack: settings.audioTrack)
        let input = try file.open().withRandomAccess()
        if path == "-", let reader = try PCMFileReader.openingPCM(in: input, audioTrack: settings.audioTrack) {
            return try pcmResult(PCMProbeText(reader, path: path, readsAll: true, loudness: nil) { input.position }, settings)
        }
        do {
            report = try ProbeSummary(of: input, settings.options, audioTrack: settings.audioTrack) { probed throws(AudioFileError) in
                do {
                    try visit(probed)
                } catch {
                    failure = error
                    throw AudioFileError(.cancelled, path: path)
                }
            }
        } catch {
            guard failure == nil, path != "-", let result = try pcmResult(path, settings, after: error) else { throw failure ?? error }
            return result
        }
        let loudness = try settings.measuresLoudness ? FileLoudness(of: file).run() : nil
        if isText, table.isEmpty { try settings.blankLine.print() }
        try table.flush()
        let others = path == "-" ? nil : OtherTracks(of: path)
        return FileResult(
            text: ProbeText.lines(report, loudness, others: others).joined(separator: "\n"),
            members: ProbeText.members(report, loudness, others: others, frames: settings.listsFrames ? frames : nil),
            warnings: settings.isQuiet ? [ProbeText.problem(report)].compactMap(\.self) : [], exitCode: report.exitCode)
    }

    /// Returns the result of a file without access units, such as WAV, FLAC or MP3; `nil` for other formats.
    ///
    /// - Parameter error: The error of reading it as encoded audio.
    private static func pcmResult(_ path: String, _ settings: Settings, after error: AudioFileError) throws -> FileResult? {
        switch error.code {
        case .unsupportedInput, .unsupportedCodec, .noAccessUnits: break
        default: return nil
        }
        let file = AudioFileInput.file(path, audioTrack: settings.audioTrack)
        do { _ = try PCMFileReader.reading(file) } catch let error as AudioFileError where error.isOfKnownFormat {
            throw error
        } catch {
            return nil
        }
        let loudness = try settings.measuresLoudness ? FileLoudness(of: file).run() : nil
        let reader = try PCMFileReader.reading(file)
        let probe = try PCMProbeText(reader, path: path, readsAll: settings.options.contains(.decoding), loudness: loudness) {
            (try? FileStatus(of: path))?.byteCount ?? 0
        }
        return try pcmResult(probe, settings)
    }

    /// Returns the result of a file without access units.
    private static func pcmResult(_ probe: PCMProbeText, _ settings: Settings) throws -> FileResult {
        if !settings.isJSON, !settings.isQuiet { try settings.blankLine.print() }
        let notes = settings.listsFrames ? ["\(PathName.inputName(probe.path)) has no access units that --frames could list"] : []
        return FileResult(
            text: probe.lines.joined(separator: "\n"), members: probe.members, notes: notes, warnings: probe.warnings.map(\.description),
            exitCode: probe.warnings.contains(where: \.isDamage) ? .damagedInput : .success)
    }
}

extension ProbeSummary {
    /// The exit code that decoding the file would have.
    fileprivate var exitCode: ExitCode {
        if refusal != nil || isRearranged { return .unsupportedInput }
        return isIntact ? .success : .damagedInput
    }
}

extension AudioFileError {
    /// Whether the file format was recognised.
    fileprivate var isOfKnownFormat: Bool {
        switch (code, pcmFault) {
        case (.notSeekable, _), (_, .unrecognizedFormat?): false
        default: true
        }
    }
}
