// SPDX-License-Identifier: Apache-2.0

package import JSONText
internal import PCMFiles
internal import SystemLibrary

/// The reason for which a file is encoded.
public enum EncodingReason: String, Sendable {
    /// There is no output yet.
    case new
    /// The input has changed.
    case input
    /// The settings have changed.
    case settings
    /// Another version of Linnet has encoded it.
    case version
    /// The output is missing, was cut off, or was changed.
    case output
    /// A check was asked for, and the output was never checked.
    case unverified
    /// Everything was asked for.
    case forced
}

/// A step of the work on a file.
public enum BatchStep: String, Sendable {
    /// Reading the settings of a manifest.
    case settings
    /// Opening the input.
    case open
    /// Reading the input.
    case read
    /// Encoding.
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
    /// The outcome.
    public enum Outcome: Sendable {
        /// The file was encoded.
        case done(EncodingReason)
        /// It was done before, and nothing has changed.
        case unchanged
        /// It would be encoded, in a dry run.
        case planned(EncodingReason)
        /// It failed in a step.
        case failed(BatchStep, any Error)
        /// It was given up or not begun, because the batch was stopped.
        case interrupted
    }

    /// The input's path.
    public var input: String
    /// The output's path.
    public var output: String
    /// The outcome.
    public var outcome: Outcome
    /// The measures of the output, by the names in Documentation/Guides/Batch.md; empty without one.
    package var measures: [JSONMember] = []

    /// Whether the file failed because the disk is full.
    package var lacksSpace: Bool {
        guard case .failed(_, let error) = outcome else { return false }
        if case BatchError.cannotCreate(_, ENOSPC) = error { return true }
        return (error as? AudioFileError)?.code == .noSpace
    }

    /// Returns the result as a JSON object on one line.
    ///
    /// - Parameter describe: Returns the exit code and the text for an error.
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

    /// Problems of the input that did not prevent encoding, a line each.
    public var warnings: [String] { measures.last { $0.name == "warnings" }?.value.elements?.compactMap(\.text) ?? [] }

    /// Remarks about the conversion, a line each.
    package var notes: [String] { measures.last { $0.name == "notes" }?.value.elements?.compactMap(\.text) ?? [] }

    /// The outcome as one word.
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

/// The numbers of files of a batch by their outcome.
public struct BatchTotals: Hashable, Sendable {
    /// Files that were encoded, or would be.
    public var doneCount = 0
    /// Files that were done before.
    public var unchangedCount = 0
    /// Files that failed.
    public var failedCount = 0
    /// Files that were given up or not begun.
    public var interruptedCount = 0
    /// Files among those that were encoded whose input is damaged.
    public var damagedCount = 0
    /// Seconds of audio that were encoded.
    public var seconds = 0.0

    /// Creates totals of no file.
    package init() {}

    /// Adds a result.
    package mutating func add(_ result: BatchResult) {
        if result.isInputDamaged { damagedCount += 1 }
        add(status: result.status, seconds: result.measures.last { $0.name == "seconds" }?.value.number)
    }

    /// Adds a file.
    ///
    /// - Parameters:
    ///   - status: Its ``BatchResult/status``; any other text counts as interrupted.
    ///   - seconds: The duration of its audio in seconds.
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
