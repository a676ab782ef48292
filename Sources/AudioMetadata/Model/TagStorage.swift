// SPDX-License-Identifier: Apache-2.0

/// The tag storage of a file format, which determines which tags it can keep.
package enum TagStorage: Hashable, Sendable {
    /// No tags: raw PCM, ADTS, LOAS, MPEG-TS and iLBC.
    case none
    case opusComments
    case flacBlocks
    /// M4A items (`ilst`).
    case items
    /// CAF strings (`info`).
    case words
    /// An ID3v2 tag in an AIFF chunk.
    case id3
    /// The chunks of a WAV file.
    case wave

    /// The supported picture types in M4A.
    package static let itemMediaTypes = ["image/jpeg", "image/png", "image/bmp"]
    /// The maximum total size of FLAC comments and pictures, in bytes.
    private static let flacByteLimit = FLACMetadata.maximumBlockByteCount - 65_536

    /// Returns the part of `tags` that can be stored.
    package func storable(_ tags: AudioTags) -> AudioTags {
        var kept = tags
        kept.unreadNames = []
        if self != .wave { kept.wave = AudioTags.WAVEParts() }
        switch self {
        case .none: return AudioTags()
        case .id3, .wave: break
        case .opusComments: kept.removeChapterPictures()
        case .words: (kept.pictures, kept.chapters) = ([], [])
        case .items:
            kept.pictures.removeAll { !Self.itemMediaTypes.contains($0.mediaType) }
            kept.removeChapterPictures()
            for index in kept.chapters.indices { kept.chapters[index].address = nil }
        case .flacBlocks:
            kept.removeChapterPictures()
            var byteCount = FLACMetadata(tags: kept, vendor: "").serialized.count
            while byteCount > Self.flacByteLimit, let last = kept.pictures.popLast() { byteCount -= last.flacBlock.count + 4 }
        }
        return kept
    }

    /// Returns the names of tags that cannot be stored, of parts of pictures, and of tags whose name changes.
    package func namesLost(of tags: AudioTags) -> [String] {
        if self == .flacBlocks || self == .opusComments {
            var renamed: [String] = []
            for field in tags.fields where VorbisComments.name(field.key) != field.key.folded {
                let name = "tag name '\(field.key.name)'"
                if !renamed.contains(name) { renamed.append(name) }
            }
            return namesOmitted(of: tags) + renamed
        }
        // In M4A the first picture is the front cover.
        let isDescribed = storable(tags).pictures.enumerated().contains {
            $1.kind != ($0 == 0 ? .frontCover : .other) || !$1.text.isEmpty
        }
        return namesOmitted(of: tags) + (self == .items && isDescribed ? ["kinds and descriptions of pictures"] : [])
    }

    /// Returns the names of tags that cannot be stored.
    package func namesOmitted(of tags: AudioTags) -> [String] {
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
    fileprivate mutating func removeChapterPictures() {
        for index in chapters.indices { chapters[index].picture = nil }
    }
}
