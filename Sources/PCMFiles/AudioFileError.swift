// SPDX-License-Identifier: Apache-2.0

internal import AudioContainers
public import AudioPrimitives

/// Errors thrown when reading, writing, encoding, decoding, remuxing or inspecting a file.
///
/// Switch over ``code`` to handle an error; ``description`` is one line for people.
public struct AudioFileError: Error {
    /// The reason for the error.
    public let code: Code
    /// The path of the file concerned; `standard input` or `standard output` for `-`, empty for audio in memory.
    public let path: String
    /// The error of the codec, the container or the PCM file that caused this one, if there is one.
    public let underlyingError: (any Error)?

    /// Creates an error for a file.
    public init(_ code: Code, path: String, underlying: (any Error)? = nil) {
        self.code = code
        self.path = path
        underlyingError = underlying
    }
}

extension AudioFileError: Equatable {
    /// Whether two errors have the same code, path and underlying error.
    public static func == (left: AudioFileError, right: AudioFileError) -> Bool {
        guard left.code == right.code, left.path == right.path else { return false }
        guard let own = left.underlyingError, let other = right.underlyingError else {
            return left.underlyingError == nil && right.underlyingError == nil
        }
        return own.isSame(as: other)
    }
}

extension AudioFileError {
    /// The reason for an error.
    ///
    /// A `systemCode` is a value of `errno`.
    public enum Code: Hashable, Sendable {
        // Input

        /// The input can't be opened.
        case cannotOpen(systemCode: Int32)
        /// The input is a directory.
        case inputIsDirectory
        /// Reading the input failed.
        case cannotRead(systemCode: Int32)
        /// The input is not of a supported format; `format` names the one that was detected, if any.
        case unsupportedInput(format: AudioFileFormat?)
        /// The input has a format that is recognised, but not read.
        case foreignInput(AudioFileFormat)
        /// The container holds audio of an unsupported codec, named by its four-character code, or none.
        case unsupportedCodec(FourCharCode?)
        /// No access unit was found.
        case noAccessUnits
        /// The input is damaged, so that nothing more can be read.
        case damagedInput
        /// The edit list plays parts of the input repeatedly or in another order.
        case unsupportedEditList
        /// The input can only be read forwards.
        case notSeekable
        /// The operation needs a library that is not installed.
        case libraryMissing(PCMLibrary)
        /// The input states no loudness, so its level cannot be adjusted to a target.
        case noStatedLoudness
        /// A file has another sample rate, in hertz, or number of channels than the first one, which it is to be joined to.
        case differentFormat(sampleRate: Int, channelCount: Int)
        /// The requested time range lies after the end of the input.
        case emptyRange

        // Encoding, decoding, remuxing

        /// The encoder does not support the configuration.
        case unsupportedConfiguration
        /// No channel configuration of the codec has these speakers.
        case unsupportedChannelLayout(found: ChannelLayout, supported: ChannelLayout)
        /// The conversion between these sample rates, in hertz, is not supported.
        case unsupportedSampleRates(from: Int, to: Int)
        /// The sample rate converter failed.
        case resamplingFailed
        /// A sample is infinite or not a number.
        case invalidSample
        /// The decoder does not support the stream.
        case unsupportedStream
        /// The stream changes its sample rate, in hertz, and can't be converted back to the first one.
        case sampleRateChange(from: Int, to: Int)
        /// The stream changes its configuration at this access unit, and the output holds only one configuration.
        case configurationChange(accessUnit: Int)
        /// Only a decoder can find the ends of the access units.
        case undelimitedAccessUnits

        // Container

        /// The extension of the output's name stands for no supported container.
        case unknownExtension(String)
        /// The container can't hold all of the tags.
        case unsupportedTags(AudioFileFormat)
        /// The file format can't hold audio of the codec.
        case codecNotStorable(OutputCodec, AudioFileFormat)
        /// The file format can't hold all of the tags with these names.
        case tagsNotStorable([String], AudioFileFormat)
        /// The container can't signal SBR and parametric stereo explicitly.
        case unsupportedSignaling(AudioFileFormat)
        /// The container can't hold the stream.
        case unsupportedContainer
        /// The picture is neither JPEG nor PNG.
        case unsupportedPicture
        /// The picture has more bytes than a cover may have.
        case pictureTooLarge(maximumByteCount: Int)

        // Output

        /// A file with the output's name exists, and overwriting was not requested.
        case outputExists
        /// The output is a directory.
        case outputIsDirectory
        /// Input and output are the same file.
        case outputIsInput
        /// The output can't be created.
        case cannotCreate(systemCode: Int32)
        /// The disk or the quota is full.
        case noSpace
        /// The reader of the pipe has closed it.
        case brokenPipe
        /// Writing the output failed.
        case cannotWrite(systemCode: Int32)
        /// Partial files were discarded because the program ends: no output can be created any more.
        case interrupted
        /// The caller stopped the operation.
        case cancelled

        /// A step failed with an error that it does not document, which ``AudioFileError/underlyingError`` holds: a defect of Linnet.
        case unexpected
    }
}

extension Error {
    /// Returns whether another error is of the same type and, where that has an equality, the same value.
    package func isSame(as other: any Error) -> Bool {
        /// Returns whether the other error equals this one.
        func isOther<Value: Equatable>(_ own: Value) -> Bool { other as? Value == own }
        if let own = self as? any Equatable { return isOther(own) }
        return type(of: other) == Self.self
    }
}
