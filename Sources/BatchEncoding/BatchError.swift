// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives
internal import SystemFiles

package enum BatchError: Error, Hashable, Sendable {
    /// A file or folder cannot be read; `code` is a value of `errno`.
    case cannotRead(path: String, code: Int32)
    /// A file or folder cannot be created; `code` is a value of `errno`.
    case cannotCreate(path: String, code: Int32)
    /// Two inputs have the same output.
    case outputClaimed(output: String, input: String)
    /// The input changed during encoding.
    case inputChanged(path: String)
    /// The decoded output has an unexpected number of sample frames.
    case lengthDiffers(output: String, expected: Int, found: Int)
    case outputDamaged(output: String, unitCount: Int)
    /// The output's mean noise-to-mask ratio exceeds the limit; both in decibels.
    case noiseAboveLimit(output: String, found: Double, limit: Double)
    case invalidManifest(path: String, line: Int, problem: ManifestProblem)
    /// The file was aborted or not started because the batch was stopped.
    case interrupted
    /// The working folder of a cluster batch is missing, incomplete or damaged.
    case invalidPlan(path: String)
    /// A cluster program failed or is not installed.
    case programFailed(name: String, message: String)
}

extension BatchError: DescribedError {
    /// One line of English text.
    package var description: String {
        switch self {
        case .cannotRead(let path, let code): "cannot read \(path): \(SystemFileError.text(ofCode: code))"
        case .cannotCreate(let path, let code): "cannot create \(path): \(SystemFileError.text(ofCode: code))"
        case .outputClaimed(let output, let input): "\(output) is already the output of \(input)"
        case .inputChanged(let path): "\(path) changed during encoding"
        case .lengthDiffers(let output, let expected, let found): "\(output) decodes to \(found) frames, not \(expected)"
        case .outputDamaged(let output, let count): "\(output) has \(count) damaged access units"
        case .noiseAboveLimit(let output, let found, let limit):
            "the noise-to-mask ratio of \(output) is \(Self.decibels(found)), above the limit of \(Self.decibels(limit))"
        case .invalidManifest(let path, let line, let problem): "\(path), line \(line): \(problem)"
        case .interrupted: "interrupted"
        case .invalidPlan(let path): "\(path) is not a complete working folder of a batch"
        case .programFailed(let name, let message): "\(name): \(message)"
        }
    }

    private static func decibels(_ value: Double) -> String { "\((value * 10).rounded() / 10) dB" }
}
