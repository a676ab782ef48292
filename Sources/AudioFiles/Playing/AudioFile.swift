// SPDX-License-Identifier: Apache-2.0

internal import AudioConversion
public import AudioPrimitives
public import PCMFiles
internal import SystemFiles

/// A file of PCM or encoded audio in any supported format, read as samples.
///
/// ```swift
/// let file = try AudioFile(path: "song.m4a")
/// var buffer = PCMBuffer(sampleRate: file.sampleRate, channelCount: file.channelCount, frameCapacity: 4096)
/// while try file.read(into: &buffer) { play(buffer) }
/// ```
///
/// The format is detected from the first bytes, never from the name. For encoded audio, the encoder's priming and padding are removed, and
/// damaged access units are concealed and counted in ``statistics``. A stream that changes its sample rate or channels is converted to its
/// initial format. Use a file from one thread at a time. To read a whole file in one call, use ``/AudioPrimitives/PCMBuffer``.
public final class AudioFile: PlayableSource {
    private let input: FileInput
    private let reader: PCMFileReader
    /// The encoded file, if it is one, and its replacement for more than 24 bits.
    private let coded: CodedAudioFile?
    private let lossless: LosslessPCMSource?

    /// Opens a file of PCM or encoded audio.
    ///
    /// - Parameters:
    ///   - path: The file's path, or `-` for standard input.
    ///   - raw: The format of headerless PCM, or `nil` to detect the format.
    ///   - decoding: The part of encoded audio to decode, and how.
    /// - Throws: ``/PCMFiles/AudioFileError`` if the file cannot be read, or has no supported audio.
    public convenience init(
        path: String, raw: AudioFormat? = nil, decoding: FileDecoderConfiguration = FileDecoderConfiguration()
    ) throws(AudioFileError) {
        try self.init(try FileInput(opening: path), raw: raw, decoding)
    }

    /// Opens a file in memory.
    ///
    /// - Parameters:
    ///   - bytes: All bytes of the file.
    ///   - raw: The format of headerless PCM, or `nil` to detect the format.
    ///   - decoding: The part of encoded audio to decode, and how.
    /// - Throws: ``/PCMFiles/AudioFileError`` if the bytes have no supported audio.
    public convenience init(
        bytes: [UInt8], raw: AudioFormat? = nil, decoding: FileDecoderConfiguration = FileDecoderConfiguration()
    ) throws(AudioFileError) {
        try self.init(FileInput(bytes: bytes), raw: raw, decoding)
    }

    /// Opens a file on disk or in memory.
    ///
    /// - Parameter range: The time range of encoded audio to read, or `nil` for all.
    /// - Throws: ``/PCMFiles/AudioFileError`` if it cannot be read, or has no supported audio.
    package convenience init(_ input: AudioFileInput, range: Range<Duration>? = nil) throws(AudioFileError) {
        var decoding = FileDecoderConfiguration()
        decoding.audioTrack = input.audioTrack
        decoding.range = range
        try self.init(input.open(), raw: nil, decoding)
    }

    private init(
        _ input: FileInput, raw: AudioFormat?, _ decoding: FileDecoderConfiguration
    ) throws(AudioFileError) {
        self.input = input
        let coded = try raw == nil ? CodedAudioFile.opening(input, decoding) : nil
        guard coded != nil || decoding.loudness == nil else { throw AudioFileError(.noStatedLoudness, path: input.path) }
        self.coded = coded
        (reader, lossless) = try AudioFileError.attempt(input.path) {
            if let coded {
                try PCMFileReader.decoding(coded)
            } else {
                (try PCMFileReader.reading(input, raw: raw, audioTrack: decoding.audioTrack), nil)
            }
        }
    }

    /// The format, length, tags and tracks of the file, if known before reading it.
    public var properties: PCMFileProperties { reader.properties }
    /// The encoding that represents all samples without loss: the file's for WAV and headerless PCM, otherwise a little-endian one.
    public var encoding: SampleEncoding { reader.encoding }
    /// Decoding statistics since the latest seek.
    ///
    /// All zero for PCM.
    public var statistics: DecodingStatistics { lossless?.statistics ?? coded?.statistics ?? DecodingStatistics() }

    /// The sample rate, in hertz.
    public var sampleRate: Int { reader.properties.sampleRate }
    /// The channel count.
    public var channelCount: Int { reader.properties.channelCount }
    /// The channel layout, or `nil` if unknown.
    public var channelLayout: ChannelLayout? { reader.properties.channelLayout }
    /// The number of sample frames, or `nil` if unknown.
    public var frameCount: Int? { reader.properties.frameCount }
    /// Recoverable problems of the file, such as damage.
    ///
    /// Complete after everything is read.
    public var warnings: [PCMFileWarning] { reader.warnings }
    /// The index of the next sample frame to read.
    public var position: Int { reader.position }

