// SPDX-License-Identifier: Apache-2.0

/// Pictures in FLAC's format, which comments contain in Base64 (RFC 9639, 8.8).
extension AudioTags.Picture {
    private static let maximumKind = 20

    /// Parses a picture, or returns `nil` if it is truncated or a link.
    init?(flacBlock bytes: ArraySlice<UInt8>) {
        var cursor = TagCursor(bytes)
        guard let kind = cursor.readBigEndian(4), let mediaType = cursor.readBigEndian(4).flatMap({ cursor.read($0) }),
            let text = cursor.readBigEndian(4).flatMap({ cursor.read($0) }),
            // Width, height, depth and number of colours.
            cursor.read(16) != nil, let picture = cursor.readBigEndian(4).flatMap({ cursor.read($0) }), !picture.isEmpty,
            !mediaType.elementsEqual("-->".utf8)
        else { return nil }
        self.init(
            kind: .init(rawValue: kind <= Self.maximumKind ? kind : 0), mediaType: TagText.decode(mediaType), text: TagText.decode(text),
            bytes: Array(picture))
    }

    /// The picture block, with unknown pixel dimensions.
    var flacBlock: [UInt8] {
        var block: [UInt8] = []
        block.appendBigEndian(kind.rawValue, byteCount: 4)
        for text in [mediaType, text] {
            block.appendBigEndian(text.utf8.count, byteCount: 4)
            block += Array(text.utf8)
        }
        block += [UInt8](repeating: 0, count: 16)
        block.appendBigEndian(bytes.count, byteCount: 4)
        return block + bytes
    }
}
