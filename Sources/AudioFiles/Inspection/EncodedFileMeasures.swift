// SPDX-License-Identifier: Apache-2.0

internal import AudioContainers
internal import AudioConversion
package import AudioMeasures
internal import AudioPrimitives
package import PCMFiles

/// Measures of an output file against its input: length, damage and, for encoded audio, noise.
package struct EncodedFileMeasures: Hashable, Sendable {
    /// The number of decoded sample frames, without priming and padding.
    package var frameCount = 0
    /// The expected number of decoded sample frames.
    package var expectedFrameCount = 0
    package var damagedUnitCount = 0
    /// The noise-to-mask ratios of the compared parts, or `nil` if they are silent, the output has more than two channels, its loudness
    /// was changed, or its channels were chosen.
    package var noiseToMaskRatio: NoiseToMaskRatio.Summary?
    /// The total duration of the compared parts, in seconds.
    package var measuredSeconds = 0.0

    /// The duration of a compared part, in seconds.
    private static let partSeconds = 6
    /// The maximum number of compared parts, which are spread evenly over the file.
    private static let partLimit = 10

    /// Decodes an output and compares it with the encoder's input after mixing, resampling and trimming.
    ///
    /// - Throws: ``/PCMFiles/AudioFileError`` if one of the files cannot be read or decoded.
    package init(of path: String, by encoder: FileConverter, _ summary: ConversionSummary) throws(AudioFileError) {
        expectedFrameCount = summary.frameCount
        if summary.codec == .pcm {
            try read(pcm: path, summary)
            return
        }
        let decoder = try FileDecoder(path: path)
        let delay = decoder.metadata.gaplessInfo == nil ? summary.gapless.primingFrames : 0
        let channelCount = summary.channelCount
        var output = SequentialFrames(channelCount: channelCount) { () throws(AudioFileError) in try decoder.next() }
        if channelCount <= 2, encoder.configuration.keepsLoudness, encoder.configuration.channels == .automatic {
            var input = try SequentialFrames(channelCount: channelCount, inputOf: encoder, sampleRate: summary.sampleRate)
            let length = Self.partSeconds * summary.sampleRate
            let distance = max(length, (expectedFrameCount + Self.partLimit - 1) / Self.partLimit)
            var measures: [NoiseToMaskRatio] = []
            for start in stride(from: 0, to: expectedFrameCount, by: distance) {
                let reference = try input.frames(in: start..<start + length)
                let test = try output.frames(in: start + delay..<start + delay + length)
                let count = min(reference[0].count, test[0].count)
                guard count > 0 else { break }
                measures.append(
                    NoiseToMaskRatio(
                        reference: AudioSignal(sampleRate: summary.sampleRate, channels: reference.map { Array($0[..<count]) }),
                        test: AudioSignal(sampleRate: summary.sampleRate, channels: test.map { Array($0[..<count]) })))
                measuredSeconds += Double(count) / Double(summary.sampleRate)
            }
            noiseToMaskRatio = NoiseToMaskRatio.summary(of: measures)
        }
        try output.skipAll()
        // Priming and padding are decoded too if the container does not signal them.
        let hasPadding = decoder.metadata.gaplessInfo == nil
        frameCount = hasPadding ? min(output.position - delay, expectedFrameCount) : output.position
        damagedUnitCount = decoder.statistics.damagedUnitCount
    }

    /// Reads PCM or FLAC completely.
    private mutating func read(pcm path: String, _ summary: ConversionSummary) throws(AudioFileError) {
        let reader = try PCMFileReader(path: path)
        var buffer = PCMBuffer(sampleRate: summary.sampleRate, channelCount: summary.channelCount, frameCapacity: Self.readLength)
        repeat { try reader.read(into: &buffer) } while buffer.frameCount > 0
        frameCount = reader.position
        damagedUnitCount = reader.warnings.count(where: \.isDamage)
    }

    /// The number of sample frames to read at a time.
    private static let readLength = 16_384
}

/// Sequential access to the sample frames of a stream of buffers.
private struct SequentialFrames {
    /// The number of sample frames read or skipped so far.
    private(set) var position = 0
    private let channelCount: Int
    private let read: () throws(AudioFileError) -> PCMBuffer?
    private var buffer: PCMBuffer?
    /// The number of frames of `buffer` before ``position``.
    private var consumed = 0

    /// Reads the buffers that `read` returns, up to `nil`.
    init(channelCount: Int, read: @escaping () throws(AudioFileError) -> PCMBuffer?) {
        self.channelCount = channelCount
        self.read = read
    }

    /// Opens an encoder's input, mixed and resampled as for the encoder.
    init(channelCount: Int, inputOf encoder: FileConverter, sampleRate: Int) throws(AudioFileError) {
        let (path, configuration) = (encoder.input, encoder.configuration)
        var samples = try AudioFileError.attempt(path) {
            let reader = try PCMFileReader.opening(path, raw: configuration.raw, audioTrack: configuration.decoding.audioTrack)
            let frames = try ConversionPlan.frames(configuration.range, of: reader, isLengthCertain: false, path: path)
            return try EncoderInputReader(reader, frames: frames, mixedTo: channelCount, sampleRate: sampleRate)
        }
        self.init(channelCount: channelCount) { () throws(AudioFileError) in try AudioFileError.attempt(path) { try samples.next() } }
    }

    /// Skips to a range and returns its frames by channel, fewer at the end.
    ///
    /// - Parameter range: Frames at or after ``position``.
    mutating func frames(in range: Range<Int>) throws(AudioFileError) -> [[Float]] {
        var channels = [[Float]](repeating: [], count: channelCount)
        while position < range.upperBound, let next = try current(), next.channelCount == channelCount {
            let available = next.frameCount - consumed
            let count = min(available, (position < range.lowerBound ? range.lowerBound : range.upperBound) - position)
            if position >= range.lowerBound {
                for channel in channels.indices {
                    let first = next.range(ofChannel: channel).lowerBound + consumed
                    channels[channel] += next.samples[first..<first + count]
                }
            }
            consumed += count
            position += count
        }
        return channels
    }

    mutating func skipAll() throws(AudioFileError) {
        while let next = try current() {
            position += next.frameCount - consumed
            buffer = nil
        }
    }

    /// Returns the buffer that contains the next frame, or `nil` at the end.
    private mutating func current() throws(AudioFileError) -> PCMBuffer? {
        while true {
            if let buffer, consumed < buffer.frameCount { return buffer }
            buffer = try read()
            consumed = 0
            if buffer == nil { return nil }
        }
    }
}
