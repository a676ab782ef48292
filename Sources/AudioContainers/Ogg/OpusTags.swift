// SPDX-License-Identifier: Apache-2.0

package import AudioMetadata

/// The comment header of Opus: the program that made the stream, and tags as `NAME=value` (RFC 7845 5.2).
package struct OpusTags: Hashable, Sendable {
    /// The eight bytes at the start of the header.
    static let signature = Array("OpusTags".utf8)

    private var comments: VorbisComments

    /// Title, artist and so on.
    var tags: AudioTags { comments.tags }

    /// Creates a header with tags.
    package init(tags: AudioTags) { comments = VorbisComments(tags: tags) }

    /// Parses a header; nil if its fields need more bytes than it has, or it is none.
    package init?(parsing bytes: [UInt8]) {
        guard bytes.starts(with: Self.signature), let comments = VorbisComments(parsing: bytes[Self.signature.count...]) else { return nil }
        self.comments = comments
    }

    /// The bytes of the header.
    package var serialized: [UInt8] { Self.signature + comments.serialized(.opus) }
}
