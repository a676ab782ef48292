// SPDX-License-Identifier: Apache-2.0

internal import AudioConversion
public import AudioPrimitives
internal import SystemFiles

extension PCMBuffer {
    /// Reads a file of PCM or of coded audio, whatever its format.
    ///
    /// ```swift
    /// let audio = try PCMBuffer(contentsOf: "song.m4a")
    /// let speech = try PCMBuffer(contentsOf: "talk.flac", sampleRate: 16_000, channelCount: 1, range: .seconds(60) ..< .seconds(90))
    /// ```
    ///
    /// The length is exact where the container tells the priming and padding of the encoder, as M4A, CAF and Ogg do. Damaged access units are
    /// concealed; ``FileDecoder`` counts them.
    ///
    /// - Parameters:
    ///   - path: The file's path; `-` is standard input.
    ///   - sampleRate: The sample rate in hertz to convert to; nil for that of the file.
    ///   - channelCount: The number of channels to mix to, by the usual gains; nil for that of the file.
    ///   - range: The time range to read; nil for everything. It is exact to the sample frame.
    /// - Throws: ``AudioFileError`` if the file can't be read, decoded or converted, or the range begins after its end.
    public init(
        contentsOf path: String, sampleRate: Int? = nil, channelCount: Int? = nil, range: Range<Duration>? = nil
    ) throws(AudioFileError) {
        try self.init(AudioFile(path: path), path: path, sampleRate: sampleRate, channelCount: channelCount, range: range)
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
    /// - Throws: ``AudioFileError`` as for a file.
    public init(
        decoding bytes: [UInt8], sampleRate: Int? = nil, channelCount: Int? = nil, range: Range<Duration>? = nil
    ) throws(AudioFileError) {
        try self.init(
            AudioFile(bytes: bytes), path: FileInput.memoryName, sampleRate: sampleRate, channelCount: channelCount, range: range)
    }

    /// Reads an open file from its start.
    private init(
        _ file: AudioFile, path: String, sampleRate: Int?, channelCount: Int?, range: Range<Duration>?
    ) throws(AudioFileError) {
        let frames = range?.frames(atRate: file.sampleRate) ?? 0..<Int.max
        var collector = SampleCollector(file, sampleRate: sampleRate, channelCount: channelCount)
        var buffer = PCMBuffer(sampleRate: file.sampleRate, channelCount: file.channelCount, frameCapacity: SampleCollector.readFrames)
        if frames.lowerBound > 0 { _ = try file.seek(toFrame: frames.lowerBound) }
        while file.position < frames.upperBound {
            let first = file.position
            try file.read(into: &buffer)
            guard buffer.frameCount > 0 else { break }
            // Where the file can't seek, what precedes the range is read too.
            buffer.removeFrames(leading: max(0, frames.lowerBound - first), trailing: max(0, file.position - frames.upperBound))
            try collector.append(buffer, path: path)
        }
        guard range == nil || collector.hasFrames else { throw AudioFileError(.emptyRange, path: path) }
        self = try collector.finish(path: path)
    }
}

/// Joins the buffers of a file, converted to one format.
private struct SampleCollector {
    /// Sample frames read at a time.
    static let readFrames = 65_536
    /// The most sample frames that are allocated before they have been read.
    private static let largestReservation = 1 << 20

    /// Whether any frame has been appended.
    private(set) var hasFrames = false
    private let sampleRate: Int
    private let layout: ChannelLayout?
    /// Nil if rate and channels stay.
    private let converter: PCMBufferConverter?
    private var channels: [[Float]]

    /// Prepares for the frames of a file.
    init(_ file: AudioFile, sampleRate: Int?, channelCount: Int?) {
        self.sampleRate = sampleRate ?? file.sampleRate
        layout = file.channelLayout
        let count = channelCount ?? file.channelCount
        channels = Array(repeating: [], count: count)
        if self.sampleRate == file.sampleRate, count == file.channelCount {
            converter = nil
            // What a header claims may be more than there is.
            let expected = min(file.frameCount ?? 0, Self.largestReservation)
            for channel in channels.indices { channels[channel].reserveCapacity(expected) }
        } else {
            let target = ChannelMatrix.Channels(count: count, layout: count == file.channelCount ? file.channelLayout : nil)
            converter = PCMBufferConverter(sampleRate: self.sampleRate, channels: target)
        }
    }

    /// Appends the frames of a buffer.
    mutating func append(_ buffer: PCMBuffer, path: String) throws(AudioFileError) {
        hasFrames = hasFrames || buffer.frameCount > 0
        try AudioFileError.attempt(path) { join(try converter?.convert(buffer, layout: layout) ?? buffer) }
    }

    /// Returns all frames.
    mutating func finish(path: String) throws(AudioFileError) -> PCMBuffer {
        if let converter, hasFrames { join(try AudioFileError.attempt(path) { try converter.finish() }) }
        return PCMBuffer(channels: channels, sampleRate: sampleRate)
    }

    /// Appends converted frames.
    private mutating func join(_ buffer: PCMBuffer) {
        for channel in channels.indices { channels[channel] += buffer.samples[buffer.range(ofChannel: channel)] }
    }
}
