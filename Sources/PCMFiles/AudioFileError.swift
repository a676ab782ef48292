// SPDX-License-Identifier: Apache-2.0

internal import AudioContainers
public import AudioPrimitives

/// An error of reading, writing, encoding, decoding, remuxing or inspecting a file.
///
/// Switch over ``code`` to handle an error. ``description`` is one line of English text.
public struct AudioFileError: Error {
    /// The kind of error.
    public let code: Code
    /// The file's path, `standard input` or `standard output` for `-`, or empty for audio in memory.
    public let path: String
    /// The codec, container or PCM error that caused this one, if any.
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
    /// The kind of error.
    ///
    /// A `systemCode` is a value of `errno`.
    public enum Code: Hashable, Sendable {
        // Input

        /// The input cannot be opened.
        case cannotOpen(systemCode: Int32)
        /// The input is a directory.
        case inputIsDirectory
        /// A read of the input failed.
        case cannotRead(systemCode: Int32)
        /// The input format is not supported. `format` is the detected one, if any.
        case unsupportedInput(format: AudioFileFormat?)
        /// The input has a known but unsupported format.
        case foreignInput(AudioFileFormat)
        /// The container's codec, identified by its four-character code, is not supported. `nil` if there is no audio.
        case unsupportedCodec(FourCharCode?)
        /// The chosen audio track does not exist, or has an unsupported codec. The tracks are all audio tracks of the input.
        case unavailableTrack(AudioTrackChoice, [AudioTrack])
        /// The input has no access unit.
        case noAccessUnits
        /// The input is damaged and cannot be read further.
        case damagedInput
        /// The edit list repeats or reorders parts of the input.
        case unsupportedEditList
        /// The input is not seekable.
        case notSeekable
        /// The operation needs a library that is not installed.
        case libraryMissing(PCMLibrary)
        /// The input has no loudness metadata, so its level cannot be adjusted to a target.
        case noStatedLoudness
        /// The sample rate, in hertz, or channel count of a file differs from the first file in a join.
        case differentFormat(sampleRate: Int, channelCount: Int)
        /// The codec configuration of a file differs from the first file in a join without decoding. Both are described in words.
        case differentCodec(found: String, expected: String)
        /// The requested time range starts after the end of the input, or is shorter than a sample frame.
        case emptyRange

        // Encoding, decoding, remuxing

        /// The encoder does not support the configuration.
        case unsupportedConfiguration
        /// The codec does not support the channel layout.
        case unsupportedChannelLayout(found: ChannelLayout, supported: ChannelLayout)
        /// The conversion between these sample rates, in hertz, is not supported.
        case unsupportedSampleRates(from: Int, to: Int)
        /// The sample rate conversion failed.
        case resamplingFailed
        /// A sample is infinite or not a number.
        case invalidSample
        /// The decoder does not support the stream.
        case unsupportedStream
        /// The stream changes its sample rate, in hertz, and cannot be converted to the initial one.
        case sampleRateChange(from: Int, to: Int)
        /// The stream changes its configuration at this access unit, but the output supports only one configuration.
        case configurationChange(accessUnit: Int)
        /// The gain cannot be changed without loss, for the reason in ``AudioFileError/underlyingError``.
        case gainNotPossible
        /// The stream cannot be recoded without loss, for the reason in ``AudioFileError/underlyingError``.
        case recodingNotPossible
        /// The container does not delimit access units; only a decoder can.
        case undelimitedAccessUnits

        // Container

        /// The output's extension does not belong to a supported container.
        case unknownExtension(String)
        /// The container does not support all of the tags.
        case unsupportedTags(AudioFileFormat)
        /// The file format does not support the codec.
        case codecNotStorable(OutputCodec, AudioFileFormat)
        /// The file format does not support all of the tags with these names.
        case tagsNotStorable([String], AudioFileFormat)
        /// The container cannot signal SBR and parametric stereo explicitly.
        case unsupportedSignaling(AudioFileFormat)
        /// The container does not support the stream.
        case unsupportedContainer
        /// The picture is in an unsupported format.
        case unsupportedPicture
        /// The cover picture is too large.
        case pictureTooLarge(maximumByteCount: Int)

        // Output

        /// The output file exists, and overwriting was not requested.
        case outputExists
        /// The output is a directory.
        case outputIsDirectory
        /// Input and output are the same file.
        case outputIsInput
        /// The output cannot be created.
        case cannotCreate(systemCode: Int32)
        /// The disk or the quota is full.
        case noSpace
        /// The reader closed the pipe.
        case brokenPipe
        /// A write to the output failed.
        case cannotWrite(systemCode: Int32)
        /// The program is terminating. Partial files were discarded, and no output can be created.
        case interrupted
        /// The caller stopped the operation.
        case cancelled

        /// A step failed with an undocumented error, ``AudioFileError/underlyingError``. This is a bug in Linnet.
        case unexpected
    }
}

extension Error {
    /// Whether another error has the same type and, if it is `Equatable`, the same value.
    package func isSame(as other: any Error) -> Bool {
        func isOther<Value: Equatable>(_ own: Value) -> Bool { other as? Value == own }
        if let own = self as? any Equatable { return isOther(own) }
        return type(of: other) == Self.self
    }
}
