// SPDX-License-Identifier: Apache-2.0

internal import AudioMetadata
internal import AudioPrimitives
internal import SystemFiles

/// The header of AIFF, and of AIFF-C for floating point and little-endian integers (Audio Interchange File Format AIFF-C, draft of 26
/// August 1991).
enum AIFFHeader {
    private static let version = 0xA280_5140

    /// Returns the bytes before the samples.
    static func bytes(_ format: PCMOutputFormat, frameCount: Int) -> [UInt8] {
        let encoding = format.encoding
        let compression =
            encoding.isFloat ? (encoding.byteCount == 8 ? "FL64" : "FL32") : encoding.isBigEndian || encoding.byteCount == 1 ? nil : "sowt"
        let byteCount = frameCount * format.bytesPerFrame
        var common: [UInt8] = []
        common.appendBigEndian(format.channelCount, byteCount: 2)
        common.appendBigEndian(frameCount, byteCount: 4)
        common.appendBigEndian(encoding.byteCount * 8, byteCount: 2)
        common += extended(format.sampleRate)
        // An empty name, padded.
        if let compression { common += Array(compression.utf8) + [0, 0] }
        var chunks: [UInt8] = []
        if compression != nil {
            chunks += Array("FVER".utf8)
            chunks.appendBigEndian(4, byteCount: 4)
            chunks.appendBigEndian(version, byteCount: 4)
        }
        chunks += Array("COMM".utf8)
        chunks.appendBigEndian(common.count, byteCount: 4)
        chunks += common + Array("SSND".utf8)
        // An offset and a block size, both 0, precede the samples.
        chunks.appendBigEndian(8 + byteCount, byteCount: 4)
        chunks.appendBigEndian(0, byteCount: 8)
        var bytes = Array("FORM".utf8)
        bytes.appendBigEndian(4 + chunks.count + byteCount + byteCount & 1, byteCount: 4)
        return bytes + Array((compression == nil ? "AIFF" : "AIFC").utf8) + chunks
    }

    /// Returns an integer as 80-bit floating point.
    private static func extended(_ value: Int) -> [UInt8] {
        let shift = value.leadingZeroBitCount
        var bytes: [UInt8] = []
        bytes.appendBigEndian(16_383 + 63 - shift, byteCount: 2)
        bytes.appendBigEndian(value << shift, byteCount: 8)
        return bytes
    }
}

extension AIFFHeader {
    /// Parses the sample format of a file, or returns `nil` if it is compressed.
    static func plain(_ list: ChunkList, _ input: FileInput) throws -> PlainPCMHeader? {
        guard let common = try list.contents("COMM", of: input), common.count >= 18 else { return nil }
        let channelCount = number(common[0..<2])
        let frameCount = number(common[2..<6])
        let bitCount = number(common[6..<8])
        let compression = list.kind == "AIFC" && common.count >= 22 ? String(decoding: common[18..<22], as: UTF8.self) : "NONE"
        guard let encoding = encoding(compression, bitCount: bitCount), channelCount > 0 else { return nil }
        let sampleRate = AIFFMarkers.rounded(extended: common[8..<18])
        guard 1...100_000_000 ~= sampleRate else {
            throw AudioFileError(.malformedHeader(field: "the sample rate", value: sampleRate), path: input.path)
        }
        var header = PlainPCMHeader(containerName: "AIFF", encoding: encoding, sampleRate: sampleRate, channelCount: channelCount)
        // Programs that cannot seek leave the frame count at 0.
        if frameCount > 0 { header.declaredByteCount = frameCount * header.bytesPerFrame }
        return header
    }

    /// Returns the encoding of an uncompressed AIFF-C compression type, or `nil` for others.
    private static func encoding(_ compression: String, bitCount: Int) -> SampleEncoding? {
        let isLittleEndian = ["sowt", "42ni", "23ni"].contains(compression)
        switch compression {
        case "NONE", "twos", "in24", "in32", "sowt", "42ni", "23ni":
            switch bitCount {
            case 1...8: return .signed8
            case 9...16: return isLittleEndian ? .int16 : .int16BigEndian
            case 17...24: return isLittleEndian ? .int24 : .int24BigEndian
            case 25...32: return isLittleEndian ? .int32 : .int32BigEndian
            default: return nil
            }
        case "raw ": return bitCount == 8 ? .unsigned8 : nil
        case "fl32", "FL32": return .float32BigEndian
        case "fl64", "FL64": return .float64BigEndian
        default: return nil
        }
    }

    /// Returns a big-endian number.
    private static func number(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }
}
