// SPDX-License-Identifier: Apache-2.0

public import AudioPrimitives
public import PCMFiles
internal import SystemFiles

extension PCMBuffer {
    /// Reads a file of PCM or encoded audio in any supported format.
    ///
    /// ```swift
    /// let audio = try PCMBuffer(contentsOf: "song.m4a")
    /// let speech = try PCMBuffer(contentsOf: "talk.flac", sampleRate: 16_000, channelCount: 1, range: .seconds(60) ..< .seconds(90))
    /// ```
    ///
    /// The length is exact if the container signals the encoder's priming and padding, as M4A, CAF and Ogg do. Lost and damaged audio is
    /// concealed or silent, and reported to `warn`. ``AudioFile`` also counts it.
    ///
    /// - Parameters:
    ///   - path: The file's path, or `-` for standard input.
    ///   - sampleRate: The sample rate to convert to, in hertz, or `nil` for the file's.
    ///   - channelCount: The channel count to mix to, with default gains, or `nil` for the file's.
    ///   - range: The time range to read, exact to the sample frame, or `nil` for all.
    ///   - audioTrack: The audio track to read, or `nil` for the default one.
    ///   - warn: Called with each problem that did not prevent reading, such as lost frames.
    /// - Throws: ``/PCMFiles/AudioFileError`` if the file cannot be read, decoded or converted, or the range starts after its end.
    public init(
        contentsOf path: String, sampleRate: Int? = nil, channelCount: Int? = nil, range: Range<Duration>? = nil,
        audioTrack: AudioTrackChoice? = nil, warn: ((PCMFileWarning) -> Void)? = nil
    ) throws(AudioFileError) {
        try self.init(AudioFile(.file(path, audioTrack: audioTrack)), sampleRate, channelCount, range, warn)
    }

    /// Decodes a file in memory in any supported format.
    ///
    /// ```swift
    /// let audio = try PCMBuffer(decoding: bytes)
    /// ```
    ///
    /// - Parameters:
    ///   - bytes: All bytes of a file of PCM or encoded audio.
    ///   - sampleRate: The sample rate to convert to, in hertz, or `nil` for the file's.
    ///   - channelCount: The channel count to mix to, with default gains, or `nil` for the file's.
    ///   - range: The time range to decode, exact to the sample frame, or `nil` for all.
    ///   - audioTrack: The audio track to decode, or `nil` for the default one.
    ///   - warn: Called with each problem that did not prevent decoding, such as lost frames.
    /// - Throws: ``/PCMFiles/AudioFileError`` if the bytes cannot be decoded or converted, or the range starts after their end.
    public init(
        decoding bytes: [UInt8], sampleRate: Int? = nil, channelCount: Int? = nil, range: Range<Duration>? = nil,
        audioTrack: AudioTrackChoice? = nil, warn: ((PCMFileWarning) -> Void)? = nil
    ) throws(AudioFileError) {
        try self.init(AudioFile(.bytes(bytes, name: FileInput.memoryName, audioTrack: audioTrack)), sampleRate, channelCount, range, warn)
    }

    private init(
        _ file: AudioFile, _ sampleRate: Int?, _ channelCount: Int?, _ range: Range<Duration>?, _ warn: ((PCMFileWarning) -> Void)?
    ) throws(AudioFileError) {
        let channels = try file.samples(sampleRate: sampleRate, channelCount: channelCount, range: range)
        if let warn { file.warnings.forEach(warn) }
        self.init(channels: channels, sampleRate: sampleRate ?? file.sampleRate)
    }
}
