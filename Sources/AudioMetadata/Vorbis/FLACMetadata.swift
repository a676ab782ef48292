// SPDX-License-Identifier: Apache-2.0

/// The FLAC metadata blocks that contain tags (RFC 9639, 8).
package struct FLACMetadata: Hashable, Sendable {
    package enum BlockType {
        static let streamInfo = 0
        static let padding = 1
        static let cueSheet = 5
        package static let comments = 4
        package static let picture = 6
    }

    /// The size of a block header, in bytes.
    package static let headByteCount = 4
    /// The maximum size of a block without header, in bytes.
    package static let maximumBlockByteCount = (1 << 24) - 1

    /// The comments, with the pictures of separate blocks.
    package var comments: VorbisComments

    package init(tags: AudioTags, vendor: String) {
        comments = VorbisComments(tags: tags)
        comments.vendor = vendor
    }

    /// The blocks as bytes, none marked as the last.
    package var serialized: [UInt8] {
        var bytes = Self.block(BlockType.comments, comments.serialized(.flac))
        for picture in comments.tags.pictures { bytes += Self.block(BlockType.picture, picture.flacBlock) }
        return bytes
    }

    static func block(_ type: Int, _ contents: [UInt8]) -> [UInt8] {
        var bytes = [UInt8(type)]
        bytes.appendBigEndian(contents.count, byteCount: 3)
        return bytes + contents
    }

    /// Returns the sample rate from a stream information block (20 bits at byte 10), or 0 if it is truncated.
    package static func sampleRate(_ streamInfo: [UInt8]) -> Int {
        streamInfo.count < 13 ? 0 : Int(streamInfo[10]) << 12 | Int(streamInfo[11]) << 4 | Int(streamInfo[12]) >> 4
    }

    /// Adds a comment or picture block to tags, ignoring other types.
    static func read(_ type: Int, _ contents: ArraySlice<UInt8>, into tags: inout AudioTags) {
        switch type {
        case BlockType.comments:
            guard var found = VorbisComments(parsing: contents) else { return }
            // The vendor string names the library, which is the same for all programs.
            if found.tags.encoder == found.vendor { found.tags.encoder = nil }
            tags.merge(found.tags)
        case BlockType.picture: AudioTags.Picture(flacBlock: contents).map { tags.pictures.append($0) }
        default: break
        }
    }
}
