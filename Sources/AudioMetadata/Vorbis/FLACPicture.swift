// SPDX-License-Identifier: Apache-2.0

/// A picture as FLAC stores it, which comments hold in text (RFC 9639 8.8).
package struct FLACPicture: Hashable, Sendable {
    /// The picture.
    package var picture: AudioTags.Picture

    /// The largest number of a kind.
    private static let largestKind = 20

    /// Creates a picture.
    package init(_ picture: AudioTags.Picture) { self.picture = picture }

    /// Parses a picture; nil if the bytes end too early, or it is a reference.
    package init?(parsing bytes: ArraySlice<UInt8>) {
        var cursor = TagCursor(bytes)
        guard let kind = cursor.readBigEndian(4), let mediaType = cursor.readBigEndian(4).flatMap({ cursor.read($0) }),
            let text = cursor.readBigEndian(4).flatMap({ cursor.read($0) }),
            // Width, height, depth and colours.
            cursor.read(16) != nil, let picture = cursor.readBigEndian(4).flatMap({ cursor.read($0) }), !picture.isEmpty,
            !mediaType.elementsEqual("-->".utf8)
        else { return nil }
        self.picture = AudioTags.Picture(
            kind: .init(rawValue: kind <= Self.largestKind ? kind : 0), mediaType: TagText.decode(mediaType), text: TagText.decode(text),
            bytes: Array(picture))
    }

    /// The bytes of the picture, without its size in pixels.
    package var serialized: [UInt8] {
        var bytes: [UInt8] = []
        bytes.appendBigEndian(picture.kind.rawValue, byteCount: 4)
        for text in [picture.mediaType, picture.text] {
            bytes.appendBigEndian(text.utf8.count, byteCount: 4)
            bytes += Array(text.utf8)
        }
        bytes += [UInt8](repeating: 0, count: 16)
        bytes.appendBigEndian(picture.bytes.count, byteCount: 4)
        return bytes + picture.bytes
    }
}
