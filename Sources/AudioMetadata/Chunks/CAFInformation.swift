// SPDX-License-Identifier: Apache-2.0

/// The tags of a CAF file, stored as pairs of strings (`info`, Core Audio Format specification 1.0).
package struct CAFInformation: Equatable {
    package var tags = AudioTags()

    private static let track = "track number"
    private static let year = "year"
    /// An audio property, not a tag.
    private static let duration = "approximate duration in seconds"

    private static let pairLimit = 10_000

    package init(tags: AudioTags) { self.tags = tags }

    /// Parses the body of the chunk, or returns `nil` if it has no count.
    package init?(parsing body: ArraySlice<UInt8>) {
        var cursor = TagCursor(body)
        guard let count = cursor.readBigEndian(4) else { return nil }
        let pairCount = min(count, Self.pairLimit)
        let words = cursor.rest.split(separator: 0, maxSplits: 2 * pairCount, omittingEmptySubsequences: false).map { TagText.decode($0) }
        for index in stride(from: 0, to: min(words.count / 2, pairCount) * 2, by: 2) where words[index] != Self.duration {
            let key: AudioTags.Key =
                switch words[index] {
                case Self.track: .trackNumber
                case Self.year: .date
                default: TagNames.key(caf: words[index])
                }
            tags.add(words[index + 1], named: key)
        }
        tags.extractGains()
    }

    /// The body of the chunk.
    package var serialized: [UInt8] {
        let numbers: Set<AudioTags.Key> = [.trackNumber, .trackTotal]
        var pairs: [(String, String)] = []
        var written = Set<AudioTags.Key>()
        for field in tags.fieldsWithGains where !numbers.contains(field.key) && written.insert(field.key).inserted {
            let values = tags[field.key]
            // Each name has one value.
            pairs.append((TagNames.named(field.key)?.caf ?? field.key.name, values.isEmpty ? field.value : values.joined(separator: "; ")))
        }
        if let number = tags.positionText(.trackNumber, .trackTotal) { pairs.append((Self.track, number)) }
        var bytes: [UInt8] = []
        bytes.appendBigEndian(pairs.count, byteCount: 4)
        for (key, value) in pairs {
            // A zero would terminate the string.
            bytes += key.utf8.filter { $0 != 0 } + [0] + value.utf8.filter { $0 != 0 } + [0]
        }
        return bytes
    }
}
