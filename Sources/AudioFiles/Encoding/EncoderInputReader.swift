// SPDX-License-Identifier: Apache-2.0

internal import AudioConversion
internal import AudioLoudness
internal import AudioPrimitives
internal import PCMFiles

/// Reads a part of a file as the encoder gets it: mixed to one channel, resampled and with another loudness if that was requested.
struct EncoderInputReader {
    /// Sample frames read so far, counted from the first one of the part, at the file's rate.
    private(set) var framesRead = 0
    /// Sample frames of the most recent read; 0 at the end.
    private(set) var latestFrames = 0
    /// Bytes of the most recent read, as the file stores the samples or its decoder gives them.
    var latestByteCount: Int { latestFrames * reader.properties.streamDescription.bytesPerFrame }

    private let reader: PCMFileReader
    /// The part of the file, in sample frames.
    private let frames: Range<Int>
    /// Mixes the channels and converts the sample rate.
    private let converter: PCMBufferConverter
    private let isResampled: Bool
    private let layout: ChannelLayout?
    private let limiter: TruePeakLimiter?
    private var buffer: PCMBuffer
    /// Whether the file ended, and whether the limiter has returned its rest.
    private var (isAtEnd, isFlushed) = (false, false)
    /// The frames that the limiter returns before the one that was sought.
    private var framesToDiscard = 0

    /// Bytes of PCM per read.
    private static let readSize = 32_768

    /// Creates a reader of a part of a file, and moves to its start.
    ///
    /// - Parameters:
    ///   - reader: The opened file.
    ///   - frames: The part of the file, in sample frames.
    ///   - channelCount: The number of channels that the channels are mixed to; nil for all of them.
    ///   - sampleRate: The sample rate in hertz to convert to; nil for the file's own.
    ///   - gain: The gain and the limit of true peaks; nil for the samples of the file.
    ///   - framesPerRead: Sample frames per read; nil for a few blocks.
    /// - Throws: ``PCMFileError`` if the file can't be read, or the sample rate not be converted.
    init(
        _ reader: PCMFileReader, frames: Range<Int>, mixedTo channelCount: Int?, sampleRate: Int? = nil,
        gain: TruePeakLimiter.Setting? = nil,
        framesPerRead: Int? = nil
    ) throws(PCMFileError) {
        let properties = reader.properties
        self.reader = reader
        self.frames = frames
        let outputCount = channelCount ?? properties.channelCount
        let outputRate = sampleRate ?? properties.sampleRate
        isResampled = outputRate != properties.sampleRate
        // Without a number of channels they stay in the order of the file.
        layout = outputCount == properties.channelCount ? nil : properties.channelLayout
        converter = PCMBufferConverter(sampleRate: outputRate, channels: ChannelMatrix.Channels(count: outputCount))
        limiter = gain.map { TruePeakLimiter($0, sampleRate: outputRate, channelCount: outputCount) }
        let bytesPerFrame = max(1, properties.streamDescription.bytesPerFrame)
        buffer = PCMBuffer(
            sampleRate: properties.sampleRate, channelCount: properties.channelCount,
            frameCapacity: framesPerRead ?? max(1, Self.readSize / bytesPerFrame))
        if frames.lowerBound > 0 { try skipToStart() }
    }

    /// Whether the input is a file that can be read at several positions, and not a pipe.
    var allowsSharedReading: Bool { reader.allowsSharedReading }

    /// Moves to the first sample frame of the part.
    ///
    /// Files that can't be read exactly from there are read and discarded up to it.
    private mutating func skipToStart() throws(PCMFileError) {
        if reader.allowsSharedReading { return try reader.seek(toFrame: frames.lowerBound) }
        while reader.position < frames.lowerBound {
            let remaining = frames.lowerBound - reader.position
            guard remaining < buffer.frameCapacity else {
                try reader.read(into: &buffer)
                if buffer.frameCount == 0 { return }
                continue
            }
            var last = PCMBuffer(sampleRate: buffer.sampleRate, channelCount: buffer.channelCount, frameCapacity: remaining)
            try reader.read(into: &last)
            if last.frameCount == 0 { return }
        }
    }

    /// Moves to a sample frame counted from the first one of the part; not while resampling.
    mutating func seek(toFrame frame: Int) throws(PCMFileError) {
        precondition(!isResampled, "a resampler can't seek")
        let start = max(0, frame - (limiter?.prerollLength ?? 0))
        try reader.seek(toFrame: frames.lowerBound + start)
        limiter?.reset(atFrame: start)
        framesToDiscard = limiter.map { frame - $0.position } ?? 0
        framesRead = start
        (isAtEnd, isFlushed) = (false, false)
    }

    /// Returns the next buffer, which may be empty while the resampler or the limiter fills; nil at the end.
    mutating func next() throws -> PCMBuffer? {
        guard let limiter else { return try nextUnlimited() }
        guard !isFlushed else { return nil }
        let input = try nextUnlimited()
        isFlushed = input == nil
        var output = input.map { limiter.process($0) } ?? limiter.finish()
        let discarded = min(framesToDiscard, output.frameCount)
        output.removeFrames(leading: discarded, trailing: 0)
        framesToDiscard -= discarded
        return output
    }

    /// Returns the next buffer before the limiter; nil at the end.
    private mutating func nextUnlimited() throws -> PCMBuffer? {
        guard !isAtEnd else { return nil }
        let remaining = frames.count - framesRead
        if remaining > 0 {
            try reader.read(into: &buffer)
            if buffer.frameCount > remaining { buffer.frameCount = remaining }
        }
        latestFrames = remaining > 0 ? buffer.frameCount : 0
        framesRead += latestFrames
        if latestFrames == 0 {
            isAtEnd = true
            return isResampled ? try converter.finish() : nil
        }
        return try converter.convert(buffer, layout: layout)
    }
}
