// SPDX-License-Identifier: Apache-2.0

/// An ID3v1 tag, the last 128 bytes of a file.
package enum ID3v1Tag {
    package static let byteCount = 128

    /// Parses a tag, or returns `nil` if the bytes are not one.
    package static func tags(_ bytes: ArraySlice<UInt8>) -> AudioTags? {
        var cursor = TagCursor(bytes)
        guard bytes.count == byteCount, cursor.read(3)?.elementsEqual("TAG".utf8) == true else { return nil }
        var tags = AudioTags()
        for (key, count) in [(AudioTags.Key.title, 30), (.artist, 30), (.album, 30), (.date, 4)] {
            tags.add(text(cursor.readAtMost(count)), for: key)
        }
        let comment = cursor.readAtMost(30)
        // Version 1.1 ends with a zero and the track number.
        let end = Array(comment.suffix(2))
        let hasTrack = end[0] == 0 && end[1] != 0
        tags.add(text(hasTrack ? comment.dropLast(2) : comment), for: .comment)
        if hasTrack { tags.add(String(end[1]), for: .trackNumber) }
        if let genre = cursor.readBigEndian(1).flatMap(ID3Genres.name) { tags.add(genre, for: .genre) }
        return tags
    }

    /// Returns a zero-terminated text without trailing spaces.
    private static func text(_ bytes: ArraySlice<UInt8>) -> String { TagText.trimmed(TagText.decode(bytes.prefix { $0 != 0 })) }
}
