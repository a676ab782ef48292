// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives
internal import SystemFiles

/// Errors of a batch that its parts, such as the encoder, don't have.
package enum BatchError: Error, Hashable, Sendable {
    /// A file or folder can't be read; `code` is a value of `errno`.
    case cannotRead(path: String, code: Int32)
    /// A file or folder can't be created; `code` is a value of `errno`.
    case cannotCreate(path: String, code: Int32)
    /// Two inputs would become the same output.
    case outputClaimed(output: String, input: String)
    /// The input was changed while it was encoded.
    case inputChanged(path: String)
    /// The decoded output has another number of sample frames.
    case lengthDiffers(output: String, expected: Int, found: Int)
    /// The decoder met damaged access units in the output.
    case outputDamaged(output: String, unitCount: Int)
    /// The mean noise-to-mask ratio of the output is above the limit; both in decibels.
    case noiseAboveLimit(output: String, found: Double, limit: Double)
    /// A manifest can't be understood.
    case invalidManifest(path: String, line: Int, problem: ManifestProblem)
    /// The file was begun and given up, or not begun, because the batch was stopped.
    case interrupted
    /// A working folder of a cluster's batch is missing, incomplete or damaged.
    case invalidPlan(path: String)
    /// A program of the cluster failed, or is not installed.
    case programFailed(name: String, message: String)
}

extension BatchError: DescribedError {
    /// One line for people.
    package var description: String {
        switch self {
        case .cannotRead(let path, let code): "cannot read \(path): \(SystemFileError.text(ofCode: code))"
        case .cannotCreate(let path, let code): "cannot create \(path): \(SystemFileError.text(ofCode: code))"
        case .outputClaimed(let output, let input): "\(input) becomes \(output) too"
        case .inputChanged(let path): "\(path) was changed while it was encoded"
        case .lengthDiffers(let output, let expected, let found): "\(output) decodes to \(found) frames, not \(expected)"
        case .outputDamaged(let output, let count): "\(output) has \(count) damaged access units"
        case .noiseAboveLimit(let output, let found, let limit):
            "the noise of \(output) is \(Self.decibels(found)) of what the signal masks, above the limit of \(Self.decibels(limit))"
        case .invalidManifest(let path, let line, let problem): "\(path), line \(line): \(problem)"
        case .interrupted: "interrupted"
        case .invalidPlan(let path): "\(path) is no complete working folder of a batch"
        case .programFailed(let name, let message): "\(name): \(message)"
        }
    }

    /// Returns a ratio with one decimal place.
    private static func decibels(_ value: Double) -> String { "\((value * 10).rounded() / 10) dB" }
}
