// SPDX-License-Identifier: Apache-2.0

#if canImport(CPCMLibraries)
internal import AudioMetadata
internal import SystemFiles

/// The parts of an AIFF, CAF or 8SVX file that libsndfile needs.
///
/// Version 1.2 refuses files whose tags exceed about 64 KiB, such as a cover picture, and counts the padding byte of 8SVX as a sample.
enum SndfileInput {
    /// The chunks that say how to decode the samples, and the samples.
    private static let needed: Set<String> = [
        "FVER", "COMM", "CHAN", "SSND", "VHDR", "BODY", "desc", "chan", "pakt", "kuki", "data",
    ]
    /// The maximum number of chunks that are searched.
    private static let chunkLimit = 4096

    /// Returns a file without the chunks that are not needed; the input itself if it has another format.
    ///
    /// - Parameter input: A regular file or memory, at the first byte of the format.
    static func withoutTags(_ input: FileInput) throws -> FileInput {
        let start = input.position
        guard let end = input.byteCount else { return input }
        let head = Array(try input.peek(12))
        let isCAF = head.starts(with: "caff".utf8)
        let isForm =
            head.starts(with: "FORM".utf8) && ["AIFF", "AIFC", "8SVX"].contains(String(decoding: head.dropFirst(8), as: UTF8.self))
        guard isCAF || isForm else { return input }
        var ranges: [Range<Int>] = []
        var offset = start + (isCAF ? 8 : 12)
        let headByteCount = isCAF ? 12 : 8
        for _ in 0..<chunkLimit where end - offset > headByteCount {
            var cursor = TagCursor(try input.bytes(at: offset..<offset + headByteCount)[...])
            guard let id = cursor.read(4), let high = isCAF ? cursor.readBigEndian(4) : 0, let low = cursor.readBigEndian(4) else { break }
            // A length of 2^32 and more is that of the rest, as is one of CAF that is open.
            let length = min(high == 0 ? low : .max, end - offset - headByteCount)
            let next = offset + headByteCount + length
            if needed.contains(String(decoding: id, as: UTF8.self)) { ranges.append(offset..<next) }
            offset = next + (isCAF ? 0 : length & 1)
        }
        guard !ranges.isEmpty else { return input }
        // Only the last chunk loses its padding byte: it is part of the range wherever another one follows.
        for index in ranges.indices.dropLast() where !isCAF && ranges[index].count % 2 == 1 {
            ranges[index] = ranges[index].lowerBound..<ranges[index].upperBound + 1
        }
        var prefix = isCAF ? Array(head.prefix(8)) : Array("FORM".utf8)
        if isForm {
            prefix.appendBigEndian(4 + ranges.reduce(0) { $0 + $1.count }, byteCount: 4)
            prefix += head[8..<12]
        }
        return try input.joining(ranges.map { $0.lowerBound + input.startOffset..<$0.upperBound + input.startOffset }, prefix: prefix)
    }
}
#endif
