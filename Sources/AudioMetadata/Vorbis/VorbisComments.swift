// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives

/// The comments of Vorbis, Opus and FLAC: a vendor string and texts in the form `NAME=value` (Vorbis I specification, 5; RFC 9639, 8.6).
package struct VorbisComments: Hashable, Sendable {
    /// The representation of gains and pictures.
    package enum Form: Sendable {
        /// Opus: gains relative to -23 LUFS, pictures as comments.
        case opus
        /// FLAC: ReplayGain, pictures in separate blocks.
        case flac
    }

    /// The library or program that created the stream.
    package var vendor = "Linnet"
    package var tags = AudioTags()

    private static let picture: AudioTags.Key = "METADATA_BLOCK_PICTURE"
    /// The comment with the channel mask, which is a stream property and not a tag (RFC 9639, 8.6.2).
    package static let channelMask = "WAVEFORMATEXTENSIBLE_CHANNEL_MASK"
    private static let channelMaskKey = AudioTags.Key(channelMask)
    private static let cueSheet: AudioTags.Key = "CUESHEET"
    private static let countLimit = 100_000

    package init(tags: AudioTags) { self.tags = tags }

    /// Parses comments, starting at the vendor length, or returns `nil` if they are truncated.
    package init?(parsing bytes: ArraySlice<UInt8>) {
        var cursor = TagCursor(bytes)
        guard let vendor = cursor.readLittleEndian(4).flatMap({ cursor.read($0) }) else { return nil }
        self.vendor = TagText.decode(vendor)
        guard let count = cursor.readLittleEndian(4), count <= cursor.remaining / 4 else { return nil }
        for _ in 0..<min(count, Self.countLimit) {
            guard let comment = cursor.readLittleEndian(4).flatMap({ cursor.read($0) }) else {
                tags.addUnread("truncated comments")
                break
            }
            take(comment)
        }
        tags.extractGains()
        tags.extractChapters()
        if tags.chapters.isEmpty, let sheet = tags.first(Self.cueSheet).flatMap({ CueSheet($0) }) { tags.setChapters(sheet.chapters) }
        // The vendor string replaces a missing encoder name.
        if tags.encoder == nil, !self.vendor.isEmpty { tags.encoder = self.vendor }
    }

    private mutating func take(_ comment: ArraySlice<UInt8>) {
        guard let separator = comment.firstIndex(of: UInt8(ascii: "=")) else { return }
        let key = TagNames.key(comment: String(decoding: comment[..<separator], as: UTF8.self))
        let value = comment[(separator + 1)...]
        if key == Self.picture {
            guard let block = Base64.decode(value), let found = AudioTags.Picture(flacBlock: block[...]) else {
                return tags.addUnread("damaged pictures")
            }
            tags.pictures.append(found)
        } else if key != Self.channelMaskKey {
            tags.add(TagText.decode(value), named: key)
        }
    }

    /// Returns the comments for texts, gains and chapters, without pictures.
    package func texts(_ form: Form) -> [String] {
        let fields = form == .opus ? tags.fieldsWithOpusGains : tags.fieldsWithGains
        return fields.map { "\(Self.name($0.key))=\($0.value)" } + tags.chapterComments
    }

    /// Returns the comments as bytes, starting with the vendor length.
    package func serialized(_ form: Form) -> [UInt8] {
        var comments = texts(form).map { Array($0.utf8) }
        if form == .opus {
            comments += tags.pictures.map { Array("\(Self.picture.name)=".utf8) + Base64.encode($0.flacBlock) }
        }
        var bytes: [UInt8] = []
        bytes.appendLittleEndian(vendor.utf8.count, byteCount: 4)
        bytes += Array(vendor.utf8)
        bytes.appendLittleEndian(comments.count, byteCount: 4)
        for comment in comments {
            bytes.appendLittleEndian(comment.count, byteCount: 4)
            bytes += comment
        }
        return bytes
    }

    /// Returns a name in upper case, with invalid characters replaced.
    static func name(_ key: AudioTags.Key) -> String {
        let allowed = UInt8(ascii: " ")...UInt8(ascii: "}")
        let bytes = key.folded.utf8.map { allowed.contains($0) && $0 != UInt8(ascii: "=") ? $0 : UInt8(ascii: "_") }
        return String(decoding: bytes, as: UTF8.self)
    }
}
