// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
internal import AudioContainers
internal import AudioMetadata
internal import AudioPrimitives
internal import AudioToolbox
internal import SystemFiles
internal import SystemLibrary

/// Writes FLAC through Audio Toolbox.
///
/// The system writes its file behind room for our tags. In the end its metadata are made padding, but for the format of the stream, which comes
/// first, and for seek points (RFC 9639, 8).
final class SystemFLACSink: PCMSink {
    private let path: String
    private let format: PCMOutputFormat
    private let output: OpenFile
    private let file: SystemAudioFile
    /// The blocks of tags.
    private let tagBlocks: [UInt8]
    private let client: SampleEncoding
    private var bytes: [UInt8] = []

    /// The most bytes of the system's metadata.
    private static let metadataLimit = 1 << 20

    /// Writes the header.
    ///
    /// - Throws: ``AudioFileError`` if the format is not supported; the system's error in writing.
    init(_ output: OpenFile, path: String, format: PCMOutputFormat) throws {
        guard format.file == .flac else {
            throw AudioFileError(.notWrittenHere(format.file), path: path)
        }
        guard output.canOverwrite, output.canRead else { throw SystemFileError.cannotWrite(code: ESPIPE) }
        guard 1...8 ~= format.channelCount else { throw AudioFileError(.unsupportedOutput(format), path: path) }
        self.path = path
        self.format = format
        self.output = output
        tagBlocks = Self.tagBlocks(format)
        // The system has no FLAC of 8 bits: 16 hold them.
        client = format.encoding.byteCount == 1 ? .int16 : format.encoding.sampleFormat.map { SampleEncoding($0) } ?? .int16
        var description = AudioStreamBasicDescription()
        description.mSampleRate = Double(format.sampleRate)
        description.mFormatID = kAudioFormatFLAC
        description.mFormatFlags = client == .int24 ? kAppleLosslessFormatFlag_24BitSourceData : kAppleLosslessFormatFlag_16BitSourceData
        description.mChannelsPerFrame = UInt32(format.channelCount)
        try output.seek(to: FLACHeader.roomByteCount(tagBlocks))
        do {
            file = try SystemAudioFile(writing: LibraryStream(output), type: kAudioFileFLACType, format: description)
            try file.setClientFormat(
                client.streamDescription(sampleRate: format.sampleRate, channelCount: format.channelCount).audioStreamBasicDescription)
        } catch is CodecError {
            throw AudioFileError(.unsupportedOutput(format), path: path)
        }
    }

    /// Returns the blocks of tags, and of the speakers of more than two channels.
    private static func tagBlocks(_ format: PCMOutputFormat) -> [UInt8] {
        var tags = format.file.tagStorage.storable(format.tags)
        if format.channelCount > 2, let mask = format.channelLayout?.waveMask {
            tags.add("0x" + String(mask, radix: 16, uppercase: true), named: AudioTags.Key(VorbisComments.channelMask))
        }
        return tags.isEmpty ? [] : FLACMetadata(tags: tags, vendor: "Linnet").serialized
    }

    /// Writes the sample frames of a buffer.
    func append(_ buffer: PCMBuffer) throws {
        // Rounded to the bits of the format, whatever room the file has.
        format.encoding.encode(buffer, into: &bytes)
        try append(bytes: bytes)
    }

    /// Writes whole sample frames.
    func append(bytes: [UInt8]) throws {
        var bytes = bytes
        if format.encoding.isBigEndian { format.encoding.reverseBytes(of: &bytes) }
        if format.encoding.byteCount == 1 { bytes = bytes.flatMap { [0, $0] } }
        do {
            try bytes.withUnsafeBytes {
                try file.write($0, channelCount: format.channelCount, bytesPerFrame: client.byteCount * format.channelCount)
            }
        } catch let error as CodecError {
            throw AudioFileError(.cannotWrite(systemCode: EIO), path: path, underlying: error)
        }
    }

    /// Completes the file.
    func finish() throws {
        do {
            try file.close()
        } catch let error as CodecError {
            throw AudioFileError(.cannotWrite(systemCode: EIO), path: path, underlying: error)
        }
        guard !tagBlocks.isEmpty else { return }
        let start = FLACHeader.roomByteCount(tagBlocks)
        let written = try output.bytes(in: start..<start + Self.metadataLimit)
        guard let header = FLACHeader.joined(written, tagBlocks: tagBlocks) else { throw SystemFileError.cannotWrite(code: EIO) }
        try output.overwrite(header, at: 0)
    }
}
#endif
