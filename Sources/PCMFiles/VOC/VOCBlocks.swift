// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives
internal import SystemFiles

/// The blocks of a Creative Voice file with PCM.
///
/// libsndfile reads the headers of further blocks as samples, and ADPCM as PCM.
struct VOCBlocks {
    let format: AudioFormat
    /// The positions of the samples in the file.
    let ranges: [Range<Int>]

    private static let signature = Array("Creative Voice File\u{1A}".utf8)
    /// The block types.
    ///
    /// `audio` codes the sample rate in 8 bits, a preceding `extended` block in 16, `newAudio` in 32.
    private enum Kind {
        static let (end, audio, continuation, marker, text) = (0, 1, 2, 4, 5)
        static let (extended, newAudio) = (8, 9)
    }
    private static let soxDeficit = 8
    /// The maximum number of blocks: 4 GiB with FFmpeg's block size.
    private static let blockLimit = 1 << 20
    private enum Codec { static let (unsigned8, signed16) = (0, 4) }

    /// Reads the blocks of a file, or returns `nil` if it is not a Creative Voice file.
    ///
    /// - Throws: ``AudioFileError/Code/unsupportedInput(format:)`` for codecs other than PCM, silence, loops and format changes.
    init?(_ input: FileInput) throws {
        try input.seek(to: 0)
        let head = Array(try input.peek(26))
        guard head.count == 26, head.starts(with: Self.signature), let byteCount = input.byteCount else { return nil }
        var position = Int(head[20]) | Int(head[21]) << 8
        var ranges: [Range<Int>] = []
        var (found, extended): (AudioFormat?, (rate: Int, channelCount: Int)?) = (nil, nil)
        for _ in 0..<Self.blockLimit where position < byteCount {
            let block = try input.bytes(at: position..<position + 16)
            guard let kind = block.first.map(Int.init), kind != Kind.end, block.count >= 4 else { break }
            let length = Self.number(block[1..<4])
            var end = min(byteCount, position + 4 + length)
            var headByteCount = 0
            switch kind {
            case Kind.audio where block.count >= 6:
                headByteCount = 2
                let rate = extended?.rate ?? 1_000_000 / (256 - Int(block[4]))
                try Self.change(&found, to: Self.format(Int(block[5]), rate, extended?.channelCount ?? 1, input.path), input.path)
                extended = nil
            case Kind.newAudio where block.count == 16:
                headByteCount = 12
                // SoX counts eight bytes too few, and a terminator block may follow.
                if ranges.isEmpty, Self.soxDeficit...Self.soxDeficit + 1 ~= byteCount - end { end += Self.soxDeficit }
                let rate = Self.number(block[4..<8])
                try Self.change(&found, to: Self.format(Self.number(block[10..<12]), rate, Int(block[9]), input.path), input.path)
            case Kind.continuation: break
            case Kind.extended where block.count >= 8:
                let channelCount = block[7] == 1 ? 2 : 1
                extended = (256_000_000 / (65_536 - Self.number(block[4..<6])) / channelCount, channelCount)
            case Kind.marker, Kind.text: break
            default: throw AudioFileError(.unrecognizedFormat(reason: "unsupported VOC block type \(kind)"), path: input.path)
            }
            let isAudio = kind == Kind.audio || kind == Kind.newAudio || kind == Kind.continuation
            if isAudio, position + 4 + headByteCount < end { ranges.append(position + 4 + headByteCount..<end) }
            position = max(end, position + 4 + length)
        }
        guard let found else { throw AudioFileError(.unrecognizedFormat(reason: "it has no samples"), path: input.path) }
        (format, self.ranges) = (found, ranges)
    }

    /// Sets the format of the first block and rejects later changes.
    private static func change(_ format: inout AudioFormat?, to new: AudioFormat, _ path: String) throws(AudioFileError) {
        if let format, format != new {
            throw AudioFileError(.unrecognizedFormat(reason: "its VOC blocks have different formats"), path: path)
        }
        format = new
    }

    private static func format(_ codec: Int, _ sampleRate: Int, _ channelCount: Int, _ path: String) throws(AudioFileError) -> AudioFormat {
        guard codec == Codec.unsigned8 || codec == Codec.signed16 else {
            let names = [1: "Creative ADPCM", 2: "Creative ADPCM", 3: "Creative ADPCM", 6: "A-law", 7: "µ-law", 0x200: "Creative ADPCM"]
            let name = names[codec] ?? "codec \(codec)"
            throw AudioFileError(
                .unrecognizedFormat(reason: "it is VOC with \(name); \(AudioFileError.conversionAdvice(path))"), path: path)
        }
        guard 1...1_000_000 ~= sampleRate else {
            throw AudioFileError(.malformedHeader(field: "the sample rate", value: sampleRate), path: path)
        }
        guard 1...2 ~= channelCount else {
            throw AudioFileError(.malformedHeader(field: "the channel count", value: channelCount), path: path)
        }
        return AudioFormat(codec == Codec.unsigned8 ? .unsigned8 : .int16, sampleRate: sampleRate, channelCount: channelCount)
    }

    /// Returns a little-endian number.
    private static func number(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reversed().reduce(0) { $0 << 8 | Int($1) } }
}
