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
    /// Returns a file without the chunks that are not needed; the input itself if it has another format.
    ///
    /// - Parameter input: A regular file or memory, at the first byte of the format.
    static func withoutTags(_ input: FileInput) throws -> FileInput {
        guard let list = try ChunkList(input) else { return input }
        var ranges = list.chunks.filter { needed.contains($0.id) }.map {
            $0.contents.lowerBound - list.headByteCount..<$0.contents.upperBound
        }
        guard !ranges.isEmpty else { return input }
        // Only the last chunk loses its padding byte: it is part of the range wherever another one follows.
        for index in ranges.indices.dropLast() where !list.isCAF && ranges[index].count % 2 == 1 {
            ranges[index] = ranges[index].lowerBound..<ranges[index].upperBound + 1
        }
        let head = Array(try input.peek(12))
        var prefix = list.isCAF ? Array(head.prefix(8)) : Array("FORM".utf8)
        if !list.isCAF {
            prefix.appendBigEndian(4 + ranges.reduce(0) { $0 + $1.count }, byteCount: 4)
            prefix += head[8..<12]
        }
        return try input.joining(ranges.map { $0.lowerBound + input.startOffset..<$0.upperBound + input.startOffset }, prefix: prefix)
    }
}
#endif
