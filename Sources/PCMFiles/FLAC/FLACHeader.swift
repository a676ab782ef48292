// SPDX-License-Identifier: Apache-2.0

internal import AudioMetadata
internal import AudioPrimitives
internal import SystemFiles

/// The metadata of a native FLAC stream that describe its samples (RFC 9639, 8).
struct FLACHeader {
    let bitsPerSample: Int
    /// The number of sample frames, or `nil` if unknown.
    let frameCount: Int?
    let layout: ChannelLayout?

    static let signature = Array("fLaC".utf8)
    /// The type and size of the STREAMINFO block.
    private static let (streamInfoType, streamInfoByteCount) = (0, 34)
    private static let (commentsType, seekTableType, paddingType) = (4, 3, 1)
    private static let blockLimit = 4096
    /// The size of a block header, in bytes.
    private static let headByteCount = 4

    /// Reads a stream header at the current position, or returns `nil` if it is damaged.
    init?(_ input: FileInput) throws(SystemFileError) {
        var offset = input.position + Self.signature.count
        let start = try input.bytes(at: input.position..<offset + Self.headByteCount + Self.streamInfoByteCount)
        guard start.starts(with: Self.signature), start.count == 42, start[4] & 0x7F == Self.streamInfoType else { return nil }
        let info = start.dropFirst(8)
        let packed = info.dropFirst(10).prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        let channelCount = Int(packed >> 41 & 7) + 1
        bitsPerSample = Int(packed >> 36 & 31) + 1
        let total = Int(packed & 0xF_FFFF_FFFF)
        // An empty stream is identified by the MD5 of no samples. Otherwise, a length of 0 means unknown.
        let isEmpty = info.suffix(16).starts(with: [0xD4, 0x1D, 0x8C, 0xD9])
        frameCount = total == 0 && !isEmpty ? nil : total
        var comments: [String] = []
        for _ in 0..<Self.blockLimit {
            let head = try input.bytes(at: offset..<offset + Self.headByteCount)
            guard head.count == Self.headByteCount else { break }
            let contents = offset + Self.headByteCount
            offset = contents + head[1...].reduce(0) { $0 << 8 | Int($1) }
            if Int(head[0] & 0x7F) == Self.commentsType { comments += Self.comments(try input.bytes(at: contents..<offset)) }
            if head[0] & 0x80 != 0 { break }
        }
        layout = Self.layout(comments, channelCount: channelCount)
    }

    /// Returns the complete comments of a block, each `NAME=value`.
    private static func comments(_ block: [UInt8]) -> [String] {
        var cursor = TagCursor(block[...])
        guard cursor.readLittleEndian(4).flatMap({ cursor.read($0) }) != nil, let count = cursor.readLittleEndian(4) else { return [] }
        var comments: [String] = []
        while comments.count < count, let text = cursor.readLittleEndian(4).flatMap({ cursor.read($0) }) {
            comments.append(String(decoding: text, as: UTF8.self))
        }
        return comments
    }

    /// Returns whether a FLAC file is in Ogg, or `nil` if it is not FLAC.
    ///
    /// Moves to the signature.
    static func isOgg(_ input: FileInput) throws(SystemFileError) -> Bool? {
        try input.seek(to: 0)
        let front = Array(try input.peek(64))
        if front.starts(with: signature) { return false }
        if front.starts(with: "OggS".utf8), front.count > 27 {
            // The first packet follows the page's segment lengths (RFC 3533, 6; RFC 9639, 10.1).
            return front.dropFirst(27 + Int(front[26])).starts(with: [0x7F] + "FLAC".utf8) ? true : nil
        }
        guard try input.skipID3v2Tags(), input.position > 0 else { return nil }
        return try input.peek(signature.count).elementsEqual(signature) ? false : nil
    }

    /// Returns the smallest integer encoding for a bit depth.
    static func encoding(bitsPerSample: Int) -> SampleEncoding {
        bitsPerSample <= 8 ? .signed8 : bitsPerSample <= 16 ? .int16 : bitsPerSample <= 24 ? .int24 : .int32
    }

    static func layout(_ comments: [String], channelCount: Int) -> ChannelLayout? {
        let maskName = VorbisComments.channelMask + "="
        let mask = comments.lazy.filter { $0.uppercased().hasPrefix(maskName) }.compactMap { comment in
            let digits = comment.dropFirst(maskName.count)
            return UInt32(digits.hasPrefix("0x") || digits.hasPrefix("0X") ? digits.dropFirst(2) : digits, radix: 16)
        }.first
        if let named = mask.flatMap({ ChannelLayout(waveMask: $0) }), named.channelCount == channelCount { return named }
        return ChannelLayout(usualChannelCount: channelCount)
    }

    /// The number of bytes to reserve before a stream for tags and a padding header, or 0 without tags.
    static func roomByteCount(_ tagBlocks: [UInt8]) -> Int { tagBlocks.isEmpty ? 0 : tagBlocks.count + headByteCount }

    /// Rearranges the metadata of a stream written after reserved space: STREAMINFO, seek table and tags, then padding up to the first
    /// frame.
    ///
    /// - Parameters:
    ///   - written: The stream from its signature, with all metadata.
    ///   - tagBlocks: The tag blocks, for which space was reserved.
    /// - Returns: The bytes from the start of the reserved space to the first frame, or `nil` if the stream is damaged.
    static func joined(_ written: [UInt8], tagBlocks: [UInt8]) -> [UInt8]? {
        var offset = signature.count
        var kept: [UInt8] = []
        var isLast = false
        guard written.starts(with: signature) else { return nil }
        while !isLast {
            guard offset + headByteCount <= written.count else { return nil }
            let length = written[offset + 1..<offset + headByteCount].reduce(0) { $0 << 8 | Int($1) }
            guard offset + headByteCount + length <= written.count else { return nil }
            let type = Int(written[offset] & 0x7F)
            isLast = written[offset] & 0x80 != 0
            if type == streamInfoType || type == seekTableType {
                kept += [UInt8(type)] + written[offset + 1..<offset + headByteCount + length]
            }
            offset += headByteCount + length
        }
        let bytes = signature + kept + tagBlocks
        let padding = roomByteCount(tagBlocks) + offset - bytes.count - headByteCount
        var head = [UInt8(paddingType | 0x80)]
        head.appendBigEndian(padding, byteCount: 3)
        return bytes + head + [UInt8](repeating: 0, count: padding)
    }
}
