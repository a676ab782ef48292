// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
internal import AudioContainers
internal import AudioMetadata
internal import AudioPrimitives
internal import AudioToolbox
internal import SystemFiles
internal import SystemLibrary

/// Writes FLAC with Audio Toolbox.
///
/// The system writes its file after reserved space for tags. At the end its metadata are replaced with padding, except for STREAMINFO,
/// which moves to the front, and seek points (RFC 9639, 8).
final class SystemFLACSink: PCMSink {
    private let path: String
    private let format: PCMOutputFormat
    private let output: OpenFile
    private let file: SystemAudioFile
    private let tagBlocks: [UInt8]
    private let client: SampleEncoding
    private var bytes: [UInt8] = []

    /// The maximum size of the system's metadata, in bytes.
    private static let metadataLimit = 1 << 20

    /// Writes the header.
    ///
    /// - Throws: ``AudioFileError`` if the format is not supported; the system error of a failed write.
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
        // The system does not support 8-bit FLAC, so samples are stored in 16 bits.
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

    /// Returns the blocks of tags, and of the channel layout of more than two channels.
    private static func tagBlocks(_ format: PCMOutputFormat) -> [UInt8] {
        var tags = format.file.tagStorage.storable(format.tags)
        if format.channelCount > 2, let mask = format.channelLayout?.waveMask {
            tags.add("0x" + String(mask, radix: 16, uppercase: true), named: AudioTags.Key(VorbisComments.channelMask))
        }
        return tags.isEmpty ? [] : FLACMetadata(tags: tags, vendor: "Linnet").serialized
    }

    func append(_ buffer: PCMBuffer) throws {
        // Round to the requested bit depth, even if the file's is larger.
        format.encoding.encode(buffer, into: &bytes)
        try append(bytes: bytes)
    }

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
