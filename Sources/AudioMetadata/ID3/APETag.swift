// SPDX-License-Identifier: Apache-2.0

/// An APE tag of version 1 or 2, at the end of Monkey's Audio files and some MP3 files.
package enum APETag {
    /// The header or footer size, in bytes.
    package static let footerByteCount = 32
    private static let signature = "APETAGEX"
    private static let itemLimit = 10_000
    private static let coverPrefix = "COVER ART ("

    /// Returns the size of items and footer in bytes, and of the header before them, or `nil` if the bytes are not a valid footer.
    package static func byteCount(footer: ArraySlice<UInt8>) -> (contents: Int, header: Int)? {
        var cursor = TagCursor(footer)
        guard footer.count == footerByteCount, cursor.read(8)?.elementsEqual(signature.utf8) == true, cursor.readLittleEndian(4) != nil,
            let size = cursor.readLittleEndian(4), size >= footerByteCount, cursor.read(7) != nil, let flags = cursor.read(1)?.first,
            flags & 0x20 == 0
        else { return nil }
        return (size, flags & 0x80 == 0 ? 0 : footerByteCount)
    }

    /// Parses items and the footer after them.
    package static func tags(_ bytes: ArraySlice<UInt8>) -> AudioTags? {
        guard byteCount(footer: bytes.suffix(footerByteCount)) != nil else { return nil }
        var tags = AudioTags()
        var cursor = TagCursor(bytes.dropLast(footerByteCount))
        for _ in 0..<itemLimit {
            guard let size = cursor.readLittleEndian(4), let flags = cursor.readLittleEndian(4) else { break }
            let name = cursor.rest.prefix { $0 != 0 }
            guard cursor.read(name.count + 1) != nil, let value = cursor.read(size) else { break }
            take(TagText.decode(name), value, isBinary: flags >> 1 & 3 == 1, into: &tags)
        }
        tags.extractGains()
        return tags
    }

    private static func take(_ name: String, _ value: ArraySlice<UInt8>, isBinary: Bool, into tags: inout AudioTags) {
        guard isBinary else {
            for text in value.split(separator: 0) { tags.add(TagText.decode(text), free: name) }
            return
        }
        let folded = AudioTags.Key.folded(name)
        guard folded.utf8.starts(with: coverPrefix.utf8) else { return tags.unreadNames.append(name) }
        // A file name and a zero precede the picture.
        let picture = value.drop { $0 != 0 }.dropFirst()
        guard !picture.isEmpty else { return }
        let kind: AudioTags.Picture.Kind =
            folded == coverPrefix + "FRONT)" ? .frontCover : folded == coverPrefix + "BACK)" ? .backCover : .other
        tags.pictures.append(AudioTags.Picture(kind: kind, mediaType: "application/octet-stream", bytes: Array(picture)))
    }
}
