// SPDX-License-Identifier: Apache-2.0

extension FLACMetadata {
    /// Returns the start of metadata with other chapters in the same number of bytes, taken from the padding.
    ///
    /// - Parameters:
    ///   - metadata: The blocks that start with comments and padding. Later blocks are ignored.
    ///   - chapters: Replace the chapter comments.
    /// - Returns: The new comments and padding; `nil` if `metadata` has other blocks, or the padding is too short.
    package static func replacingChapters(in metadata: [UInt8], with chapters: [AudioTags.Chapter]) -> [UInt8]? {
        guard let first = head(metadata[...]), first.type == BlockType.comments,
            let padding = head(metadata.dropFirst(headByteCount + first.byteCount)), padding.type == BlockType.padding,
            let comments = replacingChapters(inComments: metadata.dropFirst(headByteCount).prefix(first.byteCount), with: chapters)
        else { return nil }
        let left = first.byteCount + padding.byteCount - comments.count
        guard left >= 0, comments.count <= maximumBlockByteCount else { return nil }
        var rest = block(BlockType.padding, [UInt8](repeating: 0, count: left))
        rest[0] |= padding.isLast ? 0x80 : 0
        return block(BlockType.comments, comments) + rest
    }

    /// Reads a block header, or returns `nil` if it is truncated.
    private static func head(_ bytes: ArraySlice<UInt8>) -> (type: Int, isLast: Bool, byteCount: Int)? {
        guard bytes.count >= headByteCount, let first = bytes.first else { return nil }
        return (Int(first & 0x7F), first >= 0x80, bytes.dropFirst().prefix(3).reduce(0) { $0 << 8 | Int($1) })
    }

    /// Returns the contents of a comment block with other chapters, which keeps the vendor and all other comments.
    private static func replacingChapters(inComments bytes: ArraySlice<UInt8>, with chapters: [AudioTags.Chapter]) -> [UInt8]? {
        var cursor = TagCursor(bytes)
        guard let vendor = cursor.readLittleEndian(4).flatMap({ cursor.read($0) }),
            let count = cursor.readLittleEndian(4), count <= cursor.remaining / 4
        else { return nil }
        var comments: [[UInt8]] = []
        for _ in 0..<count {
            guard let comment = cursor.readLittleEndian(4).flatMap({ cursor.read($0) }) else { return nil }
            if !AudioTags.isChapterComment(comment) { comments.append(Array(comment)) }
        }
        var tags = AudioTags()
        tags.setChapters(chapters)
        comments += tags.chapterComments.map { Array($0.utf8) }
        var result: [UInt8] = []
        result.appendLittleEndian(vendor.count, byteCount: 4)
        result += vendor
        result.appendLittleEndian(comments.count, byteCount: 4)
        for comment in comments {
            result.appendLittleEndian(comment.count, byteCount: 4)
            result += comment
        }
        return result
    }
}
