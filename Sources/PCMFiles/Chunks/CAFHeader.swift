// SPDX-License-Identifier: Apache-2.0

internal import AudioMetadata
internal import AudioPrimitives
internal import SystemFiles

/// The header of a CAF file with PCM (Core Audio Format specification 1.0).
enum CAFHeader {
    /// Returns the bytes before the samples.
    ///
    /// - Parameter frameCount: The number of sample frames, or `nil` if samples extend to the end of the file.
    static func bytes(_ format: PCMOutputFormat, frameCount: Int?) -> [UInt8] {
        let encoding = format.encoding
        var bytes = Array("caff".utf8) + [0, 1, 0, 0] + Array("desc".utf8)
        bytes.appendBigEndian(32, byteCount: 8)
        bytes.appendBigEndian(Int(bitPattern: UInt(Double(format.sampleRate).bitPattern)), byteCount: 8)
        bytes += Array("lpcm".utf8)
        let flags = (encoding.isFloat ? 1 : 0) | (encoding.isBigEndian || encoding.byteCount == 1 ? 0 : 2)
        for number in [flags, format.bytesPerFrame, 1, format.channelCount, encoding.byteCount * 8] {
            bytes.appendBigEndian(number, byteCount: 4)
        }
        if format.channelCount > 2, let mask = format.channelLayout?.waveMask {
            let contents = CAFChannelLayout.contents(waveMask: mask)
            bytes += Array(CAFChannelLayout.chunkID.utf8)
            bytes.appendBigEndian(contents.count, byteCount: 8)
            bytes += contents
        }
        bytes += Array("data".utf8)
        // An edit count precedes the samples.
        bytes.appendBigEndian(frameCount.map { 4 + $0 * format.bytesPerFrame } ?? -1, byteCount: 8)
        bytes.appendBigEndian(0, byteCount: 4)
        return bytes
    }
}

extension CAFHeader {
    /// Parses the sample format of a file, or returns `nil` if it is compressed.
    static func plain(_ list: ChunkList, _ input: FileInput) throws -> PlainPCMHeader? {
        guard let description = try list.contents("desc", of: input), description.count >= 32,
            description[8..<12].elementsEqual("lpcm".utf8)
        else { return nil }
        /// Returns a big-endian field.
        func number(_ index: Int) -> Int { description[12 + 4 * index..<16 + 4 * index].reduce(0) { $0 << 8 | Int($1) } }
        let rate = Double(bitPattern: description[..<8].reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
        let (flags, bytesPerFrame, channelCount, bitCount) = (number(0), number(1), number(3), number(4))
        guard number(2) == 1, channelCount > 0, bytesPerFrame % channelCount == 0,
            let format = format(isFloat: flags & 1 != 0, byteCount: bytesPerFrame / channelCount, bitCount: bitCount)
        else { return nil }
        guard rate >= 0.5, rate < 100_000_000 else {
            throw AudioFileError(.malformedHeader(field: "the sample rate", value: Int(exactly: rate.rounded()) ?? 0), path: input.path)
        }
        let encoding = format.map { SampleEncoding($0, isBigEndian: flags & 2 == 0) } ?? .signed8
        var header = PlainPCMHeader(containerName: "CAF", encoding: encoding, sampleRate: Int(rate.rounded()), channelCount: channelCount)
        // Core Audio left-justifies samples with unused bits, such as 24 bits in four bytes.
        if bitCount < encoding.byteCount * 8 { header.validBitCount = bitCount }
        return header
    }

    /// Returns the sample format, with an inner `nil` for 8-bit integers, or `nil` if unsupported.
    private static func format(isFloat: Bool, byteCount: Int, bitCount: Int) -> SampleFormat?? {
        guard bitCount <= byteCount * 8, isFloat ? bitCount == byteCount * 8 : bitCount > 0 else { return nil }
        return switch (isFloat, byteCount) {
        case (false, 1): .some(nil)
        case (false, 2): .int16
        case (false, 3): .int24
        case (false, 4): .int32
        case (true, 4): .float32
        case (true, 8): .float64
        default: nil
        }
    }
}
