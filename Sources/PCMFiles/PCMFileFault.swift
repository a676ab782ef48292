// SPDX-License-Identifier: Apache-2.0

package import AudioPrimitives

/// A fault of a file of PCM: the underlying error of an ``AudioFileError``.
///
/// A `reason` is the text of the library that reads the format.
package enum PCMFileFault: Error, Hashable, Sendable {
    /// The contents are in no format that can be read as PCM.
    case unrecognizedFormat(reason: String)
    /// The contents are not audio, but another kind of file, such as "a JPEG picture".
    case noAudio(kind: String)
    /// The file ends, or its header contradicts itself, before the first sample.
    case malformedHeader(field: String, value: Int)
    /// The samples can't be decoded from this sample frame on.
    case damaged(frame: Int, reason: String)
    /// The file format can't hold this sample format, sample rate or channel count.
    case unsupportedOutput(PCMOutputFormat)
    /// The file format is not written on this system.
    case notWrittenHere(AudioFileFormat)
    /// The samples are more than the file format can hold.
    case tooLong(AudioFileFormat)

    /// The code of the error.
    var code: AudioFileError.Code {
        switch self {
        case .unrecognizedFormat, .noAudio: .unsupportedInput(format: nil)
        case .malformedHeader, .damaged: .damagedInput
        case .unsupportedOutput, .notWrittenHere, .tooLong: .unsupportedContainer
        }
    }

    /// Whether the header is wrong.
    var isOfHeader: Bool { if case .malformedHeader = self { true } else { false } }

    /// Whether the file is not audio.
    var isNoAudio: Bool { if case .noAudio = self { true } else { false } }
}

extension PCMFileFault: DescribedError {
    /// The reason, as the end of a sentence.
    package var description: String {
        switch self {
        case .unrecognizedFormat(let reason): reason
        case .noAudio(let kind): "it is \(kind)"
        case .malformedHeader(field: "data chunk", let offset): "no data chunk up to byte \(offset)"
        case .malformedHeader(let field, let value): "\(field) is \(value)"
        case .damaged(let frame, let reason): "from sample frame \(frame) on: \(reason)"
        case .unsupportedOutput(let format) where format.file.isFLAC && format.channelCount > 8:
            "\(format.file.name) holds at most 8 channels, not \(format.channelCount)"
        case .unsupportedOutput(let format):
            "\(format.file.name) does not support \(format.encoding.rawValue) samples at \(format.sampleRate) Hz with \(format.channelCount) channels"
        case .notWrittenHere(let format): "\(format.name) is written on Linux only; WAV, AIFF and CAF are written everywhere"
        case .tooLong(let format): "it would exceed 4 GiB, the most that \(format.name) can hold; WAV, CAF and FLAC can hold more"
        }
    }
}

extension AudioFileError {
    /// Creates the error for a fault of a file of PCM.
    package init(_ fault: PCMFileFault, path: String) { self.init(fault.code, path: path, underlying: fault) }

    /// The fault, if it is one of a file of PCM.
    package var pcmFault: PCMFileFault? { underlyingError as? PCMFileFault }
}
