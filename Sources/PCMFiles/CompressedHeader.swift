// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives
internal import SystemFiles

/// The codec in the header of a WAV or CAF file that libraries cannot decode.
enum CompressedHeader {
    /// The maximum number of WAV chunks to search for the format.
    private static let chunkLimit = 64
    /// The first half of the QuickTime codes of WAV format tags.
    private static let formatTagPrefix: UInt32 = 0x6D73_0000
    private static let extensibleTag = 0xFFFE
    /// The format tags and codes that libraries decode, so that an error has another reason: PCM, G.711, ADPCM, GSM 6.10.
    private static let decodedTags: Set<Int> = [1, 2, 3, 6, 7, 0x11, 0x31, 0x38, extensibleTag]
    private static let decodedCodes: Set<FourCharCode> = ["lpcm", "alaw", "ulaw", "alac"]
    /// The position of the format tag in an extensible format.
    private static let extensibleTagRange = 24..<26

    /// Returns the codec of a regular file or memory; `nil` for decoded codecs and other formats.
    static func codec(of input: FileInput) throws(SystemFileError) -> FourCharCode? {
        try input.seek(to: 0)
        _ = try input.skipID3v2Tags()
        // The first chunk of CAF starts at byte 8. Its format ID follows the sample rate.
        let head = Array(try input.peek(32))
        if head.count == 32, head.starts(with: "caff".utf8), head[8..<12].elementsEqual("desc".utf8) {
            let code = FourCharCode(rawValue: head[28..<32].reduce(0) { $0 << 8 | UInt32($1) })
            return decodedCodes.contains(code) ? nil : code
        }
        return try formatTag(of: input).map { FourCharCode(rawValue: formatTagPrefix | UInt32(truncatingIfNeeded: $0)) }
    }

    /// Returns the format tag of a WAV file unless it is decoded.
    private static func formatTag(of input: FileInput) throws(SystemFileError) -> Int? {
        guard let chunks = try WAVEChunks(reading: input) else { return nil }
        for _ in 0..<chunkLimit {
            let head = try input.read(chunks.headByteCount)
            guard head.count == chunks.headByteCount else { return nil }
            let (id, byteCount) = chunks.parse(head: head)
            let length = chunks.padded(byteCount)
            guard id == "fmt " else {
                guard try input.skip(length) else { return nil }
                continue
            }
            let body = try input.read(min(length, extensibleTagRange.upperBound))
            guard body.count >= 2 else { return nil }
            var tag = WAVEHeader.number(body[0..<2])
            if tag == extensibleTag, body.count == extensibleTagRange.upperBound { tag = WAVEHeader.number(body[extensibleTagRange]) }
            return decodedTags.contains(tag) ? nil : tag
        }
        return nil
    }
}
