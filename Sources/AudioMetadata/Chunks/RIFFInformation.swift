// SPDX-License-Identifier: Apache-2.0

/// The texts of a `LIST` chunk of type `INFO` in a WAV file.
package struct RIFFInformation {
    /// The tags with a known chunk ID.
    package var tags = AudioTags()

    /// The maximum size of a chunk to read, in bytes.
    package static let maximumByteCount = 1 << 20
    private static let track = "ITRK"
    private static let trackByMicrosoft = "IPRT"
    /// The maximum size of a text to write, in bytes, since readers skip much longer chunks.
    private static let maximumText = 8192

    package init(_ tags: AudioTags) { self.tags = tags }

    /// Parses the body of a `LIST` chunk, ignoring other list types and truncated texts.
    package init(list body: [UInt8]) {
        guard body.starts(with: "INFO".utf8) else { return }
        read(body[4...], alignment: 2) { TagText.decode($0.prefix { $0 != 0 }) }
    }

    /// Parses the body of a W64 chunk with texts in UTF-16, after their number.
    init(summary body: [UInt8]) {
        read(body.dropFirst(4), alignment: 1) { String(TagText.utf16($0, isBigEndian: false).prefix { $0 != "\0" }) }
    }

    /// Reads texts with their identifiers and lengths.
    private mutating func read(_ bytes: ArraySlice<UInt8>, alignment: Int, _ decode: (ArraySlice<UInt8>) -> String) {
        var cursor = TagCursor(bytes)
        while let id = cursor.read(4), let length = cursor.readLittleEndian(4), let bytes = cursor.read(length) {
            _ = cursor.readAtMost(length % alignment)
            let text = decode(bytes)
            switch TagText.latin1(id) {
            case Self.track, Self.trackByMicrosoft: tags.add(text, named: .trackNumber)
            case let id: if let key = TagNames.key(riff: id) { tags.add(text, named: key) }
            }
        }
    }

    /// The `LIST` chunk with its header and of even length, or empty without tags.
    package var chunk: [UInt8] {
        var texts: [(id: String, text: String)] = []
        for row in TagNames.all {
            if let id = row.riff, !tags[row.key].isEmpty { texts.append((id, tags[row.key].joined(separator: "; "))) }
        }
        if let track = tags.positionText(.trackNumber, .trackTotal) { texts.append((Self.track, track)) }
        guard !texts.isEmpty else { return [] }
        var body = Array("INFO".utf8)
        for (id, text) in texts {
            body += [UInt8](chunk: id, text.utf8Prefix(Self.maximumText) + [0])
        }
        return [UInt8](chunk: "LIST", body)
    }

    /// The `id3 ` chunk with its header, with all tags and of even length, or empty without tags.
    package var id3Chunk: [UInt8] {
        let tag = ID3v2Tag.serialized(tags)
        return tag.isEmpty ? [] : [UInt8](chunk: "id3 ", tag)
    }
}
