// SPDX-License-Identifier: Apache-2.0

internal import AudioMetadata
internal import SystemFiles

// Formats decoded by libraries or the system.
#if canImport(CPCMLibraries)
internal import CPCMLibraries

extension PCMFileReader {
    /// Opens an Ogg file with several streams or without some of its pages, or returns `nil` for other files.
    ///
    /// - Parameter number: The number of the stream to read among the audio streams, from 1, or `nil` for the first supported one.
    static func composedSource(_ input: FileInput, audioTrack number: Int?) throws -> (any PCMFileSource)? {
        guard let links = try OggLinks(input, audioTrack: number), links.isComposed || links.unfinished != nil || links.hasLosses else {
            return nil
        }
        return try OggChainSource(input, links) { input, codec in
            if codec == .flac, let source = try flacSource(input, isOgg: true) { return source }
            guard let source = try SndfileSource(input) else {
                throw AudioFileError(.unrecognizedFormat(reason: "its Ogg stream is damaged"), path: input.path)
            }
            return source
        }
    }

    /// Opens FLAC, or returns `nil` if libFLAC is not installed.
    static func flacSource(_ input: FileInput, isOgg: Bool, skippedByteCount: Int = 0) throws -> (any PCMFileSource)? {
        guard let library = linnet_flac_functions() else { return nil }
        return try FLACSource(isOgg ? OggFLACHeader.corrected(input) : input, isOgg: isOgg, skippedByteCount: skippedByteCount, library)
    }

    static func mpegAudioSource(_ input: FileInput, _ start: MPEGAudioStart, tags: AudioTags = AudioTags()) throws -> any PCMFileSource {
        try MPEGAudioSource(input, start, tags: tags)
    }

    /// Opens another format, or returns `nil` if libsndfile does not recognize it.
    static func otherSource(_ input: FileInput) throws -> (any PCMFileSource)? { try SndfileSource(input) }
}
#elseif canImport(Darwin)
extension PCMFileReader {
    /// Returns `nil`, because Ogg is not supported.
    static func composedSource(_ input: FileInput, audioTrack: Int?) throws -> (any PCMFileSource)? { nil }

    /// Opens FLAC, or returns `nil` for Ogg FLAC.
    static func flacSource(_ input: FileInput, isOgg: Bool, skippedByteCount: Int = 0) throws -> (any PCMFileSource)? {
        guard !isOgg else { return nil }
        guard let header = try FLACHeader(input), let source = try SystemFileSource(input, flac: header, skippedByteCount: skippedByteCount)
        else { throw AudioFileError(.malformedHeader(field: "STREAMINFO", value: 0), path: input.path) }
        return source
    }

    static func mpegAudioSource(_ input: FileInput, _ start: MPEGAudioStart, tags: AudioTags = AudioTags()) throws -> any PCMFileSource {
        try MPEGAudioSource(input, start, tags: tags)
    }

    /// Opens another format, or returns `nil` if the system does not recognize it.
    static func otherSource(_ input: FileInput) throws -> (any PCMFileSource)? {
        try input.seek(to: 0)
        _ = try input.skipID3v2Tags()
        if let source = try SystemFileSource(input) { return source }
        guard try OggLinks(input) != nil else { return nil }
        let reason = "Ogg other than Opus is supported only on Linux; \(AudioFileError.conversionAdvice(input.path))"
        throw AudioFileError(.unrecognizedFormat(reason: reason), path: input.path)
    }
}
#else
extension PCMFileReader {
    /// Returns `nil`, because there is no library.
    static func composedSource(_ input: FileInput, audioTrack: Int?) throws -> (any PCMFileSource)? { nil }

    static func flacSource(_ input: FileInput, isOgg: Bool, skippedByteCount: Int = 0) throws -> (any PCMFileSource)? {
        throw unsupported(input)
    }

    static func mpegAudioSource(_ input: FileInput, _ start: MPEGAudioStart, tags: AudioTags = AudioTags()) throws -> any PCMFileSource {
        throw unsupported(input)
    }

    static func otherSource(_ input: FileInput) throws -> (any PCMFileSource)? { throw unsupported(input) }

    /// Returns the error for all other formats.
    private static func unsupported(_ input: FileInput) -> AudioFileError {
        AudioFileError(.unrecognizedFormat(reason: "only WAV, AIFF, CAF and raw PCM are supported on this system"), path: input.path)
    }
}
#endif
