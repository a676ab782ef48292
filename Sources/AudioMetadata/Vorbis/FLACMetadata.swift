// SPDX-License-Identifier: Apache-2.0

/// The metadata blocks of a FLAC stream that hold tags (RFC 9639 8).
package struct FLACMetadata: Hashable, Sendable {
    /// The types of blocks.
    package enum BlockType {
        /// The format of the samples.
        static let streamInfo = 0
        /// The tracks of a disc.
        static let cueSheet = 5
        /// Vorbis comments.
        package static let comments = 4
        /// A picture.
        package static let picture = 6
    }

    /// The number of bytes before the contents of a block.
    package static let headByteCount = 4
    /// The most bytes of the contents of a block.
    package static let largestBlock = (1 << 24) - 1

    /// The comments, and the pictures of blocks of their own.
    package var comments: VorbisComments

    /// Creates the blocks of tags.
    package init(tags: AudioTags, vendor: String) {
        comments = VorbisComments(tags: tags)
        comments.vendor = vendor
    }

    /// The bytes of the blocks, none of them marked as the last one.
    package var serialized: [UInt8] {
        var bytes = Self.block(BlockType.comments, comments.serialized(.flac))
        for picture in comments.tags.pictures { bytes += Self.block(BlockType.picture, picture.flacBlock) }
        return bytes
    }

    /// Returns a block of a type.
    private static func block(_ type: Int, _ contents: [UInt8]) -> [UInt8] {
        var bytes = [UInt8(type)]
        bytes.appendBigEndian(contents.count, byteCount: 3)
        return bytes + contents
    }

    /// Returns the sample rate in the first block, its 20 bits after 10 bytes; 0 if it is cut off.
    package static func sampleRate(_ streamInfo: [UInt8]) -> Int {
        streamInfo.count < 13 ? 0 : Int(streamInfo[10]) << 12 | Int(streamInfo[11]) << 4 | Int(streamInfo[12]) >> 4
    }

    /// Takes the contents of a block into tags; other types than comments and pictures are ignored.
    static func read(_ type: Int, _ contents: ArraySlice<UInt8>, into tags: inout AudioTags) {
        switch type {
        case BlockType.comments:
            guard var found = VorbisComments(parsing: contents) else { return }
            // The vendor is the library that every program uses.
            if found.tags.encoder == found.vendor { found.tags.encoder = nil }
            tags.merge(found.tags)
        case BlockType.picture: AudioTags.Picture(flacBlock: contents).map { tags.pictures.append($0) }
        default: break
        }
    }
}
