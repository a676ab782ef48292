// SPDX-License-Identifier: Apache-2.0

/// The place of tags in a file, which decides what of them can be kept.
package enum TagStorage: Hashable, Sendable {
    /// There is none: raw PCM, ADTS, LOAS, MPEG-TS, iLBC.
    case none
    /// Comments of Opus.
    case opusComments
    /// Metadata blocks of FLAC.
    case flacBlocks
    /// Items of M4A (`ilst`).
    case items
    /// Words of CAF (`info`).
    case words
    /// An ID3v2 tag in a chunk of WAV or AIFF.
    case id3

    /// The media types of pictures in M4A.
    package static let itemMediaTypes = ["image/jpeg", "image/png", "image/bmp"]
    /// The bytes that comments and pictures of FLAC may have together.
    private static let flacByteLimit = FLACMetadata.largestBlock - 65_536

    /// Returns what of some tags can be kept.
    package func storable(_ tags: AudioTags) -> AudioTags {
        var kept = tags
        kept.unreadNames = []
        switch self {
        case .none: return AudioTags()
        case .id3: break
        case .opusComments: kept.removeChapterPictures()
        case .words: (kept.pictures, kept.chapters) = ([], [])
        case .items:
            kept.pictures.removeAll { !Self.itemMediaTypes.contains($0.mediaType) }
            kept.removeChapterPictures()
            for index in kept.chapters.indices { kept.chapters[index].address = nil }
        case .flacBlocks:
            kept.removeChapterPictures()
            while !kept.pictures.isEmpty, FLACMetadata(tags: kept, vendor: "").serialized.count > Self.flacByteLimit {
                kept.pictures.removeLast()
            }
        }
        return kept
    }

    /// Returns the names of what can't be kept of some tags.
    package func namesLost(of tags: AudioTags) -> [String] {
        let kept = storable(tags)
        let names = kept.names
        var lost = tags.names.filter { !names.contains($0) }
        if kept.pictures.count < tags.pictures.count, !lost.contains("cover"), !lost.contains("other pictures") {
            lost.append("other pictures")
        }
        return lost
    }
}

extension AudioTags {
    /// Removes the pictures of chapters.
    fileprivate mutating func removeChapterPictures() {
        for index in chapters.indices { chapters[index].picture = nil }
    }
}
