// SPDX-License-Identifier: Apache-2.0

internal import SystemFiles

// Formats that libraries decode, or the system.
#if canImport(CPCMLibraries)
internal import CPCMLibraries

extension PCMFileReader {
    /// Opens an Ogg file of several streams; nil if it is none.
    static func composedSource(_ input: FileInput) throws -> (any PCMFileSource)? {
        guard let links = try OggLinks(input), links.isComposed else { return nil }
        return try OggChainSource(input, links) { input, codec in
            if codec == .flac, let source = try flacSource(input, isOgg: true) { return source }
            guard let source = try SndfileSource(input) else {
                throw AudioFileError(.unrecognizedFormat(reason: "its stream of Ogg is damaged"), path: input.path)
            }
            return source
        }
    }

    /// Opens FLAC; nil without its library.
    static func flacSource(_ input: FileInput, isOgg: Bool, skippedByteCount: Int = 0) throws -> (any PCMFileSource)? {
        guard let library = linnet_flac_functions() else { return nil }
        return try FLACSource(isOgg ? OggFLACHeader.corrected(input) : input, isOgg: isOgg, skippedByteCount: skippedByteCount, library)
    }

    /// Opens MPEG audio at its first frame.
    static func mpegAudioSource(_ input: FileInput, _ start: MPEGAudioStart) throws -> any PCMFileSource {
        try MPEGAudioSource(input, start)
    }

    /// Opens another format; nil if the library does not recognise it.
    static func otherSource(_ input: FileInput) throws -> (any PCMFileSource)? { try SndfileSource(input) }
}
#elseif canImport(Darwin)
extension PCMFileReader {
    /// Returns nil: Ogg is not read in parts.
    static func composedSource(_ input: FileInput) throws -> (any PCMFileSource)? { nil }

    /// Opens FLAC; nil of FLAC in Ogg.
    static func flacSource(_ input: FileInput, isOgg: Bool, skippedByteCount: Int = 0) throws -> (any PCMFileSource)? {
        guard !isOgg else { return nil }
        guard let header = try FLACHeader(input), let source = try SystemFileSource(input, flac: header, skippedByteCount: skippedByteCount)
        else { throw AudioFileError(.unrecognizedFormat(reason: "the header of FLAC is damaged"), path: input.path) }
        return source
    }

    /// Opens MPEG audio at its first frame.
    static func mpegAudioSource(_ input: FileInput, _ start: MPEGAudioStart) throws -> any PCMFileSource {
        try MPEGAudioSource(input, start)
    }

    /// Opens another format; nil if the system does not recognise it.
    static func otherSource(_ input: FileInput) throws -> (any PCMFileSource)? {
        try input.seek(to: 0)
        _ = try input.skipID3v2Tags()
        if let source = try SystemFileSource(input) { return source }
        guard try OggLinks(input) != nil else { return nil }
        let reason = "Ogg is read on Linux only, but for Opus; ffmpeg -i \(input.path) -vn out.flac converts it to FLAC"
        throw AudioFileError(.unrecognizedFormat(reason: reason), path: input.path)
    }
}
#else
extension PCMFileReader {
    /// Returns nil: no library is there.
    static func composedSource(_ input: FileInput) throws -> (any PCMFileSource)? { nil }

    /// Throws an error.
    static func flacSource(_ input: FileInput, isOgg: Bool, skippedByteCount: Int = 0) throws -> (any PCMFileSource)? {
        throw unsupported(input)
    }

    /// Throws an error.
    static func mpegAudioSource(_ input: FileInput, _ start: MPEGAudioStart) throws -> any PCMFileSource { throw unsupported(input) }

    /// Throws an error.
    static func otherSource(_ input: FileInput) throws -> (any PCMFileSource)? { throw unsupported(input) }

    /// The error of all other formats.
    private static func unsupported(_ input: FileInput) -> AudioFileError {
        AudioFileError(.unrecognizedFormat(reason: "only WAV, AIFF, CAF and raw PCM are supported on this system"), path: input.path)
    }
}
#endif
