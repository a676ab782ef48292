// SPDX-License-Identifier: Apache-2.0

public import AudioPrimitives
public import PCMFiles

extension PCMBuffer {
    /// Reads a file of PCM or of coded audio, whatever its format.
    ///
    /// ```swift
    /// let audio = try PCMBuffer(contentsOf: "song.m4a")
    /// let speech = try PCMBuffer(contentsOf: "talk.flac", sampleRate: 16_000, channelCount: 1, range: .seconds(60) ..< .seconds(90))
    /// ```
    ///
    /// The length is exact where the container tells the priming and padding of the encoder, as M4A, CAF and Ogg do. Lost and damaged
    /// audio is concealed or silent, and reported to `warn`; ``AudioFile`` also counts it.
    ///
    /// - Parameters:
    ///   - path: The file's path; `-` is standard input.
    ///   - sampleRate: The sample rate in hertz to convert to; nil for that of the file.
    ///   - channelCount: The number of channels to mix to, by the usual gains; nil for that of the file.
    ///   - range: The time range to read; nil for everything. It is exact to the sample frame.
    ///   - warn: Called with each problem that did not prevent reading, such as lost frames.
    /// - Throws: ``/PCMFiles/AudioFileError`` if the file can't be read, decoded or converted, or the range begins after its end.
    public init(
        contentsOf path: String, sampleRate: Int? = nil, channelCount: Int? = nil, range: Range<Duration>? = nil,
        warn: ((PCMFileWarning) -> Void)? = nil
    ) throws(AudioFileError) {
        try self.init(AudioFile(path: path), sampleRate, channelCount, range, warn)
    }

    /// Decodes a file in memory, whatever its format.
    ///
    /// ```swift
    /// let audio = try PCMBuffer(decoding: bytes)
    /// ```
    ///
    /// - Parameters:
    ///   - bytes: All bytes of the file: of a container of coded audio, or of PCM.
    ///   - sampleRate: The sample rate in hertz to convert to; nil for that of the file.
    ///   - channelCount: The number of channels to mix to, by the usual gains; nil for that of the file.
    ///   - range: The time range to decode; nil for everything. It is exact to the sample frame.
    ///   - warn: Called with each problem that did not prevent decoding, such as lost frames.
    /// - Throws: ``/PCMFiles/AudioFileError`` as for a file.
    public init(
        decoding bytes: [UInt8], sampleRate: Int? = nil, channelCount: Int? = nil, range: Range<Duration>? = nil,
        warn: ((PCMFileWarning) -> Void)? = nil
    ) throws(AudioFileError) {
        try self.init(AudioFile(bytes: bytes), sampleRate, channelCount, range, warn)
    }

    /// Reads an open file from its start.
    private init(
        _ file: AudioFile, _ sampleRate: Int?, _ channelCount: Int?, _ range: Range<Duration>?, _ warn: ((PCMFileWarning) -> Void)?
    ) throws(AudioFileError) {
        let channels = try file.samples(sampleRate: sampleRate, channelCount: channelCount, range: range)
        if let warn { file.warnings.forEach(warn) }
        self.init(channels: channels, sampleRate: sampleRate ?? file.sampleRate)
    }
}
