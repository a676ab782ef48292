// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// A picture as FLAC stores it, which comments hold in text (RFC 9639 8.8).
package struct FLACPicture: Hashable, Sendable {
    /// The picture.
    package var picture: AudioTags.Picture
    /// Whether it is the front cover.
    package var isFrontCover = true

    private static let frontCover = 3

    /// Creates a front cover.
    init(picture: AudioTags.Picture) { self.picture = picture }

    /// Parses a picture; nil if the bytes end too early, or it is neither JPEG nor PNG.
    package init?(parsing bytes: [UInt8]) {
        var cursor = ByteCursor(bytes)
        do throws(ContainerError) {
            isFrontCover = try cursor.readInteger(4) == Self.frontCover
            // The media type and the description; then width, height, depth and colours.
            try cursor.skip(try cursor.readInteger(4))
            try cursor.skip(try cursor.readInteger(4))
            try cursor.skip(16)
            guard let found = AudioTags.Picture(bytes: try cursor.readBytes(try cursor.readInteger(4))) else { return nil }
            picture = found
        } catch {
            return nil
        }
    }

    /// The bytes of the picture, without its size in pixels.
    var serialized: [UInt8] {
        let mediaType = Array((picture.format == .jpeg ? "image/jpeg" : "image/png").utf8)
        return Self.number(Self.frontCover) + Self.number(mediaType.count) + mediaType + Self.number(0) + [UInt8](repeating: 0, count: 16)
            + Self.number(picture.bytes.count) + picture.bytes
    }

    /// Returns a number in four bytes, the most significant first.
    private static func number(_ value: Int) -> [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) } }
}
