// SPDX-License-Identifier: Apache-2.0

package import AudioPrimitives

/// A fault of a PCM file: the underlying error of an ``AudioFileError``.
///
/// `reason` is the message of the library that reads the format.
package enum PCMFileFault: Error, Hashable, Sendable {
    /// The format is not supported as PCM.
    case unrecognizedFormat(reason: String)
    /// The contents are another kind of file, such as "a JPEG picture".
    case noAudio(kind: String)
    /// The file ends before the first sample, or its header is inconsistent.
    case malformedHeader(field: String, value: Int)
    /// The samples cannot be decoded from this sample frame.
    case damaged(frame: Int, reason: String)
    /// The file format does not support this sample encoding, sample rate or channel count.
    case unsupportedOutput(PCMOutputFormat)
    /// The file format cannot be written on this system.
    case notWrittenHere(AudioFileFormat)
    /// The samples exceed the maximum size of the file format.
    case tooLong(AudioFileFormat)

    var code: AudioFileError.Code {
        switch self {
        case .unrecognizedFormat, .noAudio: .unsupportedInput(format: nil)
        case .malformedHeader, .damaged: .damagedInput
        case .unsupportedOutput, .notWrittenHere, .tooLong: .unsupportedContainer
        }
    }

    /// Whether the header is invalid.
    var isOfHeader: Bool { if case .malformedHeader = self { true } else { false } }

    var isNoAudio: Bool { if case .noAudio = self { true } else { false } }
}

extension PCMFileFault: DescribedError {
    /// The reason, as the end of a message.
    package var description: String {
        switch self {
        case .unrecognizedFormat(let reason): reason
        case .noAudio(let kind): "it is \(kind)"
        case .malformedHeader(field: "data chunk", let offset): "no data chunk up to byte \(offset)"
        case .malformedHeader(field: "fmt chunk", let offset): "no fmt chunk before the data chunk at byte \(offset)"
        case .malformedHeader(field: "end of fmt chunk", let offset): "the file is cut off in the fmt chunk, at byte \(offset)"
        case .malformedHeader(field: "STREAMINFO", _): "no valid STREAMINFO block"
        case .malformedHeader(let field, let value): "\(field) is \(value)"
        case .damaged(let frame, let reason): "from sample frame \(frame): \(reason)"
        case .unsupportedOutput(let format) where format.file.isFLAC && format.channelCount > 8:
            "\(format.file.name) supports at most 8 channels, not \(format.channelCount); use WAV or CAF, or fewer channels"
        case .unsupportedOutput(let format):
            "\(format.file.name) does not support \(format.encoding.rawValue) samples at \(format.sampleRate) Hz with "
                + "\(format.channelCount) channel\(format.channelCount == 1 ? "" : "s")"
        case .notWrittenHere(let format): "writing \(format.name) is supported only on Linux; use WAV, AIFF or CAF"
        case .tooLong(let format): "it would exceed 4 GiB, the limit of \(format.name); use WAV, CAF or FLAC"
        }
    }
}

extension AudioFileError {
    package init(_ fault: PCMFileFault, path: String) { self.init(fault.code, path: path, underlying: fault) }

    package var pcmFault: PCMFileFault? { underlyingError as? PCMFileFault }
}
