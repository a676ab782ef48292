// SPDX-License-Identifier: Apache-2.0

internal import AudioConversion
public import AudioPrimitives
public import PCMFiles
internal import SystemFiles

/// A file of PCM or of coded audio, whatever its format, read as samples.
///
/// ```swift
/// let file = try AudioFile(path: "song.m4a")
/// var buffer = PCMBuffer(sampleRate: file.sampleRate, channelCount: file.channelCount, frameCapacity: 4096)
/// while try file.read(into: &buffer) { play(buffer) }
/// ```
///
/// The first bytes decide how the file is read, never its name. Of coded audio, the encoder's priming and padding are removed, and damaged access
/// units are concealed and counted in ``statistics``. A stream that changes its sample rate or channels is converted to those it begins with. A
/// file belongs to one thread at a time. ``/AudioPrimitives/PCMBuffer`` reads
/// a whole one in one call.
public final class AudioFile: PlayableSource {
    private let input: FileInput
    private let reader: PCMFileReader
    /// The file, if it is one of coded audio, and what is read in its place if that has more than 24 bits.
    private let coded: CodedAudioFile?
    private let lossless: LosslessPCMSource?

    /// Opens a file of PCM or of coded audio.
    ///
    /// - Parameters:
    ///   - path: The file's path. `-` is standard input, which is read as coded audio if it begins as that does, else as PCM.
    ///   - raw: The format of PCM without a header; nil to detect the format.
    ///   - decoding: The part of coded audio to decode, and how.
    /// - Throws: ``/PCMFiles/AudioFileError`` if the file can't be read, or holds neither.
    public convenience init(
        path: String, raw: AudioFormat? = nil, decoding: FileDecoderConfiguration = FileDecoderConfiguration()
    ) throws(AudioFileError) {
        try self.init(try FileInput(opening: path), raw: raw, decoding)
    }

    /// Opens a file in memory.
    ///
    /// - Parameters:
    ///   - bytes: All bytes of the file.
    ///   - raw: The format of PCM without a header; nil to detect the format.
    ///   - decoding: The part of coded audio to decode, and how.
    /// - Throws: ``/PCMFiles/AudioFileError`` if the bytes are neither PCM nor coded audio.
    public convenience init(
        bytes: [UInt8], raw: AudioFormat? = nil, decoding: FileDecoderConfiguration = FileDecoderConfiguration()
    ) throws(AudioFileError) {
        try self.init(FileInput(bytes: bytes), raw: raw, decoding)
    }

    /// Opens a file, whether on disk or in memory.
    ///
    /// - Parameter input: The file.
    /// - Throws: ``/PCMFiles/AudioFileError`` if it can't be read, or holds neither PCM nor coded audio.
    package convenience init(_ input: AudioFileInput) throws(AudioFileError) { try self.init(input.open(), raw: nil) }

    /// Reads an open file from its current position on.
    private init(
        _ input: FileInput, raw: AudioFormat?, _ decoding: FileDecoderConfiguration = FileDecoderConfiguration()
    ) throws(AudioFileError) {
        self.input = input
        let coded = try raw == nil ? CodedAudioFile.opening(input, decoding) : nil
        self.coded = coded
        (reader, lossless) = try AudioFileError.attempt(input.path) {
            if let coded { try PCMFileReader.decoding(coded) } else { (try PCMFileReader.reading(input, raw: raw), nil) }
        }
    }

    /// The format and the length of the file, its tags and its tracks, as far as they are known before it is read.
    public var properties: PCMFileProperties { reader.properties }
    /// The encoding that holds all samples of the file without loss: that of WAV and of PCM without a header, else one with the least
    /// significant byte first.
    public var encoding: SampleEncoding { reader.encoding }
    /// Counts of what was decoded and concealed since the latest seek; zeros of PCM.
    public var statistics: DecodingStatistics { lossless?.statistics ?? coded?.statistics ?? DecodingStatistics() }

