// SPDX-License-Identifier: Apache-2.0

internal import AudioContainers
internal import AudioConversion
internal import AudioPrimitives
package import PCMFiles
internal import SystemFiles

// The errors of lower layers as errors of a file.
extension AudioFileError {
    /// Creates the error for an input that can't be encoded with the error of its codec.
    private init(encoding path: String, _ error: CodecError) {
        let code: Code =
            switch error {
            case .invalidSample: .invalidSample
            case .unsupportedLoudnessFormat, .libraryMissing(.loudness), .libraryFailed(.loudness, _): .loudnessNotMeasurable
            default: .unsupportedConfiguration
            }
        self.init(code, path: path, underlying: error)
    }

    /// Creates the error for a conversion that is not supported or failed.
    private init(converting path: String, _ error: AudioConversionError) {
        switch (error.code, error.underlying) {
        case (_, let underlying as AudioFileError) where underlying.isLibraryMissing: self = underlying.named(path)
        case (.unsupportedSampleRates(let from, let to), _): self.init(.unsupportedSampleRates(from: from, to: to), path: path)
        case (.rateConversionFailed, _): self.init(.resamplingFailed, path: path)
        case (_, let underlying as CodecError): self.init(encoding: path, underlying)
        default: self.init(.unsupportedConfiguration, path: path, underlying: error)
        }
    }

    /// Creates the error for a failed step from an input to an output; without one it is the input that failed.
    package init(_ error: any Error, input: String, output: String? = nil) {
        switch error {
        case let error as AudioFileError: self = error.named(input)
        case let error as ContainerError:
            if let output { self.init(writing: output, error) } else { self.init(reading: input, error) }
        case let error as SystemFileError:
            if let output { self.init(writing: output, error) } else { self.init(reading: input, error) }
        case let error as AudioConversionError: self.init(converting: input, error)
        case let error as CodecError: self.init(encoding: input, error)
        default: self.init(.unexpected, path: input, underlying: error)
        }
    }

    /// Runs a step from an input to an output, and makes errors of lower layers name the file.
    package static func attempt<Value>(_ input: String, output: String? = nil, _ step: () throws -> Value) throws(AudioFileError) -> Value {
        do { return try step() } catch { throw AudioFileError(error, input: input, output: output) }
    }
}
