// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

public import AudioPrimitives

/// What a PCM file is to hold.
public struct PCMOutputFormat: Hashable, Sendable {
    /// The container.
    public var file: PCMFileFormat
    /// How a sample is stored.
    public var sampleFormat: SampleFormat
    /// Sample rate in hertz.
    public var sampleRate: Int
    /// Channels, at least 1.
    public var channelCount: Int
    /// Where the channels belong, if the file is to say so; has to name every channel.
    public var channelLayout: ChannelLayout?
    /// Sample frames that will come, if that is known: it lets a pipe have a right header.
    public var expectedFrameCount: Int?

    /// Makes a description of a PCM file to be written.
    public init(
        _ file: PCMFileFormat, sampleFormat: SampleFormat = .int16, sampleRate: Int, channelCount: Int,
        channelLayout: ChannelLayout? = nil, expectedFrameCount: Int? = nil
    ) {
        self.file = file
        self.sampleFormat = sampleFormat
        self.sampleRate = sampleRate
        self.channelCount = channelCount
        self.channelLayout = channelLayout
        self.expectedFrameCount = expectedFrameCount
    }
}

/// Writes a PCM file through an open descriptor.
///
/// WAV and raw PCM can go to pipes; AIFF, CAF and FLAC need a file. Integers are rounded to nearest and clipped, and what is not a
/// number becomes silence. Until ``finish()`` the header of a WAV file says that the length is unknown, so that a recording that
/// breaks off can be read to its end. A writer belongs to one thread at a time.
public final class PCMFileWriter {
    /// What is being written.
    public let format: PCMOutputFormat

    /// The frames written so far.
    public private(set) var frameCount = 0

    private let sink: any PCMSink

    /// Begins a file at the first byte of `descriptor`, which the caller closes after ``finish()``; `name` stands in errors.
    ///
    /// Up to `waitingByteLimit` bytes of samples are kept back to be written at once; by default none are, so that nothing that was
    /// recorded is lost with the program.
    public init(descriptor: Int32, name: String, format: PCMOutputFormat, waitingByteLimit: Int = 0) throws(PCMFileError) {
        precondition(format.channelCount > 0 && format.sampleRate > 0, "PCM has a rate and channels")
        self.format = format
        let output = ByteOutput(descriptor: descriptor, path: name)
        let samples = SampleOutput(output, sampleFormat: format.sampleFormat, waitingByteLimit: waitingByteLimit)
        switch format.file {
        case .raw: sink = RawSink(samples)
        case .wav: sink = try WAVESink(samples, format: format)
        case .aiff, .caf, .flac: sink = try Self.platformSink(output, format: format)
        }
    }

    /// Writes the frames in use of a buffer with the format's channels.
    public func append(_ buffer: PCMBuffer) throws(PCMFileError) {
        precondition(buffer.channelCount == format.channelCount, "the buffer has the file's channels")
        guard buffer.frameCount > 0 else { return }
        try sink.append(buffer)
        frameCount += buffer.frameCount
    }

    /// Completes the file's header; nothing can be appended any more.
    public func finish() throws(PCMFileError) { try sink.finish() }

    /// The sink for formats that the platform's library writes.
    ///
    /// Apple's ExtAudioFile has its place here.
    private static func platformSink(_ output: ByteOutput, format: PCMOutputFormat) throws(PCMFileError) -> any PCMSink {
        #if canImport(CPCMLibraries)
        return try SndfileSink(output, format: format)
        #else
        throw format.unsupported(path: output.path)
        #endif
    }
}

extension PCMOutputFormat {
    func unsupported(path: String) -> PCMFileError {
        .unsupportedOutput(
            path: path, format: file, sampleFormat: sampleFormat, sampleRate: sampleRate, channelCount: channelCount)
    }
}
