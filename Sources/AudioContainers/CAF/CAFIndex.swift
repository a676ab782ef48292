// SPDX-License-Identifier: Apache-2.0

internal import AudioMetadata
internal import AudioPrimitives
internal import MPEG4Audio

/// All chunks of a file except the audio data (Core Audio Format specification 1.0).
package struct CAFIndex {
    static let fileType: FourCharCode = "caff"
    static let data: FourCharCode = "data"
    static let cookie: FourCharCode = "kuki"
    static let layout: FourCharCode = "chan"
    static let information: FourCharCode = "info"
    /// `caff`, version 1, no flags.
    static let fileHeaderByteCount = 8
    static let chunkHeaderByteCount = 12
    /// The edit count precedes the audio data in its chunk.
    static let editCountByteCount = 4

    /// The maximum size of chunks other than the audio data, enough for the index of a week of audio.
    private static let maximumChunkByteCount = 1 << 28

    package var description: CAFDescription?
    var cookie: [UInt8]?
    package var packetTable: CAFPacketTable?
    var tags = AudioTags()
    var audioData: Range<Int>?

    /// Reads all chunks except the audio data.
    package init(_ source: some ByteSource) throws(ContainerError) {
        var front = ByteCursor(try source.bytes(in: 0..<min(source.byteCount, Self.fileHeaderByteCount)))
        guard try front.readCode() == Self.fileType else { throw .noSyncword(offset: 0) }
        var input = ReadAhead(source)
        var offset = Self.fileHeaderByteCount
        var table: ByteCursor?
        while offset <= source.byteCount - Self.chunkHeaderByteCount {
            let body = offset + Self.chunkHeaderByteCount
            var header = ByteCursor(try input.bytes(in: offset..<body), fileOffset: offset)
            let type = try header.readCode()
            let size = try header.readSigned(8)
            let left = source.byteCount - body
            if type == Self.data {
                // Only the audio data may have an unspecified size (-1). A truncated data chunk is read up to the end of the file.
                guard size >= -1 else { throw .invalidBox(type, offset: offset) }
                let length = size == -1 ? left : min(size, left)
                audioData = min(body + Self.editCountByteCount, body + length)..<body + length
                if size == -1 || size > left { break }
            } else {
                guard size >= 0, size <= left else { break }
                guard size <= Self.maximumChunkByteCount else {
                    throw .partTooLong(type, byteCount: size, limit: Self.maximumChunkByteCount)
                }
                try take(type, ByteCursor(try input.bytes(in: body..<body + size), fileOffset: body), &table)
            }
            offset = body + size
        }
        if var table, let description { packetTable = try CAFPacketTable(parsing: &table, description) }
    }

    /// Parses a chunk, if the index needs it.
    private mutating func take(_ type: FourCharCode, _ body: ByteCursor, _ table: inout ByteCursor?) throws(ContainerError) {
        var body = body
        switch type {
        case CAFDescription.type: description = try CAFDescription(parsing: &body)
        case Self.cookie: cookie = try body.readRest()
        // The format of its entries depends on the description, which may follow.
        case CAFPacketTable.type: table = body
        #if !hasFeature(Embedded) || LINNET_FILES
        // Damaged tags do not make the audio unreadable. The C interface has no tags.
        case Self.information: tags = CAFInformation(parsing: try body.readRest()[...])?.tags ?? tags
        #endif
        default: break
        }
    }

    /// The codec configuration.
    ///
    /// - Throws: ``ContainerError/unsupportedCodec(_:)`` for unsupported codecs.
    func configuration() throws(ContainerError) -> CodecConfiguration {
        guard let description else { throw .missingPart(CAFDescription.type) }
        switch description.formatID {
        case .appleLossless:
            guard let cookie else { throw .missingPart(Self.cookie) }
            return try CodecConfiguration(alacCookie: cookie)
        case .iLBC:
            // Not from the frame count, since FFmpeg also writes 160 for 30 ms frames.
            guard let mode = ILBCMode(bytesPerFrame: description.bytesPerPacket), description.channelsPerFrame == 1 else {
                throw .invalidBox(CAFDescription.type, offset: Self.fileHeaderByteCount)
            }
            return .ilbc(mode)
        case .opus: return .opus(try opusConfiguration())
        case let format where CAFDescription.aacFormats.contains(format): return .aac(try audioSpecificConfig())
        case let format: throw .unsupportedCodec(format)
        }
    }

    /// The configuration from the cookie, inside MPEG-4 descriptors or bare.
    private func audioSpecificConfig() throws(ContainerError) -> AudioSpecificConfig {
        guard let cookie else { throw .missingPart(Self.cookie) }
        return try AudioSpecificConfig(magicCookie: cookie)
    }
}

extension CAFIndex {
    /// Returns the Opus configuration.
    ///
    /// Without an identification header as cookie: one or two channels, pre-skip from the packet table.
    ///
    /// - Throws: ``ContainerError/codec(_:)`` for more than two channels without an identification header.
    func opusConfiguration() throws(ContainerError) -> OpusConfiguration {
        guard let description else { throw .missingPart(CAFDescription.type) }
        do throws(CodecError) {
            if let cookie, cookie.starts(with: OpusConfiguration.signature) { return try OpusConfiguration(opusHead: cookie) }
            let priming = hasOpusDurations ? packetTable?.gaplessInfo.primingFrames ?? 0 : 0
            return OpusConfiguration(
                mapping: try OpusChannelMapping(channelCount: description.channelsPerFrame, family: 0),
                preSkip: UInt16(clamping: priming))
        } catch {
            throw .codec(error)
        }
    }

    /// Whether the file's frame counts are valid Opus packet durations; FFmpeg writes a rounded mean.
    var hasOpusDurations: Bool {
        guard let description else { return false }
        let frames = description.framesPerPacket
        return frames == 0 ? packetTable?.durations.isEmpty == false : frames % 120 == 0 && frames <= OpusPacket.maximumDuration
    }
}

extension CAFPackets {
    /// Sets all durations to those signalled in the Opus packets.
    mutating func measureOpus(_ source: some ByteSource, _ audioData: Range<Int>) throws(ContainerError) {
        var input = ReadAhead(source)
        var start = audioData.lowerBound
        for index in sizes.indices {
            let bytes = try input.bytes(in: start..<start + min(2, Int(clamping: sizes[index])))
            if let packet = try? OpusPacket(bytes) { durations[index] = packet.duration }
            start += Int(clamping: sizes[index])
        }
        removeGaplessInfo()
    }
}
