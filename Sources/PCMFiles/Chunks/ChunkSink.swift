// SPDX-License-Identifier: Apache-2.0

internal import AudioMetadata
internal import AudioPrimitives
internal import SystemFiles
internal import SystemLibrary

/// Writes PCM formats whose header contains lengths known only at the end: AIFF and CAF.
final class ChunkSink: PCMSink {
    private var samples: SampleOutput
    private let format: PCMOutputFormat
    private var tags: WrittenTags
    private var frameCount = 0
    /// The frame count that the header currently states, or `nil` if the length is written only at the end.
    private var reportedFrameCount: Int?

    /// The maximum channel count for reading and writing, which is libsndfile's.
    static let channelLimit = 1024

    init(_ file: OpenFile, path: String, format: PCMOutputFormat, pendingByteLimit: Int) throws {
        guard format.channelCount <= Self.channelLimit else { throw AudioFileError(.unsupportedOutput(format), path: path) }
        guard file.canOverwrite else { throw SystemFileError.cannotWrite(code: ESPIPE) }
        self.format = format
        samples = SampleOutput(file, encoding: format.encoding, pendingByteLimit: pendingByteLimit)
        tags = WrittenTags(format.tags, format)
        // Only unbuffered output is a recording, which must survive a crash.
        reportedFrameCount = pendingByteLimit == 0 ? 0 : nil
        try file.write(header(isFinished: false)[...])
    }

    func append(_ buffer: PCMBuffer) throws {
        try samples.append(buffer)
        frameCount += buffer.frameCount
        try tellLength()
    }

    /// Writes complete sample frames.
    func append(bytes: [UInt8]) throws {
        try samples.append(bytes: bytes)
        frameCount += bytes.count / format.bytesPerFrame
        try tellLength()
    }

    /// CAF strings have no chapters, and AIFF has a 32-bit file size.
    func setChapters(_ chapters: [AudioTags.Chapter]) -> Bool {
        guard format.file == .aiff else { return false }
        var changed = format.tags
        changed.setChapters(chapters)
        let changedTags = WrittenTags(changed, format)
        let rest = Int(clamping: UInt32.max) - header(isFinished: true).count - (frameCount + 1) * format.bytesPerFrame
        guard changedTags.byteCount <= rest else { return false }
        tags = changedTags
        return true
    }

    func finish() throws {
        try samples.flush()
        if format.file == .aiff, frameCount * format.bytesPerFrame & 1 == 1 { try samples.file.write([0]) }
        try samples.file.overwrite(header(isFinished: true), at: 0)
        try tags.write(to: samples.file)
    }

    /// Updates the lengths in a recording's header once per second, so that they are nearly correct after a crash.
    private func tellLength() throws(SystemFileError) {
        guard let told = reportedFrameCount, frameCount - told >= format.sampleRate else { return }
        try samples.file.overwrite(header(isFinished: false), at: 0)
        reportedFrameCount = frameCount
    }

    /// Returns the bytes before the first sample.
    ///
    /// Their number is constant.
    private func header(isFinished: Bool) -> [UInt8] {
        format.file == .aiff
            ? AIFFHeader.bytes(format, frameCount: frameCount) : CAFHeader.bytes(format, frameCount: isFinished ? frameCount : nil)
    }
}
