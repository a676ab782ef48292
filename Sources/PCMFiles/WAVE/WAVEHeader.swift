// SPDX-License-Identifier: Apache-2.0

package import AudioMetadata
internal import AudioPrimitives
package import SystemFiles

/// The chunks before the samples of a WAV file: RIFF, and with 64-bit lengths RF64 (EBU Tech 3306), BW64 (ITU-R BS.2088) and W64 (Sony
/// Wave64).
package struct WAVEHeader {
    var encoding: SampleEncoding
    package var sampleRate: Int
    package var channelCount: Int
    /// The channel mask of an extensible header, or 0 if absent.
    var channelMask: UInt32 = 0
    /// The declared size of the samples, in bytes, if any.
    package var declaredByteCount: Int?
    /// Whether the samples end at the declared length, whatever follows.
    ///
    /// False for placeholder lengths of writers that cannot seek or were interrupted, for lengths beyond 4 GiB, and for this library's
    /// unfinished recordings (``WAVESink``).
    var hasReliableLength = false
    /// Whether the data chunk contains MPEG audio, to which `encoding` does not apply.
    var holdsMPEGAudio = false
    /// Title, artist and other tags.
    ///
    /// For a file, which is searched, these are all of its tags.
    package var tags = AudioTags()
    /// `wValidBitsPerSample` of an extensible header, if fewer than all.
    private var validBitCount: Int?
    /// The chunk format: `RIFF`, or with 64-bit lengths `RF64`, `BW64` or `W64`.
    let signature: String
    private let chunkAlignment: Int

    var plain: PlainPCMHeader {
        let layout = ChannelLayout(waveMask: channelMask)
        return PlainPCMHeader(
            containerName: signature == "RIFF" ? "WAV" : signature, encoding: encoding, sampleRate: sampleRate, channelCount: channelCount,
            layout: layout?.channelCount == channelCount ? layout : nil, declaredByteCount: declaredByteCount,
            chunkAlignment: chunkAlignment, hasReliableLength: hasReliableLength, tags: tags, validBitCount: validBitCount)
    }

    /// The supported signatures, without W64.
    static let signatures = ["RIFF", "RF64", "BW64"]
    /// The size of an ID3v1 tag, which is not a chunk.
    private static let id3v1ByteCount = 128
    /// The number of bytes after the samples that ``endsSamples(_:)`` needs.
    static let trailingByteCount = id3v1ByteCount + 1
    /// The smallest 32-bit length that writers use as a placeholder: 0x7FFFF000 and above, 0xFFFFFFFF.
    private static let unknownLength = 0x7FFF_F000
    /// The format tags of MPEG audio, layers 1 and 2, and layer 3.
    private static let mpegAudioTags = [0x50, 0x55]
    /// The maximum size of a valid `fmt ` chunk.
    private static let formatChunkLimit = 1024

    /// Reads up to the first sample.
    ///
    /// Returns `nil` without consuming bytes if the file is not RIFF WAVE, or after the format chunk for compressed formats.
    package init?(reading input: FileInput) throws {
        guard let chunks = try WAVEChunks(reading: input) else { return nil }
        (signature, chunkAlignment) = (chunks.signature, chunks.alignment)
        encoding = .int16
        sampleRate = 0
        channelCount = 0
        var longByteCount: Int?
        var isUnfinished = false
        var tagChunks = WAVETags()
        while true {
            let chunk = try input.read(chunks.headByteCount)
            guard chunk.count == chunks.headByteCount else {
                throw Self.malformed("data chunk", input.position, input.path)
            }
            let (id, length) = chunks.parse(head: chunk)
            switch id {
            case "data":
                guard channelCount > 0 else { throw Self.malformed("fmt chunk", input.position - chunk.count, input.path) }
                declaredByteCount = Self.declaredByteCount(short: length, long: longByteCount, remaining: input.bytesRemaining)
                hasReliableLength =
                    !isUnfinished && !Self.isPlaceholder(declaredByteCount)
                    && (signature != "RIFF" || input.bytesRemaining ?? 0 <= 0xFFFF_FFFF)
                tags = input.fileSize != nil ? AudioTags(reading: input) : tagChunks.tags
                return
            case "fact" where length == 4:
                let body = try input.read(length)
                isUnfinished = body.count == length && Self.number(body[...]) == 0
            case "ds64":
                let body = try input.read(min(length, Self.formatChunkLimit))
                if body.count >= 16 { longByteCount = Int(exactly: Self.number(body[8..<16])) }
                guard try input.skip(chunks.padded(length) - body.count) else { continue }
            case "fmt ":
                guard (16...Self.formatChunkLimit).contains(length) else {
                    throw Self.malformed("the length of the format chunk", length, input.path)
                }
                let body = try input.read(chunks.padded(length))
                guard body.count >= length else { throw Self.malformed("end of fmt chunk", input.position, input.path) }
                tagChunks.read("fmt ", body)
                guard try readFormat(body, path: input.path) else { return nil }
            case _ where input.fileSize == nil && WAVETags.reads(id, byteCount: length):
                tagChunks.read(id, Array(try input.readFully(chunks.padded(length)).prefix(length)))
            default:
                if input.fileSize == nil { tagChunks.skip(id) }
                guard try input.skip(chunks.padded(length)) else { continue }
            }
        }
    }

    /// Whether a file is G.729 with a WAV header, as recorders write it (ACT).
    ///
    /// A second header, mostly zeros, follows.
    ///
    /// - Parameters:
    ///   - bytes: The first bytes after the header.
    ///   - position: Their position in the file.
    static func isACT(_ bytes: [UInt8], position: Int) -> Bool {
        let (headerByteCount, mark, duration, end) = (44, 256, 257..<264, 512)
        guard position == headerByteCount, bytes.count >= end - position, bytes[mark - position] == 0x84 else { return false }
        return (position..<end).allSatisfy { $0 == mark || duration.contains($0) || bytes[$0 - position] == 0 }
    }

    /// Whether the bytes after the declared end are not samples: nothing, a chunk, or a tag.
    ///
    /// - Parameter bytes: All following bytes, or ``trailingByteCount`` of them.
    static func endsSamples(_ bytes: ArraySlice<UInt8>) -> Bool {
        let name = text(bytes.prefix(3))
        let isTag = name == "ID3" || bytes.count == id3v1ByteCount && name == "TAG"
        return isTag || looksLikeChunk(bytes.prefix(8)) || Wave64.startsPart(bytes)
    }

    /// Whether the bytes start a chunk that writers place after the samples.
    static func looksLikeChunk(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard bytes.count >= 8 else { return true }
        let id = text(bytes.prefix(4))
        let length = number(bytes.dropFirst(4).prefix(4))
        let isPrintable = bytes.prefix(4).allSatisfy { (0x20...0x7E).contains($0) }
        let known = ["LIST", "id3 ", "ID3 ", "bext", "cue ", "fact", "smpl", "inst", "PEAK", "iXML", "JUNK", "_PMX", "acid", "cart"]
        return known.contains(id) || isPrintable && length < 1 << 20
    }

    /// Returns the declared length, or `nil` if a writer that cannot seek left a placeholder.
    private static func declaredByteCount(short: Int, long: Int?, remaining: Int?) -> Int? {
        let declared = short == 0xFFFF_FFFF ? long ?? short : short
        let isPlaceholder = declared == short && short >= unknownLength || declared == Int.max
        return isPlaceholder && (declared > remaining ?? 0 || declared == 0xFFFF_FFFF) ? nil : declared
    }

    /// Whether a length is missing, a placeholder, or the size of a header without samples.
    private static func isPlaceholder(_ byteCount: Int?) -> Bool {
        guard let byteCount else { return true }
        let headerByteCount = 36
        return byteCount == 0 || byteCount == headerByteCount || (unknownLength...0xFFFF_FFFF).contains(byteCount)
    }

    /// Parses a format chunk.
    ///
    /// Returns false for compressed formats.
    private mutating func readFormat(_ body: [UInt8], path: String) throws -> Bool {
        var tag = Self.number(body[0..<2])
        let isExtensible = tag == 0xFFFE && body.count >= 40
        channelCount = Self.number(body[2..<4])
        sampleRate = Self.number(body[4..<8])
        let bytesPerFrame = Self.number(body[12..<14])
        let bitsPerSample = Self.number(body[14..<16])
        if isExtensible {
            channelMask = UInt32(truncatingIfNeeded: Self.number(body[20..<24]))
            tag = Self.number(body[24..<26])
        }
        if Self.mpegAudioTags.contains(tag) {
            holdsMPEGAudio = true
            return channelCount > 0
        }
        guard tag == 1 || tag == 3 else {
            // libsndfile 1.2 would read them as integers.
            guard !isExtensible || signature != "W64" else {
                throw AudioFileError(
                    .unrecognizedFormat(reason: "W64 with compressed samples and an extensible header is not supported"), path: path)
            }
            return false
        }
        guard (1...256).contains(channelCount) else {
            throw Self.malformed("the channel count", channelCount, path)
        }
        guard (1...100_000_000).contains(sampleRate) else {
            throw Self.malformed("the sample rate", sampleRate, path)
        }
        guard let found = Self.encoding(tag: tag, byteCount: bytesPerFrame / channelCount), bytesPerFrame % channelCount == 0,
            bitsPerSample <= found.byteCount * 8
        else {
            throw Self.malformed("the number of bytes per frame", bytesPerFrame, path)
        }
        encoding = found
        // Samples are left-justified.
        let valid = isExtensible ? Self.number(body[18..<20]) : bitsPerSample
        if !found.isFloat, (1..<found.byteCount * 8).contains(valid) { validBitCount = valid }
        return true
    }

    /// Returns the encoding of a format tag (1 for integers, 3 for floating point) and a sample size.
    private static func encoding(tag: Int, byteCount: Int) -> SampleEncoding? {
        switch (tag, byteCount) {
        case (1, 1): .unsigned8
        case (1, 2): .int16
        case (1, 3): .int24
        case (1, 4): .int32
        case (3, 4): .float32
        case (3, 8): .float64
        default: nil
        }
    }

    static func text(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }

    private static func malformed(_ field: String, _ value: Int, _ path: String) -> AudioFileError {
        AudioFileError(.malformedHeader(field: field, value: value), path: path)
    }

    /// Returns a little-endian number of up to eight bytes, clamped to `Int`.
    static func number(_ bytes: ArraySlice<UInt8>) -> Int {
        let value = bytes.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return Int(clamping: value)
    }
}
