// SPDX-License-Identifier: Apache-2.0

import AACCodec
import AudioContainers
import AudioDevices
import AudioFiles
import AudioLoudness
internal import AudioPrimitives
import BatchEncoding
import LiveAudio
import LiveStreaming
import OpusCodec
import PCMFiles
internal import SystemLibrary

/// An error for users: one line and an exit code.
package struct CommandFailure: Error {
    var exitCode: ExitCode
    /// One line, without the program's name.
    var message: String

    init(_ exitCode: ExitCode, _ message: String) {
        self.exitCode = exitCode
        self.message = message
    }

    /// Creates an error from a library error: its text with a hint, and the exit code.
    init(_ error: any Error) {
        let code: ExitCode
        switch error {
        case let failure as CommandFailure:
            self = failure
            return
        case _ where Self.isLibraryMissing(error): code = .libraryMissing
        case let error as AudioFileError: code = Self.isDamage(error.underlyingError) ? .damagedInput : Self.exitCode(error.code)
        case let error as BatchError: code = Self.exitCode(error)
        case let error as StreamingError: code = Self.exitCode(error)
        case is CodecError: code = .refusedSettings
        case DeviceError.sinkFailed(let name, let underlying as ContainerError):
            let hint = Self.hint(for: underlying).map { "; " + $0 } ?? ""
            self.init(.refusedSettings, "cannot write \(name): \(underlying)" + hint)
            return
        case let error as DeviceError:
            if let underlying = error.underlyingError {
                self.init(underlying)
                return
            }
            code = Self.exitCode(error)
        default: code = .failure
        }
        self.init(code, Self.text(error))
    }

    /// Returns the text of a library error with a hint, which replaces the library's advice to use another program.
    private static func text(_ error: any Error) -> String {
        let hint = hint(for: error).map { "; " + $0 } ?? ""
        if !hint.isEmpty, let error = error as? AudioFileError, case .unsupportedCodec(let codec?) = error.code {
            return "unsupported codec '\(codec.codecName)' in \(error.path)" + hint
        }
        return String(describing: error) + hint
    }

    private static func isLibraryMissing(_ error: any Error) -> Bool {
        switch error {
        case CodecError.libraryMissing, DeviceError.libraryMissing, DeviceError.echoCancellerMissing: true
        case DeviceError.noBackend(let errors): !errors.isEmpty && errors.allSatisfy(isLibraryMissing)
        case let error as AudioFileError: error.isLibraryMissing || error.underlyingError.map(isLibraryMissing) ?? false
        case let error as DeviceError: error.underlyingError.map(isLibraryMissing) ?? false
        default: false
        }
    }

    /// Returns a hint about an option or command that helps, if any.
    private static func hint(for error: any Error) -> String? {
        if case DeviceError.voiceProcessingUnavailable = error { return "use --echo-cancel" }
        guard let error = error as? AudioFileError else { return nil }
        switch error.code {
        case .gainNotPossible: return (error.underlyingError as? GainProblem).flatMap(hint(for:))
        case .recodingNotPossible: return (error.underlyingError as? RecodingProblem).flatMap(hint(for:))
        case .unsupportedInput, .unsupportedCodec:
            return (try? PCMFileReader.opening(error.path, raw: nil)) == nil ? nil : "linnet convert reads it"
        case .cannotOpen where error.path.hasPrefix("file://"): return "write paths without file://"
        case .cannotOpen where error.path.contains("://"): return "linnet does not read addresses; use curl -s ADDRESS | linnet COMMAND -"
        case .outputExists: return "--force overwrites it"
        case .notSeekable: return "write it to a file first"
        case .cannotWrite(systemCode: ESPIPE): return "this format needs a file; pipes and devices take WAV, FLAC and raw PCM"
        case .noStatedLoudness: return "linnet convert --normalize measures it"
        case .differentFormat(let rate, let count): return "--rate \(rate) --channels \(count) converts all files to one format"
        case .differentCodec: return "linnet convert --join decodes and encodes"
        case .unsupportedChannelLayout: return mixingHint
        case .unsupportedSignaling: return "omit --signaling, or write M4A, CAF or LOAS"
        case .unsupportedEditList: return "linnet decode --keep-delay decodes in file order"
        case .invalidSample where error.underlyingError is CodecError: return "--silence-invalid encodes such samples as silence"
        case .unknownExtension: return "--format selects one for any name"
        case .tagsNotStorable(let names, _) where names.contains("chapters"): return "or omit --chapters"
        case .unsupportedContainer: return (error.underlyingError as? ContainerError).flatMap(hint(for:))
        case .unsupportedConfiguration:
            switch error.underlyingError {
            case CodecError.unsupportedSampleRate?, CodecError.unsupportedProfileRate?: return "--rate converts to one of these"
            case CodecError.unsupportedChannelCount(7, _)?: return "7 channels need the layout 6.1 in the header of the input"
            case CodecError.unsupportedChannelCount?: return mixingHint
            case is UnknownLoudness: return "use --stated-loudness, such as -16LUFS"
            case CodecError.unsupportedPeakBitRate?: return "use a higher --peak-bitrate or a lower --bitrate"
            case CodecError.rateGroupTooShort?: return "use a higher --dab or a smaller --dab-pad"
            default: return nil
            }
        default: return nil
        }
    }

    /// Returns a hint about a gain without encoding, if any.
    private static func hint(for problem: GainProblem) -> String? {
        switch problem {
        case _ where problem.isContainerUnsuitable: "copy the audio to M4A, CAF, ADTS or LOAS with linnet remux"
        case .container, .codec: "use linnet convert --gain"
        case .damaged: "use linnet convert --gain, which conceals it"
        case .highBandOutOfRange: "--approximate lets these deviate"
        case .changedFile: "use --gain with the opposite gain"
        case .noPlaceForRecord: "copy it with linnet remux first"
        default: nil
        }
    }

    /// Returns a hint about recoding without loss, if any.
    private static func hint(for problem: RecodingProblem) -> String? {
        switch problem {
        case .tool(.noiseSubstitution, _): "encode the original with --no-noise-substitution"
        case .tool(.intensityStereo, _): "use linnet encode ORIGINAL --profile xhe"
        case .unknownLoudness: "state it with --stated-loudness, such as -16LUFS"
        default: nil
        }
    }

    /// The hint about channels that the output does not support.
    private static let mixingHint = "--channels 2 mixes them; linnet convert --channel-map assigns them"

    /// Returns a hint about an output that cannot be written, if any.
    private static func hint(for error: ContainerError) -> String? {
        switch error {
        case .sinkCannotOverwrite: "ADTS, LOAS, M4A, MPEG-TS and Opus can"
        case .outputGainNotStorable: "copy it to M4A or Ogg Opus, or apply the gain with linnet convert"
        case .unsupportedFrameLength(_, let allowed) where allowed == [960]: "encode for DAB+ with --dab RATE, such as --dab 64k"
        default: nil
        }
    }

    /// Whether an access unit cannot be copied because it is damaged.
    private static func isDamage(_ error: (any Error)?) -> Bool {
        switch error {
        case GainProblem.damaged?, RecodingProblem.damaged?: true
        default: false
        }
    }

    private static func exitCode(_ code: AudioFileError.Code) -> ExitCode {
        switch code {
        case .cannotOpen, .cannotRead: .unreadableInput
        case .inputIsDirectory: .folderInput
        case .unsupportedInput, .foreignInput, .noAccessUnits, .notSeekable, .unsupportedPicture, .pictureTooLarge: .unsuitableInput
        case .unsupportedCodec, .unsupportedEditList, .unsupportedStream: .unsupportedInput
        case .damagedInput, .invalidSample: .damagedInput
        case .unavailableTrack(let choice, let tracks): choice.track(in: tracks) == nil ? .refusedSettings : .unsupportedInput
        case .libraryMissing: .libraryMissing
        case .resamplingFailed, .sampleRateChange, .unexpected: .failure
        case .emptyRange, .noStatedLoudness, .differentFormat, .differentCodec, .unsupportedConfiguration, .unsupportedChannelLayout,
            .unsupportedSampleRates,
            .configurationChange, .undelimitedAccessUnits, .unknownExtension, .unsupportedTags, .unsupportedSignaling,
            .unsupportedContainer, .codecNotStorable, .tagsNotStorable, .gainNotPossible, .recodingNotPossible:
            .refusedSettings
        case .outputExists: .outputExists
        case .outputIsDirectory, .outputIsInput, .cannotCreate, .cannotWrite: .unwritableOutput
        case .noSpace: .noSpace
        case .brokenPipe: .brokenPipe
        case .interrupted, .cancelled: .interrupted
        }
    }

    private static func exitCode(_ error: BatchError) -> ExitCode {
        switch error {
        case .programFailed: .failure
        case .cannotRead, .invalidPlan: .unreadableInput
        case .cannotCreate(_, let code): code == ENOSPC ? .noSpace : .unwritableOutput
        case .outputClaimed, .invalidManifest: .usage
        case .inputChanged, .lengthDiffers, .outputDamaged, .noiseAboveLimit: .damagedInput
        case .interrupted: .interrupted
        }
    }

    private static func exitCode(_ error: DeviceError) -> ExitCode {
        switch error {
        case .file(_, EISDIR): .folderInput
        case .file: .unreadableInput
        case .notRecording, .unsupportedFileExtension, .sinkTooSlow, .sinkTimedOut: .unwritableOutput
        default: .noDevice
        }
    }

    private static func exitCode(_ error: StreamingError) -> ExitCode {
        switch error {
        case .invalidAddress: .usage
        case .hostNotFound, .timedOut, .closedByPeer, .connectionFailed, .aborted, .notStarted, .destinationFailed, .untrustedCertificate,
            .encryptionFailed, .rejected, .protocolViolation:
            .serverFailed
        case .libraryMissing: .libraryMissing
        case .unsupportedFormat: .refusedSettings
        case .cannotRead: .unreadableInput
        case .sessionDescription: .unsuitableInput
        case .cannotWrite(_, let code): code == ENOSPC ? .noSpace : .unwritableOutput
        }
    }
}
