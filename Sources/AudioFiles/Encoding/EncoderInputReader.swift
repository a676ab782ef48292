// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

internal import AudioPrimitives
internal import PCMFiles

/// The sound of a file as the encoder is to get it: with its channels mixed and its sample rate changed, if that was asked for.
struct EncoderInputReader {
    /// Sample frames read from the file so far.
    private(set) var framesRead = 0
    /// Sample frames of the latest read; 0 at the end.
    private(set) var latestFrames = 0
    /// Sample rate of what is handed out, in hertz.
    let sampleRate: Int

    private let reader: PCMFileReader
    private let mixesToMono: Bool
    private let resampler: Resampler?
    private var buffer: PCMBuffer
    private var isAtEnd = false

    /// Bytes of PCM a read.
    private static let readSize = 32_768

    /// Prepares to read; throws ``Resampler/Failure`` for rates that can't be had.
    ///
    /// - Parameter framesPerRead: Sample frames a read; nil for a few blocks.
    init(_ reader: PCMFileReader, mixesToMono: Bool, sampleRate: Int?, framesPerRead: Int? = nil) throws {
        let properties = reader.properties
        self.reader = reader
        self.mixesToMono = mixesToMono
        self.sampleRate = sampleRate ?? properties.sampleRate
        let channelCount = mixesToMono ? 1 : properties.channelCount
        resampler =
            self.sampleRate == properties.sampleRate
            ? nil : try Resampler(from: properties.sampleRate, to: self.sampleRate, channelCount: channelCount)
        let bytesPerFrame = max(1, properties.streamDescription.bytesPerFrame)
        buffer = PCMBuffer(
            sampleRate: properties.sampleRate, channelCount: properties.channelCount,
            frameCapacity: framesPerRead ?? max(1, Self.readSize / bytesPerFrame))
    }

    /// Goes to a sample frame of the file; not while resampling.
    mutating func seek(toFrame frame: Int) throws {
        precondition(resampler == nil, "a resampler can't be moved")
        try reader.seek(toFrame: frame)
        framesRead = frame
        isAtEnd = false
    }

    /// The next sound, which may be no frames at all while the resampler fills; nil at the end.
    mutating func next() throws -> PCMBuffer? {
        guard !isAtEnd else { return nil }
        try reader.read(into: &buffer)
        latestFrames = buffer.frameCount
        framesRead += latestFrames
        if latestFrames == 0 {
            isAtEnd = true
            return try resampler?.finish()
        }
        let mixed =
            mixesToMono ? Downmix(monoFrom: buffer.channelCount, layout: reader.properties.channelLayout).mono(buffer) : buffer
        return try resampler?.process(mixed) ?? mixed
    }
}
