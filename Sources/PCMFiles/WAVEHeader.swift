// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

internal import AudioPrimitives

/// What the chunks before the samples of a WAV file say (RIFF, and RF64 as EBU Tech 3306 defines it).
struct WAVEHeader {
    var encoding: SampleEncoding
    var sampleRate: Int
    var channelCount: Int
    /// Loudspeaker bits of an extensible header; 0 if there are none.
    var channelMask: UInt32 = 0
    /// Bytes of samples, if the header says so.
    var declaredByteCount: Int?
    var isRF64 = false

    var bytesPerFrame: Int { encoding.byteCount * channelCount }

    /// From here on, 32-bit lengths are what writers leave who did not know: 0x7FFFF000 and more, 0xFFFFFFFF.
    private static let unknownLength = 0x7FFF_F000
    /// No chunk before the samples that matters is longer than this; a larger `fmt ` is damage.
    private static let formatChunkLimit = 1024

    /// Reads up to the first sample.
    ///
    /// Nil, with nothing taken but a look ahead, if this is no RIFF WAVE at all; nil after the format chunk for a format that is
    /// not plain PCM.
    init?(reading input: ByteInput) throws(PCMFileError) {
        let head = Array(try input.peek(12))
        guard head.count == 12, ["RIFF", "RF64"].contains(Self.text(head[0..<4])), Self.text(head[8..<12]) == "WAVE" else {
            return nil
        }
        _ = try input.read(12)
        isRF64 = Self.text(head[0..<4]) == "RF64"
        encoding = .int16
        sampleRate = 0
        channelCount = 0
        var longByteCount: Int?
        while true {
            let chunk = try input.read(8)
            guard chunk.count == 8 else {
                throw .malformedHeader(path: input.path, field: "the place of the data chunk", value: input.position)
            }
            let length = Self.number(chunk[4..<8])
            switch Self.text(chunk[0..<4]) {
            case "data":
                guard channelCount > 0 else { throw .malformedHeader(path: input.path, field: "the number of channels", value: 0) }
                declaredByteCount = Self.declaredByteCount(short: length, long: longByteCount, remaining: input.bytesRemaining)
                return
            case "ds64":
                let body = try input.read(min(length, Self.formatChunkLimit))
                if body.count >= 16 { longByteCount = Int(exactly: Self.number(body[8..<16])) }
                guard try input.skip(Self.padded(length) - body.count) else { continue }
            case "fmt ":
                guard (16...Self.formatChunkLimit).contains(length) else {
                    throw .malformedHeader(path: input.path, field: "the length of the format chunk", value: length)
                }
                let body = try input.read(Self.padded(length))
                guard try readFormat(body, path: input.path) else { return nil }
            default:
                guard try input.skip(Self.padded(length)) else { continue }
            }
        }
    }

    /// Whether the bytes begin a chunk that writers put behind the samples, so that the samples really end here.
    static func looksLikeChunk(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard bytes.count >= 8 else { return true }
        let id = text(bytes.prefix(4))
        let length = number(bytes.dropFirst(4).prefix(4))
        let isPrintable = bytes.prefix(4).allSatisfy { (0x20...0x7E).contains($0) }
        let known = ["LIST", "id3 ", "ID3 ", "bext", "cue ", "fact", "smpl", "inst", "PEAK", "iXML", "JUNK", "_PMX", "acid", "cart"]
        return known.contains(id) || isPrintable && length < 1 << 20
    }

    /// The length to believe, if any: a writer that could not seek back left a number close to the field's limit.
    private static func declaredByteCount(short: Int, long: Int?, remaining: Int?) -> Int? {
        let declared = short == 0xFFFF_FFFF ? long ?? short : short
        let isPlaceholder = declared == short && short >= unknownLength || declared == Int.max
        return isPlaceholder && declared > remaining ?? 0 ? nil : declared
    }

    /// Takes the fields of a format chunk; false for compressed formats.
    private mutating func readFormat(_ body: [UInt8], path: String) throws(PCMFileError) -> Bool {
        guard body.count >= 16 else { throw .malformedHeader(path: path, field: "the length of the format chunk", value: body.count) }
        var tag = Self.number(body[0..<2])
        channelCount = Self.number(body[2..<4])
        sampleRate = Self.number(body[4..<8])
        let bytesPerFrame = Self.number(body[12..<14])
        let bitsPerSample = Self.number(body[14..<16])
        if tag == 0xFFFE, body.count >= 40 {
            channelMask = UInt32(truncatingIfNeeded: Self.number(body[20..<24]))
            tag = Self.number(body[24..<26])
        }
        guard tag == 1 || tag == 3 else { return false }
        guard (1...256).contains(channelCount) else {
            throw .malformedHeader(path: path, field: "the number of channels", value: channelCount)
        }
        guard (1...100_000_000).contains(sampleRate) else {
            throw .malformedHeader(path: path, field: "the sample rate", value: sampleRate)
        }
        guard let found = Self.encoding(tag: tag, byteCount: bytesPerFrame / channelCount), bytesPerFrame % channelCount == 0,
            bitsPerSample <= found.byteCount * 8
        else {
            throw .malformedHeader(path: path, field: "the number of bytes a frame", value: bytesPerFrame)
        }
        encoding = found
        return true
    }

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

    private static func padded(_ length: Int) -> Int { length + length & 1 }

    private static func text(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }

    /// A little-endian number of up to eight bytes; larger than Int if the top bit of eight is set, hence the clamp.
    private static func number(_ bytes: ArraySlice<UInt8>) -> Int {
        let value = bytes.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return Int(clamping: value)
    }
}
