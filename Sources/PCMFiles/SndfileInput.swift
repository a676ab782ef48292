// SPDX-License-Identifier: Apache-2.0

#if canImport(CPCMLibraries)
internal import AudioMetadata
internal import SystemFiles

/// Reduces an AIFF, CAF or 8SVX file to the parts that libsndfile needs.
///
/// Version 1.2 rejects files whose tags exceed about 64 KiB, such as a cover picture, and counts the padding byte of 8SVX as a sample.
enum SndfileInput {
    /// The chunks with the samples and their format.
    private static let needed: Set<String> = [
        "FVER", "COMM", "CHAN", "SSND", "VHDR", "BODY", "desc", "chan", "pakt", "kuki", "data",
    ]
    /// Returns a file with only the needed chunks, or the input itself for other formats.
    ///
    /// - Parameter input: A regular file or memory, at the first byte of the format.
    static func withoutTags(_ input: FileInput) throws -> FileInput {
        guard let list = try ChunkList(input) else { return input }
        var ranges = list.chunks.filter { needed.contains($0.id) }.map {
            $0.contents.lowerBound - list.headByteCount..<$0.contents.upperBound
        }
        guard !ranges.isEmpty else { return input }
        // Drop the padding byte of the last chunk only. Other chunks need theirs.
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
