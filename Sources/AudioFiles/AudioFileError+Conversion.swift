// SPDX-License-Identifier: Apache-2.0

internal import AACCodec
package import AudioContainers
internal import AudioConversion
internal import AudioLoudness
internal import OpusCodec
package import PCMFiles
package import SystemFiles
internal import SystemLibrary

// The errors of lower layers as errors of a file.
extension AudioFileError {
    /// Creates the error for a failed operation on an input.
    package init(reading path: String, _ error: SystemFileError) {
        let code: Code =
            switch error {
            case .cannotOpen(let code): .cannotOpen(systemCode: code)
            case .isDirectory: .inputIsDirectory
            case .cannotRead(let code): .cannotRead(systemCode: code)
            case .notSeekable: .notSeekable
            case .exists, .isInput, .interrupted: .cancelled
            case .cannotCreate(let code), .cannotWrite(let code): .cannotWrite(systemCode: code)
            }
        self.init(code, path: path)
    }

    /// Creates the error for a failed operation on an output.
    init(writing path: String, _ error: SystemFileError) {
        switch error {
        case .exists: self.init(.outputExists, path: path)
        case .isDirectory: self.init(.outputIsDirectory, path: path)
        case .isInput: self.init(.outputIsInput, path: path)
        case .interrupted: self.init(.interrupted, path: path)
        case .notSeekable: self.init(.notSeekable, path: path)
        case .cannotCreate(let code), .cannotOpen(let code):
            self.init(Self.diskCode(code) ?? .cannotCreate(systemCode: code), path: path)
        case .cannotWrite(let code), .cannotRead(let code):
            self.init(Self.diskCode(code) ?? .cannotWrite(systemCode: code), path: path)
        }
    }

    /// Creates the error for a write that failed with a value of `errno`.
    package init(writing path: String, systemCode: Int32) { self.init(writing: path, .cannotWrite(code: systemCode)) }

    /// The code for a value of `errno` that has one of its own.
    private static func diskCode(_ systemCode: Int32) -> Code? {
        switch systemCode {
        case ENOSPC, EDQUOT: .noSpace
        case EPIPE: .brokenPipe
        default: nil
        }
    }

    /// Creates the error for PCM that can't be read or converted; `path` stands in where the error has none.
    package init(_ error: PCMFileError, path: String) {
        let code: Code =
            switch error.code {
            case .cannotOpen(let code): .cannotOpen(systemCode: code)
            case .isDirectory: .inputIsDirectory
            case .unrecognizedFormat: .unsupportedInput(format: nil)
            case .libraryMissing(let library): .libraryMissing(library)
            case .malformedHeader, .damaged: .damagedInput
            case .cannotRead(let code): .cannotRead(systemCode: code)
            case .notSeekable: .notSeekable
            case .exists: .outputExists
            case .cannotCreate(let code): Self.diskCode(code) ?? .cannotCreate(systemCode: code)
            case .cannotWrite(let code): Self.diskCode(code) ?? .cannotWrite(systemCode: code)
            case .unsupportedSampleRates(let from, let to): .unsupportedSampleRates(from: from, to: to)
            case .tooLong, .unsupportedOutput: .unsupportedContainer
            case .resamplingFailed: .resamplingFailed
            case .unexpected: .unexpected
            }
        self.init(code, path: error.path ?? path, underlying: error)
    }

    /// Creates the error for a container that can't be read.
    package init(reading path: String, _ error: ContainerError) {
        switch error {
        case .inputFailed(let code): self.init(.cannotRead(systemCode: code), path: path)
        case .unsupportedCodec(let found): self.init(.unsupportedCodec(found), path: path, underlying: error)
        case .unsupportedMultiplex: self.init(.unsupportedStream, path: path, underlying: error)
        default: self.init(.damagedInput, path: path, underlying: error)
        }
    }

    /// Creates the error for a container that can't be written.
    package init(writing path: String, _ error: ContainerError) {
        guard case .outputFailed(let code) = error else {
            self.init(.unsupportedContainer, path: PathName.outputName(path), underlying: error)
            return
        }
        self.init(writing: PathName.outputName(path), .cannotWrite(code: code))
    }

    /// Creates the error for an input that can't be encoded with the error of its codec.
    private init(encoding path: String, _ error: any Error) {
        let isInvalidSample =
            switch error {
            case AACError.invalidSample, OpusError.invalidSample: true
            default: false
            }
        self.init(isInvalidSample ? .invalidSample : .unsupportedConfiguration, path: path, underlying: error)
    }

    /// Creates the error for a conversion that is not supported or failed.
    private init(converting path: String, _ error: AudioConversionError) {
        switch (error.code, error.underlying) {
        case (_, let underlying as PCMFileError) where underlying.isLibraryMissing: self.init(underlying, path: path)
        case (.unsupportedSampleRates(let from, let to), _): self.init(.unsupportedSampleRates(from: from, to: to), path: path)
        case (.rateConversionFailed, _): self.init(.resamplingFailed, path: path)
        case (_, let underlying?) where underlying is AACError || underlying is OpusError: self.init(encoding: path, underlying)
        default: self.init(.unsupportedConfiguration, path: path, underlying: error)
        }
    }

    /// Creates the error for a failed step from an input to an output; without one it is the input that failed.
    package init(_ error: any Error, input: String, output: String? = nil) {
        switch error {
        case let error as AudioFileError: self = error
        // A PCM error of the output names its path.
        case let error as PCMFileError: self.init(error, path: error.isOfOutput ? output ?? input : input)
        case let error as ContainerError:
            if let output { self.init(writing: output, error) } else { self.init(reading: input, error) }
        case let error as SystemFileError:
            if let output { self.init(writing: output, error) } else { self.init(reading: input, error) }
        case let error as AudioConversionError: self.init(converting: input, error)
        case is AACError, is OpusError: self.init(encoding: input, error)
        case let error as LoudnessError: self.init(.loudnessNotMeasurable, path: input, underlying: error)
        default: self.init(.unexpected, path: input, underlying: error)
        }
    }

    /// Runs a step from an input to an output, and makes errors of lower layers name the file.
    package static func attempt<Value>(_ input: String, output: String? = nil, _ step: () throws -> Value) throws(AudioFileError) -> Value {
        do { return try step() } catch { throw AudioFileError(error, input: input, output: output) }
    }

    /// The value of `errno` of a failed write, for ``ContainerError/outputFailed(code:)``.
    var systemCode: Int32 {
        switch code {
        case .noSpace: ENOSPC
        case .brokenPipe: EPIPE
        case .cannotWrite(let code), .cannotCreate(let code): code
        default: EIO
        }
    }
}

extension PCMFileError {
    /// Whether a library is missing.
    fileprivate var isLibraryMissing: Bool { if case .libraryMissing = code { true } else { false } }

    /// Whether the error is one of writing.
    fileprivate var isOfOutput: Bool {
        switch code {
        case .exists, .cannotCreate, .cannotWrite, .unsupportedOutput, .tooLong: true
        default: false
        }
    }
}
