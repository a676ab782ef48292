// SPDX-License-Identifier: Apache-2.0

internal import AudioContainers
internal import AudioPrimitives
package import PCMFiles
internal import SystemFiles

// The errors of lower layers as errors of a file.
extension AudioFileError {
    /// Creates the error for an input that can't be converted or encoded, with the error of the codec.
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

    /// Creates the error for a failed step from an input to an output; without one it is the input that failed.
    package init(_ error: any Error, input: String, output: String? = nil) {
        switch error {
        case let error as AudioFileError: self = error.named(input)
        case let error as ContainerError:
            if let output { self.init(writing: output, error) } else { self.init(reading: input, error) }
        case let error as SystemFileError:
            if let output { self.init(writing: output, error) } else { self.init(reading: input, error) }
        case let error as CodecError: self.init(encoding: input, error)
        default: self.init(.unexpected, path: input, underlying: error)
        }
    }

    /// Runs a step from an input to an output, and makes errors of lower layers name the file.
    package static func attempt<Value>(_ input: String, output: String? = nil, _ step: () throws -> Value) throws(AudioFileError) -> Value {
        do { return try step() } catch { throw AudioFileError(error, input: input, output: output) }
    }
}
