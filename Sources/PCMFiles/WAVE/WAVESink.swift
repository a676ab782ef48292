// SPDX-License-Identifier: Apache-2.0

internal import AudioContainers
internal import AudioMetadata
internal import AudioPrimitives
internal import SystemFiles

/// Writes a WAV file.
///
/// The header reserves space for the 64-bit lengths of RF64 (EBU Tech 3306), which are used from 4 GiB.
final class WAVESink: PCMSink {
    private var samples: SampleOutput
    private let format: PCMOutputFormat
    private let isSeekable: Bool
    private var frameCount = 0
    /// The frame count that the header currently states, or `nil` if the length is written only at the end.
    private var reportedFrameCount: Int?
    private let tags: AudioTags
    /// The tag chunks before the samples.
    private var tagChunks: [UInt8]
    /// The chunks after the samples.
    private var finalChunks: [UInt8] = []

    private var bytesPerFrame: Int { format.bytesPerFrame }

    init(_ file: OpenFile, path: String, format: PCMOutputFormat, pendingByteLimit: Int) throws {
        guard format.channelCount <= 256 else { throw AudioFileError(.unsupportedOutput(format), path: path) }
        tags = format.file.tagStorage.storable(format.tags)
        let chunks = WAVETagChunks(tags, sampleRate: format.sampleRate)
        tagChunks = chunks.texts + chunks.chapters
        samples = SampleOutput(file, encoding: format.encoding, pendingByteLimit: pendingByteLimit)
        self.format = format
        isSeekable = file.canOverwrite
        // Only unbuffered output is a recording, which must survive a crash.
        reportedFrameCount = isSeekable && pendingByteLimit == 0 ? 0 : nil
        try samples.file.write(header(frameCount: isSeekable ? nil : format.expectedFrameCount)[...])
    }

    func append(_ buffer: PCMBuffer) throws {
        try samples.append(buffer)
        frameCount += buffer.frameCount
        try tellLength()
    }

    func append(bytes: [UInt8]) throws {
        try samples.append(bytes: bytes)
        frameCount += bytes.count / bytesPerFrame
        try tellLength()
    }

    /// Updates the lengths in a recording's header once per second, so that they are nearly correct after a crash.
    ///
    /// A `fact` chunk with 0 sample frames signals that more samples may follow.
    private func tellLength() throws(SystemFileError) {
        guard let told = reportedFrameCount, frameCount - told >= format.sampleRate else { return }
        try samples.file.overwrite(header(frameCount: frameCount, isFinished: false), at: 0)
        reportedFrameCount = frameCount
    }

    /// Moves cue points and ID3 tag after the samples, because the size of the header is constant.
    func setChapters(_ chapters: [AudioTags.Chapter]) -> Bool {
        guard isSeekable else { return false }
        let chunks = WAVETagChunks(tags, sampleRate: format.sampleRate)
        var filler: [UInt8] = []
        if !chunks.chapters.isEmpty {
            filler = Array("JUNK".utf8)
            filler.appendLittleEndian(chunks.chapters.count - 8, byteCount: 4)
            filler += [UInt8](repeating: 0, count: chunks.chapters.count - 8)
        }
        tagChunks = chunks.texts + filler
        var changed = tags
        changed.setChapters(chapters)
        finalChunks = WAVETagChunks(changed, sampleRate: format.sampleRate).chapters
        return true
    }

    /// Writes pending samples and, for a file, the lengths in the header.
    func finish() throws {
        try samples.flush()
        if frameCount * bytesPerFrame & 1 == 1 { try samples.file.write([0]) }
        guard isSeekable else { return }
        try samples.file.write(finalChunks[...])
        try samples.file.overwrite(header(frameCount: frameCount), at: 0)
    }

    /// Returns the bytes before the first sample.
    ///
    /// Their number is constant.
    ///
    /// Without a frame count, the lengths are placeholders.
    private func header(frameCount: Int?, isFinished: Bool = true) -> [UInt8] {
        let byteCount = frameCount.map { $0 * bytesPerFrame }
        let formatChunk = formatChunkBody()
        let information = tagChunks
        // RIFF type, reserved chunk, format chunk, fact chunk, tags, and data chunk header.
        let headerSize = 12 + 36 + 8 + formatChunk.count + 12 + information.count + 8
        let riffSize = byteCount.map { headerSize - 8 + $0 + $0 & 1 + finalChunks.count }
        let isLong = (riffSize ?? 0) > 0xFFFF_FFFE
        var result: [UInt8] = []
        func append(_ code: String) { result.append(contentsOf: code.utf8) }
        /// Returns a 32-bit length: all ones if it is unknown or in the `ds64` chunk.
        func shortLength(_ length: Int?) -> Int { isLong ? 0xFFFF_FFFF : length ?? 0xFFFF_FFFF }
        append(isLong ? "RF64" : "RIFF")
        result.appendLittleEndian(shortLength(riffSize), byteCount: 4)
        append("WAVE")
        append(isLong ? "ds64" : "JUNK")
        result.appendLittleEndian(28, byteCount: 4)
        result.appendLittleEndian(isLong ? riffSize ?? 0 : 0, byteCount: 8)
        result.appendLittleEndian(isLong ? byteCount ?? 0 : 0, byteCount: 8)
        result.appendLittleEndian(isLong ? frameCount ?? 0 : 0, byteCount: 8)
        result.appendLittleEndian(0, byteCount: 4)
        append("fmt ")
        result.appendLittleEndian(formatChunk.count, byteCount: 4)
        result.append(contentsOf: formatChunk)
        append("fact")
        result.appendLittleEndian(4, byteCount: 4)
        result.appendLittleEndian(isFinished ? shortLength(frameCount) : 0, byteCount: 4)
        result += information
        append("data")
        result.appendLittleEndian(shortLength(byteCount), byteCount: 4)
        return result
    }

    /// Returns a plain format chunk for 16-bit or floating-point mono and stereo, otherwise an extensible one with valid bits and channel
    /// mask.
    private func formatChunkBody() -> [UInt8] {
        let bits = format.encoding.byteCount * 8
        let tag = format.encoding.isFloat ? 3 : 1
        let isPlain = format.channelCount <= 2 && (bits == 16 || tag == 3)
        var result: [UInt8] = []
        result.appendLittleEndian(isPlain ? tag : 0xFFFE, byteCount: 2)
        result.appendLittleEndian(format.channelCount, byteCount: 2)
        result.appendLittleEndian(format.sampleRate, byteCount: 4)
        result.appendLittleEndian(format.sampleRate * bytesPerFrame, byteCount: 4)
        result.appendLittleEndian(bytesPerFrame, byteCount: 2)
        result.appendLittleEndian(bits, byteCount: 2)
        guard !isPlain else { return result }
        result.appendLittleEndian(22, byteCount: 2)
        result.appendLittleEndian(bits, byteCount: 2)
        result.appendLittleEndian(Int(format.channelLayout?.waveMask ?? 0), byteCount: 4)
        result.appendLittleEndian(tag, byteCount: 2)
        // The remainder of the GUIDs for PCM and floating point.
        result.append(contentsOf: [0x00, 0x00, 0x00, 0x00, 0x10, 0x00, 0x80, 0x00, 0x00, 0xAA, 0x00, 0x38, 0x9B, 0x71])
        return result
    }
}
