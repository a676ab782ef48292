// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

import AACCodec
import AudioContainers
import AudioDevices
import AudioFiles
import PCMFiles

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// An error as the user meets it: one line and an exit code.
struct CommandFailure: Error {
    var exitCode: ExitCode
    var message: String

    init(_ exitCode: ExitCode, _ message: String) {
        self.exitCode = exitCode
        self.message = message
    }

    /// The words and the code for any error of the modules below.
    init(_ error: any Error) {
        switch error {
        case let failure as CommandFailure: self = failure
        case let error as FileEncodingError: self.init(Self.exitCode(error), error.description)
        case let error as PCMFileError: self.init(Self.exitCode(error), error.description)
        case let error as InputError: self.init(Self.exitCode(error), error.description)
        case let error as CodedFileError: self.init(Self.exitCode(error), error.description)
        case let error as FileDecodingError: self.init(Self.exitCode(error), error.description)
        case let error as OutputError: self.init(Self.exitCode(error), error.description)
        case let error as DeviceError: self.init(.noDevice, error.description)
        default: self.init(.failure, String(describing: error))
        }
    }

    private static func exitCode(_ error: FileEncodingError) -> ExitCode {
        switch error {
        case .input(let error): exitCode(error)
        case .settings, .loudspeakers, .sampleRates, .tags, .signaling, .container: .refusedSettings
        case .resampling: .failure
        case .samples: .damagedInput
        case .output(let error): exitCode(error)
        case .cancelled: .interrupted
        }
    }

    private static func exitCode(_ error: PCMFileError) -> ExitCode {
        switch error {
        case .cannotOpen, .cannotRead: .unreadableInput
        case .isFolder: .folderInput
        case .unrecognizedFormat, .notSeekable: .unsuitableInput
        case .malformedHeader, .damaged: .damagedInput
        case .cannotWrite(_, let code): code == ENOSPC ? .noSpace : .unwritableOutput
        case .unsupportedOutput: .refusedSettings
        case .libraryMissing: .failure
        }
    }

    private static func exitCode(_ error: InputError) -> ExitCode {
        switch error {
        case .cannotOpen, .cannotRead: .unreadableInput
        case .isFolder: .folderInput
        case .noAccessUnits: .unsuitableInput
        }
    }

    private static func exitCode(_ error: CodedFileError) -> ExitCode {
        switch error {
        case .unsuitableFormat: .unsuitableInput
        case .container: .damagedInput
        }
    }

    private static func exitCode(_ error: FileDecodingError) -> ExitCode {
        switch error {
        case .unsupported, .noAccessUnits: .unsuitableInput
        case .nothingDecodable: .damagedInput
        case .rearranged: .unsuitableInput
        case .rateChange: .failure
        }
    }

    private static func exitCode(_ error: OutputError) -> ExitCode {
        switch error {
        case .exists: .outputExists
        case .isFolder, .isInput, .cannotCreate, .cannotWrite: .unwritableOutput
        case .noSpace: .noSpace
        case .readerGone: .readerGone
        case .interrupted: .interrupted
        }
    }
}
