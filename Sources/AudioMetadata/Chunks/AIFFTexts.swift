// SPDX-License-Identifier: Apache-2.0

/// AIFF text chunks (Audio Interchange File Format 1.3), which hold few tags, unlike an `ID3 ` chunk.
package enum AIFFTexts {
    private static let chunks: [(id: String, key: AudioTags.Key)] = [
        ("NAME", .title), ("AUTH", .artist), ("(c) ", .copyright), ("ANNO", .comment),
    ]

    static func reads(_ id: String) -> Bool { chunks.contains { $0.id == id } }

    static func read(_ id: String, _ contents: ArraySlice<UInt8>, into tags: inout AudioTags) {
        guard let key = chunks.first(where: { $0.id == id })?.key else { return }
        tags.add(TagText.trimmed(TagText.decode(contents.prefix { $0 != 0 })), for: key)
    }

    /// Returns the tags as chunks of even length: texts and markers for other programs, and an ID3v2 tag with everything.
    ///
    /// - Parameter sampleRate: The rate of the file, in hertz.
    package static func serialized(_ tags: AudioTags, sampleRate: Int) -> [UInt8] {
        guard !tags.isEmpty else { return [] }
        var bytes = AIFFMarkers.chunk(tags.chapters, sampleRate: sampleRate)
        for (id, key) in chunks { for value in tags[key] { bytes += [UInt8](chunk: id, Array(value.utf8), isBigEndian: true) } }
        return bytes + [UInt8](chunk: "ID3 ", ID3v2Tag.serialized(tags), isBigEndian: true)
    }
}
