// SPDX-License-Identifier: Apache-2.0

internal import AudioContainers
internal import AudioPrimitives
package import PCMFiles
internal import SystemFiles

// Converts errors of lower layers to errors of a file.
extension AudioFileError {
    /// Creates the error for an input that cannot be converted or encoded.
    private init(encoding path: String, _ error: CodecError) {
        let code: Code =
            switch error {
            case .invalidSample: .invalidSample
            case .unsupportedSampleRates(let from, let to): .unsupportedSampleRates(from: from, to: to)
            case .rateConversionFailed: .resamplingFailed
            default: .unsupportedConfiguration
            }
        self.init(code, path: path, underlying: error)
    }

    /// Creates the error of a step from `input` to `output`; `nil` means that reading the input failed.
    package init(_ error: any Error, input: String, output: String? = nil) {
        switch error {
        case let error as AudioFileError: self = error.named(input)
        case let error as ContainerError:
            if let output { self.init(writing: output, error) } else { self.init(reading: input, error) }
        case let error as SystemFileError:
            if let output { self.init(writing: output, error) } else { self.init(reading: input, error) }
        case let error as RecodingProblem: self.init(.recodingNotPossible, path: input, underlying: error)
        case let error as CodecError: self.init(encoding: input, error)
        default: self.init(.unexpected, path: input, underlying: error)
        }
    }

    /// Runs a step from `input` to `output` and converts its errors.
    package static func attempt<Value>(_ input: String, output: String? = nil, _ step: () throws -> Value) throws(AudioFileError) -> Value {
        do { return try step() } catch { throw AudioFileError(error, input: input, output: output) }
    }
}
