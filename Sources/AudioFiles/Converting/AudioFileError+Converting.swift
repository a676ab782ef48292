// SPDX-License-Identifier: Apache-2.0

internal import AACCodec
internal import AudioContainers
internal import AudioConversion
internal import AudioLoudness
internal import OpusCodec
internal import PCMFiles
internal import SystemFiles

// The errors of a conversion as errors of its files.
extension AudioFileError {
    /// Creates the error for a failed step of a conversion.
    init(converting paths: (input: String, output: String), _ error: any Error) {
        switch error {
        case let error as AudioFileError: self = error
        // A PCM error of the output names its path.
        case let error as PCMFileError where error.isOfOutput: self.init(writingPCM: error, path: paths.output)
        case let error as PCMFileError: self.init(error, path: paths.input)
        case let error as ContainerError: self.init(writing: paths.output, error)
        case let error as AudioConversionError: self.init(converting: paths.input, error)
        case let error as SystemFileError: self.init(writing: paths.output, error)
        case let error as LoudnessError: self.init(.loudnessNotMeasurable, path: paths.input, underlying: error)
        default: self.init(.unexpected, path: paths.input, underlying: error)
        }
    }

    /// Creates the error for a PCM file that can't be written.
    private init(writingPCM error: PCMFileError, path: String) {
        if case .unsupportedOutput = error.code {
            self.init(.unsupportedContainer, path: error.path ?? path, underlying: error)
        } else {
            self.init(error, path: path)
        }
    }

    /// Creates the error for a conversion that is not supported or failed.
    init(converting path: String, _ error: AudioConversionError) {
        if let underlying = error.underlying as? PCMFileError, case .libraryMissing = underlying.code {
            self.init(underlying, path: path)
            return
        }
        if let underlying = error.underlying as? AACError {
            self.init(encoding: path, underlying)
            return
        }
        switch (error.code, error.underlying) {
        case (.unsupportedSampleRates(let from, let to), _): self.init(.unsupportedSampleRates(from: from, to: to), path: path)
        case (.rateConversionFailed, _): self.init(.resamplingFailed, path: path)
        case (_, let underlying as OpusError):
            if case .invalidSample = underlying {
                self.init(.invalidSample, path: path, underlying: underlying)
            } else {
                self.init(.unsupportedConfiguration, path: path, underlying: underlying)
            }
        default: self.init(.unsupportedConfiguration, path: path, underlying: error)
        }
    }
}

extension PCMFileError {
    /// Whether the error is one of writing.
    fileprivate var isOfOutput: Bool {
        switch code {
        case .exists, .cannotCreate, .cannotWrite, .unsupportedOutput, .tooLong: true
        default: false
        }
    }
}
