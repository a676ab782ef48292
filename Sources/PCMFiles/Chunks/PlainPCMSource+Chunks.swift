// SPDX-License-Identifier: Apache-2.0

internal import AudioMetadata
internal import AudioPrimitives
package import SystemFiles

extension PlainPCMSource {
    /// The smallest AIFF length that programs use as a placeholder if they cannot seek back.
    private static let unknownLength = 0x7F00_0000 - 8

    /// Opens an uncompressed AIFF or CAF file; `nil`, without moving the input, for other formats.
    ///
    /// - Parameter input: A file or memory, positioned after ID3v2 tags.
    package convenience init?(chunksOf input: FileInput) throws {
        guard let list = try ChunkList(input), list.kind != "8SVX" else { return nil }
        let plain = try list.isCAF ? CAFHeader.plain(list, input) : AIFFHeader.plain(list, input)
        guard let samples = list.chunks.first(where: { $0.id == (list.isCAF ? "data" : "SSND") }) else {
            // AIFF without sample frames needs no chunk for them.
            if let plain, !list.isCAF, plain.declaredByteCount == nil { return nil }
            throw AudioFileError(.malformedHeader(field: "data chunk", value: input.byteCount ?? 0), path: input.path)
        }
        guard var header = plain else { return nil }
        guard header.channelCount <= ChunkSink.channelLimit else {
            throw AudioFileError(.malformedHeader(field: "the channel count", value: header.channelCount), path: input.path)
        }
        header.layout = try list.layout(of: input)
        if header.layout?.channelCount != header.channelCount {
            // A library may support more layouts.
            guard header.channelCount <= 2 || header.layout == nil && !list.chunks.contains(where: { $0.id.lowercased() == "chan" }) else {
                return nil
            }
            header.layout = nil
        }
        // An edit count, or an offset and a block size, precede the samples.
        var start = samples.contents.lowerBound + 4
        if !list.isCAF {
            let offset = try input.bytes(at: samples.contents.lowerBound..<start).reduce(0) { $0 << 8 | Int($1) }
            start += 4 + offset
        }
        start = min(start, samples.contents.upperBound)
        let declared = samples.declaredByteCount.map { max(0, $0 - (start - samples.contents.lowerBound)) }
        // CAF lengths have 64 bits.
        let unknown = list.isCAF ? .max : Self.unknownLength
        if declared ?? .max >= unknown, declared ?? .max > samples.contents.upperBound - start {
            header.declaredByteCount = nil
        } else {
            header.declaredByteCount = min(declared ?? .max, header.declaredByteCount ?? .max)
        }
        header.hasReliableLength = header.declaredByteCount != nil
        header.tags = AudioTags(reading: input)
        let part = try input.joining([start + input.startOffset..<samples.contents.upperBound + input.startOffset])
        self.init(part, header: header)
    }
}
