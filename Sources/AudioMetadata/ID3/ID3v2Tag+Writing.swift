// SPDX-License-Identifier: Apache-2.0

/// Writes ID3v2.4 tags in UTF-8 without unsynchronisation.
extension ID3v2Tag {
    /// The maximum size in bytes, which has 28 bits.
    private static let maximumBodyByteCount = (1 << 28) - 1

    /// Returns the tags as an ID3v2 tag, or nothing if they are empty or too large.
    package static func serialized(_ tags: AudioTags) -> [UInt8] {
        guard !tags.isEmpty else { return [] }
        var frames: [UInt8] = []
        if let track = tags.positionText(.trackNumber, .trackTotal) { frames += text("TRCK", [track]) }
        if let disc = tags.positionText(.discNumber, .discTotal) { frames += text("TPOS", [disc]) }
        let fields = tags.fieldsWithGains
        var written: Set<AudioTags.Key> = [.trackNumber, .trackTotal, .discNumber, .discTotal]
        for field in fields where written.insert(field.key).inserted {
            frames += frame(field.key, fields.filter { $0.key == field.key }.map { $0.value })
        }
        for picture in tags.pictures { frames += frame(picture) }
        frames += ID3v2Chapter.frames(tags.chapters)
        guard frames.count <= maximumBodyByteCount else { return [] }
        return Array("ID3".utf8) + [4, 0, 0] + syncsafe(frames.count) + frames
    }

    /// Returns a tag with one private frame.
    package static func serialized(owner: String, _ data: [UInt8]) -> [UInt8] {
        let frame = frame("PRIV", Array(owner.utf8) + [0] + data)
        return Array("ID3".utf8) + [4, 0, 0] + syncsafe(frame.count) + frame
    }

    private static func frame(_ key: AudioTags.Key, _ values: [String]) -> [UInt8] {
        let commentPrefix = "COMMENT:"
        if key.folded.utf8.starts(with: commentPrefix.utf8) {
            return comment("COMM", String(key.name.dropFirst(commentPrefix.count)), values)
        }
        if key == "RATING", let value = values.first.flatMap(ID3v2Rating.value) { return frame("POPM", [0, value]) }
        guard let names = TagNames.named(key), let id = names.frame else {
            return text("TXXX", [TagNames.named(key)?.freeName ?? key.name] + values)
        }
        switch id {
        case "COMM": return comment(id, "", values)
        case "USLT": return comment(id, "", [values.joined(separator: "\n\n")])
        case "UFID": return frame(id, Array(musicBrainzOwner.utf8) + [0] + Array(values[0].utf8))
        case "PCST": return frame(id, [0, 0, 0, 0])
        case "WOAR": return values.flatMap { frame(id, TagText.latin1Bytes($0) ?? Array($0.utf8)) }
        default: return text(id, values)
        }
    }

    static func text(_ id: String, _ values: [String]) -> [UInt8] {
        frame(id, [ID3v2Text.Encoding.utf8.rawValue] + joined(values))
    }

    /// Returns a comment or lyrics frame with an unknown language.
    private static func comment(_ id: String, _ name: String, _ values: [String]) -> [UInt8] {
        frame(id, [ID3v2Text.Encoding.utf8.rawValue] + Array("XXX".utf8) + name.utf8.filter { $0 != 0 } + [0] + joined(values))
    }

    static func frame(_ picture: AudioTags.Picture) -> [UInt8] {
        let head = [ID3v2Text.Encoding.utf8.rawValue] + picture.mediaType.utf8.filter { $0 != 0 } + [0]
        return frame(
            "APIC", head + [UInt8(truncatingIfNeeded: picture.kind.rawValue)] + picture.text.utf8.filter { $0 != 0 } + [0] + picture.bytes)
    }

    private static func joined(_ values: [String]) -> [UInt8] { Array(values.map { $0.utf8.filter { $0 != 0 } }.joined(separator: [0])) }

    static func frame(_ id: String, _ contents: [UInt8]) -> [UInt8] {
        Array(id.utf8) + syncsafe(contents.count) + [0, 0] + contents
    }

    /// Returns a 28-bit number with seven bits per byte.
    private static func syncsafe(_ value: Int) -> [UInt8] { [21, 14, 7, 0].map { UInt8(value >> $0 & 0x7F) } }
}
