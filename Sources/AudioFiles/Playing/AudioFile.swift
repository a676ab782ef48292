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
/// try file.read(into: &buffer)
/// ```
///
/// The first bytes decide how the file is read, never its name. A file belongs to one thread at a time. ``/AudioPrimitives/PCMBuffer`` reads
/// a whole one in one call.
public final class AudioFile: PlayableSource {
    private let path: String
    private let reader: PCMFileReader
    /// The source of the samples, if it is a file of coded audio.
    private let coded: CodedAudioFile?

    /// Opens a file of PCM or of coded audio.
    ///
    /// - Parameters:
    ///   - path: The file's path. `-` is standard input, which is read as coded audio if it begins as that does, else as PCM.
    ///   - raw: The format of PCM without a header; nil to detect the format.
    /// - Throws: ``AudioFileError`` if the file can't be read, or holds neither.
    public convenience init(path: String, raw: AudioFormat? = nil) throws(AudioFileError) {
        try self.init(try FileInput(opening: path), raw: raw)
    }

    /// Opens a file in memory.
    ///
    /// - Parameters:
    ///   - bytes: All bytes of the file.
    ///   - raw: The format of PCM without a header; nil to detect the format.
    /// - Throws: ``AudioFileError`` if the bytes are neither PCM nor coded audio.
    public convenience init(bytes: [UInt8], raw: AudioFormat? = nil) throws(AudioFileError) {
        try self.init(FileInput(bytes: bytes), raw: raw)
    }

    /// Opens a file, whether on disk or in memory.
    ///
    /// - Parameter input: The file.
    /// - Throws: ``AudioFileError`` if it can't be read, or holds neither PCM nor coded audio.
    public convenience init(_ input: AudioFileInput) throws(AudioFileError) { try self.init(input.open(), raw: nil) }

    /// Reads an open file from its current position on.
    private init(_ input: FileInput, raw: AudioFormat?) throws(AudioFileError) {
        path = input.path
        coded = try raw == nil ? CodedAudioFile.opening(input) : nil
        if let coded {
            reader = PCMFileReader(coded, path: path, allowsSharedReading: input.canReopen)
        } else {
            reader = try AudioFileError.attempt(path) { try PCMFileReader.reading(input, raw: raw) }
        }
    }

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

    /// Replaces the contents of `buffer` by the next sample frames: none at the end.
    ///
    /// - Throws: ``AudioFileError`` if the file can't be read or decoded.
    public func read(into buffer: inout PCMBuffer) throws(AudioFileError) {
        do throws(PCMFileError) {
            try reader.read(into: &buffer)
        } catch {
            throw coded?.failure ?? AudioFileError(error, path: path)
        }
    }

    /// Moves to a sample frame, at most to the end.
    ///
    /// - Returns: False if the file can't be read from there, as a pipe.
    /// - Throws: ``AudioFileError`` if the file can't be read.
    public func seek(toFrame frame: Int) throws(AudioFileError) -> Bool {
        guard frameCount != nil || coded != nil else { return false }
        do throws(PCMFileError) {
            try reader.seek(toFrame: max(0, min(frame, frameCount ?? .max)))
        } catch {
            guard error.code == .notSeekable else { throw coded?.failure ?? AudioFileError(error, path: path) }
            return false
        }
        return true
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
        if frames.lowerBound > 0 { _ = try seek(toFrame: frames.lowerBound) }
        while position < frames.upperBound {
            let first = position
            try read(into: &buffer)
            guard buffer.frameCount > 0 else { break }
            // Where the file can't seek, what precedes the range is read too.
            buffer.removeFrames(leading: max(0, frames.lowerBound - first), trailing: max(0, position - frames.upperBound))
            hasFrames = hasFrames || buffer.frameCount > 0
            append(try AudioFileError.attempt(path) { try converter?.convert(buffer, layout: channelLayout) ?? buffer })
        }
        guard range == nil || hasFrames else { throw AudioFileError(.emptyRange, path: path) }
        if let converter, hasFrames { append(try AudioFileError.attempt(path) { try converter.finish() }) }
        return channels
    }
}
