// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives
internal import SystemFiles
internal import SystemLibrary

/// Writes a file of PCM whose header has lengths that are known at the end: AIFF and CAF.
final class ChunkSink: PCMSink {
    private var samples: SampleOutput
    private let format: PCMOutputFormat
    private let tags: WrittenTags
    private var frameCount = 0
    /// The sample frames that the header tells meanwhile; nil if it is written at the end only.
    private var toldFrameCount: Int?

    /// The most channels that are written and read: those of libsndfile.
    static let channelLimit = 1024

    /// Writes the header.
    init(_ file: OpenFile, path: String, format: PCMOutputFormat, pendingByteLimit: Int) throws {
        guard file.canOverwrite else { throw SystemFileError.cannotWrite(code: ESPIPE) }
        guard format.channelCount <= Self.channelLimit else { throw AudioFileError(.unsupportedOutput(format), path: path) }
        self.format = format
        samples = SampleOutput(file, encoding: format.encoding, pendingByteLimit: pendingByteLimit)
        tags = WrittenTags(format.tags, format.file)
        // What is kept in memory is no recording, of which all has to be there whatever ends the program.
        toldFrameCount = pendingByteLimit == 0 ? 0 : nil
        try file.write(header(isFinished: false)[...])
    }

    /// Writes the sample frames of a buffer.
    func append(_ buffer: PCMBuffer) throws {
        try samples.append(buffer)
        frameCount += buffer.frameCount
        try tellLength()
    }

    /// Writes whole sample frames.
    func append(bytes: [UInt8]) throws {
        try samples.append(bytes: bytes)
        frameCount += bytes.count / format.bytesPerFrame
        try tellLength()
    }

    /// Completes the file.
    func finish() throws {
        try samples.flush()
        if format.file == .aiff, frameCount * format.bytesPerFrame & 1 == 1 { try samples.file.write([0]) }
        try samples.file.overwrite(header(isFinished: true), at: 0)
        try tags.write(to: samples.file)
    }

    /// Writes the lengths of a recording into its header, once per second, so that they are nearly right whatever ends the program.
    private func tellLength() throws(SystemFileError) {
        guard let told = toldFrameCount, frameCount - told >= format.sampleRate else { return }
        try samples.file.overwrite(header(isFinished: false), at: 0)
        toldFrameCount = frameCount
    }

    /// Returns the bytes before the first sample, always the same number of them.
    private func header(isFinished: Bool) -> [UInt8] {
        format.file == .aiff
            ? AIFFHeader.bytes(format, frameCount: frameCount) : CAFHeader.bytes(format, frameCount: isFinished ? frameCount : nil)
    }
}
