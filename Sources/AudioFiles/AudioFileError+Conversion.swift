// SPDX-License-Identifier: Apache-2.0

internal import AACCodec
package import AudioContainers
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
            case .unrecognizedFormat, .unsupportedOutput: .unsupportedInput(format: nil)
            case .libraryMissing(let library): .libraryMissing(library)
            case .malformedHeader, .damaged: .damagedInput
            case .cannotRead(let code): .cannotRead(systemCode: code)
            case .notSeekable: .notSeekable
            case .exists: .outputExists
            case .cannotCreate(let code): Self.diskCode(code) ?? .cannotCreate(systemCode: code)
            case .cannotWrite(let code): Self.diskCode(code) ?? .cannotWrite(systemCode: code)
            case .unsupportedSampleRates(let from, let to): .unsupportedSampleRates(from: from, to: to)
            case .tooLong: .unsupportedContainer
            case .resamplingFailed: .resamplingFailed
            case .unexpected: .unexpected
            }
        self.init(code, path: error.path ?? path, underlying: error)
    }

    /// Creates the error for a container that can't be read.
    init(reading path: String, _ error: ContainerError) {
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

    /// Creates the error for an input that can't be encoded.
    init(encoding path: String, _ error: AACError) {
        if case .invalidSample = error {
            self.init(.invalidSample, path: path, underlying: error)
        } else {
            self.init(.unsupportedConfiguration, path: path, underlying: error)
        }
    }

    /// Creates the error for an input that can't be encoded as Opus.
    init(encoding path: String, _ error: OpusError) {
        if case .invalidSample = error {
            self.init(.invalidSample, path: path, underlying: error)
        } else {
            self.init(.unsupportedConfiguration, path: path, underlying: error)
        }
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
