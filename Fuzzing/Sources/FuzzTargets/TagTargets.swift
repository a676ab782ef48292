// SPDX-License-Identifier: Apache-2.0

import AudioMetadata

extension FuzzTarget {
    /// Reads the tags of any file, with ``checkTags(_:of:)``.
    static let tags = FuzzTarget("tags") { checkTags(AudioTags(reading: TagSource($0)), of: $0) }

    /// Reads an ID3v2 tag, with ``checkTags(_:of:)``.
    static let id3 = FuzzTarget("id3") { if let tag = ID3v2Tag(parsing: $0[...]) { checkTags(tag.tags, of: $0) } }

    /// Reads Vorbis comments, with ``checkTags(_:of:)``.
    static let vorbisComments = FuzzTarget("vorbis-comments") {
        if let comments = VorbisComments(parsing: $0[...]) { checkTags(comments.tags, of: $0) }
    }

    /// Reads a CUE sheet, a FLAC block with one, and a chapter list: none has more chapters than bytes, and chapters are in order.
    static let chapters = FuzzTarget("chapters") { bytes in
        let text = TagText.decode(bytes)
        var tags = AudioTags()
        let block = FLACCueSheet(parsing: bytes[...], sampleRate: 44_100)
        for found in [CueSheet(text)?.chapters ?? [], ChapterList.chapters(text) ?? [], block.chapters] {
            precondition(found.count <= bytes.count)
            tags.setChapters(found)
            checkTags(tags, of: bytes)
            precondition(!zip(tags.chapters, tags.chapters.dropFirst()).contains { AudioTags.Chapter.isBefore($1, $0) })
        }
    }

    /// Reads an APE tag, with ``checkTags(_:of:)``.
    static let ape = FuzzTarget("ape") { if let tags = APETag.tags($0[...]) { checkTags(tags, of: $0) } }
}

/// Checks that tags are no larger than the bytes they were read from, and survive a round trip.
func checkTags(_ tags: AudioTags, of bytes: [UInt8]) {
    let byteCount = tags.fields.reduce(0) { $0 + $1.value.utf8.count } + tags.pictures.reduce(0) { $0 + $1.bytes.count }
    // Invalid UTF-8 becomes at most two bytes per byte, and genre names replace numbers.
    precondition(byteCount <= 3 * bytes.count + 100 * tags.fields.count)
    let blocks = FLACMetadata(tags: tags, vendor: "").serialized
    let again = AudioTags(reading: TagSource(Array("fLaC".utf8) + blocks))
    precondition(again.pictures.count == tags.pictures.count)
    precondition(again.title == tags.title)
    precondition(again.chapters.count >= tags.chapters.count)
    _ = ID3v2Tag.serialized(tags)
    _ = VorbisComments(tags: tags).serialized(.opus)
    _ = CAFInformation(tags: tags).serialized
    _ = RIFFInformation(tags).chunk
}
