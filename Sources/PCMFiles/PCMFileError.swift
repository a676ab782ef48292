// SPDX-License-Identifier: Apache-2.0

public import AudioPrimitives
internal import SystemFiles

/// A library that is loaded when it is first needed.
public enum PCMLibrary: String, Hashable, Sendable {
    /// Reads and writes AIFF, CAF and more.
    case sndfile = "libsndfile"
    /// Reads and writes FLAC.
    case flac = "libFLAC"
    /// Reads MP3.
    case mpg123 = "libmpg123"
    /// Converts sample rates.
    case soxr = "libsoxr"

    /// The Debian package that has it.
    package var package: String {
        switch self {
        case .sndfile: "libsndfile1"
        case .flac: "libflac12"
        case .mpg123: "libmpg123-0"
        case .soxr: "libsoxr0"
        }
    }
}

/// Errors thrown when reading, writing or resampling PCM.
public struct PCMFileError: Error, Hashable, Sendable {
    /// The reason for an error.
    ///
    /// A `systemCode` is a value of `errno`; a `reason` is the text of the library that reads the format.
    public enum Code: Hashable, Sendable {
        /// The file can't be opened.
        case cannotOpen(systemCode: Int32)
        /// The path names a directory.
        case isDirectory
        /// The contents are in no format that can be read as PCM.
        case unrecognizedFormat(reason: String)
        /// The operation needs a library that is not installed.
        case libraryMissing(PCMLibrary)
        /// The file ends, or its header contradicts itself, before the first sample.
        case malformedHeader(field: String, value: Int)
        /// Reading failed with an error of the system.
        case cannotRead(systemCode: Int32)
        /// The samples can't be decoded from this sample frame on.
        case damaged(frame: Int, reason: String)
        /// The input can only be read forwards.
        case notSeekable
        /// A file with the output's name exists, and overwriting was not requested.
        case exists
        /// The file can't be created.
        case cannotCreate(systemCode: Int32)
        /// Writing failed with an error of the system.
        case cannotWrite(systemCode: Int32)
        /// The file format can't hold this sample format, sample rate or channel count.
        case unsupportedOutput(PCMOutputFormat)
        /// The samples are more than the file format can hold.
        case tooLong(PCMFileFormat)
        /// The conversion between these sample rates, in hertz, is not supported.
        case unsupportedSampleRates(from: Int, to: Int)
        /// The library that converts sample rates failed.
        case resamplingFailed
        /// A step failed with an error that it does not document: a defect of Linnet.
        case unexpected(description: String)
    }

    /// The reason for the error.
    public let code: Code
    /// The path of the file; nil for a ``Resampler``, which has none.
    public let path: String?

    /// Creates an error for a file.
    public init(_ code: Code, path: String? = nil) {
        self.code = code
        self.path = path
    }
}

extension PCMFileError: DescribedError {
    /// One line that names the file and the reason.
    public var description: String {
        let name = path ?? "the audio"
        return switch code {
        case .cannotOpen(let code): "can't open \(name): \(SystemFileError.text(ofCode: code))"
        case .isDirectory: "\(name) is a directory, not a file"
        case .unrecognizedFormat(let reason): "\(name) is not a supported PCM file: \(reason)"
        case .libraryMissing(let library):
            "\(name) needs \(library.rawValue), which is not installed; install the package \(library.package)"
        case .malformedHeader(let field, let value): "the header of \(name) is invalid: \(field) is \(value)"
        case .cannotRead(let code): "can't read \(name): \(SystemFileError.text(ofCode: code))"
        case .damaged(let frame, let reason): "\(name) is damaged from sample frame \(frame) on: \(reason)"
        case .notSeekable: "\(name) can only be read forwards"
        case .exists: "\(name) exists already"
        case .cannotCreate(let code): "can't create \(name): \(SystemFileError.text(ofCode: code))"
        case .cannotWrite(let code): "can't write \(name): \(SystemFileError.text(ofCode: code))"
        case .unsupportedOutput(let format):
            "can't write \(name): \(format.file) does not support \(format.encoding.rawValue) samples at \(format.sampleRate) Hz "
                + "with \(format.channelCount) channels"
        case .tooLong(let format):
            "can't write \(name): it would exceed 4 GiB, the most that \(format.rawValue.uppercased()) can hold; WAV, CAF and FLAC can hold more"
        case .unsupportedSampleRates(let from, let to):
            "can't convert \(name) from \(from) Hz to \(to) Hz" + RateStream.limitText(from)
        case .resamplingFailed: "can't convert the sample rate of \(name)"
        case .unexpected(let description): "unexpected error with \(name): \(description); please report it"
        }
    }
}

extension PCMFileError {
    /// Creates the error for a failed file operation.
    init(_ error: SystemFileError, path: String) {
        let code: Code =
            switch error {
            case .cannotOpen(let code): .cannotOpen(systemCode: code)
            case .isDirectory: .isDirectory
            case .cannotRead(let code): .cannotRead(systemCode: code)
            case .notSeekable: .notSeekable
            case .exists, .isInput: .exists
            case .cannotCreate(let code): .cannotCreate(systemCode: code)
            case .cannotWrite(let code): .cannotWrite(systemCode: code)
            case .interrupted: .cannotWrite(systemCode: SystemFileError.interruptedCode)
            }
        self.init(code, path: path)
    }

    /// Runs `body`, and makes errors of the system name the file.
    package static func naming<Value>(_ path: String, _ body: () throws -> Value) throws(PCMFileError) -> Value {
        do {
            return try body()
        } catch let error as PCMFileError {
            throw error
        } catch let error as SystemFileError {
            throw PCMFileError(error, path: path)
        } catch {
            throw PCMFileError(.unexpected(description: String(describing: error)), path: path)
        }
    }
}