    /// The sample rate in hertz.
    public var sampleRate: Int { reader.properties.sampleRate }
    /// The number of channels.
    public var channelCount: Int { reader.properties.channelCount }
    /// The speakers of the channels, or nil if they are unknown.
    public var channelLayout: ChannelLayout? { reader.properties.channelLayout }
    /// The number of sample frames, or nil if it is unknown.
    public var frameCount: Int? { reader.properties.frameCount }
    /// Problems of the file that did not prevent reading, such as damage; complete once everything is read.
    public var warnings: [PCMFileWarning] { reader.warnings }
    /// The index of the sample frame that is read next.
    public var position: Int { reader.position }

    /// Replaces the contents of `buffer`, which has the channel count of the file, by the next sample frames: none at the end.
    ///
    /// - Returns: False at the end.
    /// - Throws: ``/PCMFiles/AudioFileError`` if the file can't be read or decoded.
    @discardableResult
    public func read(into buffer: inout PCMBuffer) throws(AudioFileError) -> Bool {
        try reader.read(into: &buffer)
        return buffer.frameCount > 0
    }

    /// Replaces bytes by the next sample frames, interleaved, in ``encoding``: no bit is lost.
    ///
    /// - Parameters:
    ///   - frameCount: The frames to read; fewer are read only at the end.
    ///   - bytes: The array to replace.
    /// - Returns: False at the end.
    /// - Throws: ``/PCMFiles/AudioFileError`` if the file can't be read or decoded.
    @discardableResult
    public func read(_ frameCount: Int, into bytes: inout [UInt8]) throws(AudioFileError) -> Bool {
        try reader.read(frameCount, into: &bytes)
        return !bytes.isEmpty
    }

    /// Whether ``seek(toFrame:)`` is supported: not by pipes.
    public var canSeek: Bool { reader.canSeek && (frameCount != nil || coded != nil) }

    /// Moves to a sample frame, at most to the end; requires ``canSeek``.
    ///
    /// - Throws: ``/PCMFiles/AudioFileError`` if the file can't be read, or can only be read forwards.
    public func seek(toFrame frame: Int) throws(AudioFileError) {
        guard canSeek else { throw AudioFileError(.notSeekable, path: input.path) }
        try reader.seek(toFrame: max(0, min(frame, frameCount ?? .max)))
    }

    /// Sample frames read at a time, and the most that are allocated before they have been read.
    private static let (readFrames, largestReservation) = (65_536, 1 << 20)

    /// Reads the file from its start.
    ///
    /// - Parameters:
    ///   - rate: The sample rate in hertz to convert to; nil for that of the file.
    ///   - count: The number of channels to mix to; nil for that of the file.
    ///   - range: The time range to read; nil for everything.
    /// - Returns: The samples of each channel.
    func samples(
        sampleRate rate: Int? = nil, channelCount count: Int? = nil, range: Range<Duration>? = nil
    ) throws(AudioFileError) -> [[Float]] {
        var channels = [[Float]](repeating: [], count: count ?? channelCount)
        /// Appends converted frames.
        func append(_ buffer: PCMBuffer) {
            for channel in channels.indices { channels[channel] += buffer.samples[buffer.range(ofChannel: channel)] }
        }
        var converter: PCMBufferConverter?
        if rate ?? sampleRate == sampleRate, channels.count == channelCount {
            // What a header claims may be more than there is.
            let expected = min(frameCount ?? 0, Self.largestReservation)
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
            // Where the file can't seek, what precedes the range is read too.
            buffer.removeFrames(leading: max(0, frames.lowerBound - first), trailing: max(0, position - frames.upperBound))
            hasFrames = hasFrames || buffer.frameCount > 0
            append(try AudioFileError.attempt(input.path) { try converter?.convert(buffer, layout: channelLayout) ?? buffer })
        }
        guard range == nil || hasFrames else { throw AudioFileError(.emptyRange, path: input.path) }
        if let converter, hasFrames { append(try AudioFileError.attempt(input.path) { try converter.finish() }) }
        return channels
    }
}
