// SPDX-License-Identifier: Apache-2.0

package import JSONText
internal import PCMFiles
internal import SystemLibrary

/// Why a file is encoded.
public enum EncodingReason: String, Sendable {
    /// There is no output yet.
    case new
    /// The input has changed.
    case input
    /// The settings have changed, or other files of the album.
    case settings
    /// The output is from another version of Linnet.
    case version
    /// The output is missing, truncated or changed.
    case output
    /// Verification was requested, and the output was never verified.
    case unverified
    /// Encoding of all files was requested.
    case forced
}

/// A processing step of a file.
public enum BatchStep: String, Sendable {
    /// Reading the settings of a manifest.
    case settings
    /// Opening the input.
    case open
    /// Reading the input.
    case read
    /// Encoding the input.
    case encode
    /// Writing the output.
    case write
    /// Checking the output.
    case verify
    /// Reading or writing the record.
    case record
}

/// The result of one file of a batch.
public struct BatchResult: Sendable {
    /// The outcome of a file.
    public enum Outcome: Sendable {
        /// The file was encoded.
        case done(EncodingReason)
        /// The file was already up to date.
        case unchanged
        /// The file would be encoded, in a dry run.
        case planned(EncodingReason)
        /// A step failed.
        case failed(BatchStep, any Error)
        /// The file was aborted or not started because the batch was stopped.
        case interrupted
    }

    /// The input's path.
    public var input: String
    /// The output's path.
    public var output: String
    /// The outcome of the file.
    public var outcome: Outcome
    /// The measures of the output, named as in Documentation/Guides/Batch.md.
    ///
    /// Empty without an output.
    package var measures: [JSONMember] = []

    /// Whether the file failed because the disk is full.
    package var lacksSpace: Bool {
        guard case .failed(_, let error) = outcome else { return false }
        if case BatchError.cannotCreate(_, ENOSPC) = error { return true }
        return (error as? AudioFileError)?.code == .noSpace
    }

    /// Returns the result as a JSON object on one line.
    ///
    /// - Parameter describe: Returns the exit code and the text of an error.
    package func line(_ describe: (any Error) -> (code: Int, message: String)) -> String {
        var members: [JSONMember] = [("status", .string(status)), ("input", .string(input)), ("output", .string(output))]
        switch outcome {
        case .done(let reason), .planned(let reason): members.append(("reason", .string(reason.rawValue)))
        case .failed(let step, let error):
            let (code, message) = describe(error)
            members.append(
                ("error", .object([("step", .string(step.rawValue)), ("code", .integer(code)), ("message", .string(message))])))
        case .unchanged, .interrupted: break
        }
        return JSONValue.object(members + measures).line
    }

    /// Whether the file was encoded although its input is damaged.
    package var isInputDamaged: Bool {
        guard case .done = outcome, case .bool(true)? = measures.last(where: { $0.name == "inputDamaged" })?.value else { return false }
        return true
    }

    /// Recoverable problems of the input, one line each.
    public var warnings: [String] { measures.last { $0.name == "warnings" }?.value.elements?.compactMap(\.text) ?? [] }

    /// Conversion notes, one per line.
    package var notes: [String] { measures.last { $0.name == "notes" }?.value.elements?.compactMap(\.text) ?? [] }

    package var status: String {
        switch outcome {
        case .done: "done"
        case .unchanged: "unchanged"
        case .planned: "planned"
        case .failed: "failed"
        case .interrupted: "interrupted"
        }
    }
}

/// The number of files of a batch by outcome.
public struct BatchTotals: Hashable, Sendable {
    /// The number of files that were encoded, or would be in a dry run.
    public var doneCount = 0
    /// The number of files that were already up to date.
    public var unchangedCount = 0
    /// The number of failed files.
    public var failedCount = 0
    /// The number of files that were aborted or not started.
    public var interruptedCount = 0
    /// The number of encoded files with damaged input.
    public var damagedCount = 0
    /// The total duration of encoded audio, in seconds.
    public var seconds = 0.0

    package init() {}

    package mutating func add(_ result: BatchResult) {
        if result.isInputDamaged { damagedCount += 1 }
        add(status: result.status, seconds: result.measures.last { $0.name == "seconds" }?.value.number)
    }

    /// Adds a file.
    ///
    /// - Parameters:
    ///   - status: The file's ``BatchResult/status``; other text counts as interrupted.
    ///   - seconds: The duration of its audio, in seconds.
    mutating func add(status: String?, seconds duration: Double?) {
        switch status {
        case "done":
            doneCount += 1
            seconds += duration ?? 0
        case "planned": doneCount += 1
        case "unchanged": unchangedCount += 1
        case "failed": failedCount += 1
        default: interruptedCount += 1
        }
    }
}
