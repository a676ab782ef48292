// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

import AACCodec
import AudioContainers
import AudioDevices
import AudioFiles
import LiveAudio
import PCMFiles

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// An error as the user sees it: one line and an exit code.
struct CommandFailure: Error {
    /// The exit code of the program.
    var exitCode: ExitCode
    /// One line, without the program's name.
    var message: String

    /// Makes an error of the command itself.
    init(_ exitCode: ExitCode, _ message: String) {
        self.exitCode = exitCode
        self.message = message
    }

    /// Makes an error from any error of the libraries: their text, with a hint about the option that helps, and the exit code.
    init(_ error: any Error) {
        let code: ExitCode
        switch error {
        case let failure as CommandFailure:
            self = failure
            return
        case let error as FileEncodingError: code = Self.exitCode(error)
        case let error as PCMFileError: code = Self.exitCode(error)
        case let error as InputError: code = Self.exitCode(error)
        case let error as CodedFileError: code = Self.exitCode(error)
        case let error as FileDecodingError: code = Self.exitCode(error)
        case let error as OutputError: code = Self.exitCode(error)
        case is RemuxingError: code = .refusedSettings
        case is DeviceError: code = .noDevice
        case let error as LiveAudioError:
            guard let underlying = error.underlyingError else {
                code = .unwritableOutput
                break
            }
            self.init(underlying)
            return
        default: code = .failure
        }
        self.init(code, String(describing: error) + (Self.hint(for: error).map { "; " + $0 } ?? ""))
    }

    /// Returns the way out that an option of the program offers, if there is one.
    private static func hint(for error: any Error) -> String? {
        switch error {
        case FileEncodingError.output(let error): hint(for: error)
        case OutputError.exists: "--force overwrites it"
        case FileEncodingError.settings(_, .unsupportedSampleRate), FileEncodingError.settings(_, .unsupportedProfileRate):
            "--rate converts it"
        case FileEncodingError.loudspeakers: "--channels 1 mixes them"
        case FileEncodingError.signaling: "leave out --signaling, or write M4A, CAF or LOAS"
        case FileDecodingError.rearranged: "--keep-delay decodes it in the order of the file"
        default: nil
        }
    }

    /// Returns the exit code for an error of the encoder of files.
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

    /// Returns the exit code for an error of a PCM file.
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

    /// Returns the exit code for an error of an AAC file's bytes.
    private static func exitCode(_ error: InputError) -> ExitCode {
        switch error {
        case .cannotOpen, .cannotRead: .unreadableInput
        case .isFolder: .folderInput
        case .noAccessUnits: .unsuitableInput
        }
    }

    /// Returns the exit code for an error of an AAC file's container.
    private static func exitCode(_ error: CodedFileError) -> ExitCode {
        switch error {
        case .unsuitableFormat: .unsuitableInput
        case .container(_, .noAACAudio), .container(_, .unsupportedMultiplex): .unsupportedInput
        case .container: .damagedInput
        }
    }

    /// Returns the exit code for an error of the decoder of files.
    private static func exitCode(_ error: FileDecodingError) -> ExitCode {
        switch error {
        case .unsupported, .rearranged: .unsupportedInput
        case .noAccessUnits: .unsuitableInput
        case .nothingDecodable: .damagedInput
        case .rateChange: .failure
        }
    }

    /// Returns the exit code for an error of an output.
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