    /// Reads the next sample frames into `buffer`, which must have the file's channel count.
    ///
    /// It is empty at the end.
    ///
    /// - Returns: False at the end.
    /// - Throws: ``/PCMFiles/AudioFileError`` if the file cannot be read or decoded.
    @discardableResult
    public func read(into buffer: inout PCMBuffer) throws(AudioFileError) -> Bool {
        try reader.read(into: &buffer)
        return buffer.frameCount > 0
    }

    /// Reads the next sample frames as interleaved bytes in ``encoding``, without loss.
    ///
    /// - Parameters:
    ///   - frameCount: The number of frames to read. Memory for all of them is allocated, and fewer are read only at the end.
    ///   - bytes: The array to replace.
    /// - Returns: False at the end.
    /// - Throws: ``/PCMFiles/AudioFileError`` if the file cannot be read or decoded.
    @discardableResult
    public func read(_ frameCount: Int, into bytes: inout [UInt8]) throws(AudioFileError) -> Bool {
        try reader.read(max(0, frameCount), into: &bytes)
        return !bytes.isEmpty
    }

    /// Whether ``seek(toFrame:)`` is supported.
    ///
    /// False for pipes.
    public var canSeek: Bool { reader.canSeek && (frameCount != nil || coded != nil) }

    /// Moves to a sample frame, at most to the end.
    ///
    /// Requires ``canSeek``. Without a ``frameCount`` the end is unknown: ``position`` can then be after it, where nothing can be read.
    ///
    /// - Throws: ``/PCMFiles/AudioFileError`` if the file cannot be read or is not seekable.
    public func seek(toFrame frame: Int) throws(AudioFileError) {
        guard canSeek else { throw AudioFileError(.notSeekable, path: input.path) }
        try reader.seek(toFrame: max(0, min(frame, frameCount ?? .max)))
    }

    /// The number of sample frames to read at a time, and the maximum number to allocate in advance.
    private static let (readFrames, maximumReservation) = (65_536, 1 << 20)

    /// Reads the file from its start.
    ///
    /// - Parameters:
    ///   - rate: The sample rate to convert to, in hertz, or `nil` for the file's.
    ///   - count: The channel count to mix to, or `nil` for the file's.
    ///   - range: The time range to read, or `nil` for all.
    /// - Returns: The samples of each channel.
    func samples(
        sampleRate rate: Int? = nil, channelCount count: Int? = nil, range: Range<Duration>? = nil
    ) throws(AudioFileError) -> [[Float]] {
        if rate != nil || count != nil {
            let format = AudioFormat(.float32, sampleRate: rate ?? sampleRate, channelCount: count ?? channelCount)
            try AudioFileError.attempt(input.path) { try format.validate() }
        }
        var channels = [[Float]](repeating: [], count: count ?? channelCount)
        func append(_ buffer: PCMBuffer) {
            for channel in channels.indices { channels[channel] += buffer.samples[buffer.range(ofChannel: channel)] }
        }
        var converter: PCMBufferConverter?
        if rate ?? sampleRate == sampleRate, channels.count == channelCount {
            // The header may overstate the length.
            let expected = min(frameCount ?? 0, Self.maximumReservation)
            for channel in channels.indices { channels[channel].reserveCapacity(expected) }
        } else {
            let layout = channels.count == channelCount ? channelLayout : nil
            converter = PCMBufferConverter(
                sampleRate: rate ?? sampleRate, channels: ChannelMatrix.Channels(count: channels.count, layout: layout))
        }
        let frames = range?.frames(atRate: sampleRate) ?? 0..<Int.max
        var buffer = PCMBuffer(sampleRate: sampleRate, channelCount: channelCount, frameCapacity: Self.readFrames)
        var hasFrames = false
        if frames.lowerBound > 0, canSeek { try seek(toFrame: frames.lowerBound) }
        while position < frames.upperBound {
            let first = position
            guard try read(into: &buffer) else { break }
            // If the file is not seekable, frames before the range are also read.
            buffer.removeFrames(leading: max(0, frames.lowerBound - first), trailing: max(0, position - frames.upperBound))
            hasFrames = hasFrames || buffer.frameCount > 0
            append(try AudioFileError.attempt(input.path) { try converter?.convert(buffer, layout: channelLayout) ?? buffer })
        }
        guard range == nil || hasFrames else { throw AudioFileError(.emptyRange, path: input.path) }
        if let converter, hasFrames { append(try AudioFileError.attempt(input.path) { try converter.finish() }) }
        return channels
    }
}

extension AudioFileInput {
    package var hasSeveralAudioTracks: Bool { (try? AudioFile(self))?.properties.audioTracks.count ?? 0 > 1 }
}
