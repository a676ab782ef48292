// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

public import AudioPrimitives

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Darwin)
internal import Darwin
#endif

/// A library that is loaded when it is first needed.
public enum PCMLibrary: String, Hashable, Sendable {
    /// Reads and writes AIFF, CAF, FLAC and more.
    case sndfile = "libsndfile"
    /// Changes sample rates.
    case soxr = "libsoxr"
}

/// What goes wrong with a PCM file.
///
/// `code` is a number of `errno`, `reason` the words of the library that reads the format.
public enum PCMFileError: Error, Hashable, Sendable {
    /// The file can't be opened.
    case cannotOpen(path: String, code: Int32)
    /// The path names a folder.
    case isFolder(path: String)
    /// The content is in no format that can be read as PCM.
    case unrecognizedFormat(path: String, reason: String)
    /// The file takes a library that is not installed.
    case libraryMissing(path: String, library: PCMLibrary)
    /// The file breaks off, or its header contradicts itself, before the first sample.
    case malformedHeader(path: String, field: String, value: Int)
    /// Reading stopped with an error of the system.
    case cannotRead(path: String, code: Int32)
    /// The samples can't be decoded from this frame on.
    case damaged(path: String, frame: Int, reason: String)
    /// The input can only be read forwards.
    case notSeekable(path: String)
    /// The file can't be made or written.
    case cannotWrite(path: String, code: Int32)
    /// The format can't hold samples of this kind, rate or number of channels.
    case unsupportedOutput(path: String, format: PCMFileFormat, sampleFormat: SampleFormat, sampleRate: Int, channelCount: Int)
}

extension PCMFileError: CustomStringConvertible {
    /// One line: what could not be done to which file, and why.
    public var description: String {
        switch self {
        case .cannotOpen(let path, let code): "can't open \(path): \(Self.text(ofCode: code))"
        case .isFolder(let path): "\(path) is a folder, not a file"
        case .unrecognizedFormat(let path, let reason): "\(path) is no PCM file that can be read: \(reason)"
        case .libraryMissing(let path, let library): "\(path) takes \(library.rawValue), which is not installed"
        case .malformedHeader(let path, let field, let value): "the header of \(path) is damaged: \(field) is \(value)"
        case .cannotRead(let path, let code): "can't read \(path): \(Self.text(ofCode: code))"
        case .damaged(let path, let frame, let reason): "\(path) is damaged from frame \(frame) on: \(reason)"
        case .notSeekable(let path): "\(path) can only be read forwards"
        case .cannotWrite(let path, let code): "can't write \(path): \(Self.text(ofCode: code))"
        case .unsupportedOutput(let path, let format, let sampleFormat, let sampleRate, let channelCount):
            "can't write \(path): \(format) can't hold \(sampleFormat) at \(sampleRate) Hz in \(channelCount) channels"
        }
    }

    static func text(ofCode code: Int32) -> String { String(cString: strerror(code)) }
}
