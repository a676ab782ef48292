// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

internal import AudioPrimitives

/// Tags in pairs of words (`info`, Core Audio Format specification 1.0).
struct CAFInformation: Equatable {
    static let type: FourCharCode = "info"

    var tags = AudioTags()

    private static let title = "title"
    private static let artist = "artist"
    private static let album = "album"
    private static let date = "recorded date"
    private static let year = "year"
    private static let encoder = "encoding application"

    /// Creates a chunk.
    init(tags: AudioTags) { self.tags = tags }

    /// Parses the body of the chunk.
    init(parsing cursor: inout ByteCursor) throws(ContainerError) {
        let count = try cursor.readInteger(4)
        let words = try cursor.readBytes(cursor.remaining).split(separator: 0, omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
        for index in stride(from: 0, to: min(words.count / 2, count) * 2, by: 2) {
            switch words[index] {
            case Self.title: tags.title = words[index + 1]
            case Self.artist: tags.artist = words[index + 1]
            case Self.album: tags.album = words[index + 1]
            case Self.date, Self.year: tags.date = words[index + 1]
            case Self.encoder: tags.encoder = words[index + 1]
            default: break
            }
        }
    }

    /// Writes the body of the chunk.
    func write(to writer: inout BoxWriter) {
        let all = [
            (Self.title, tags.title), (Self.artist, tags.artist), (Self.album, tags.album), (Self.date, tags.date),
            (Self.encoder, tags.encoder),
        ]
        let pairs = all.compactMap { pair in pair.1.map { (pair.0, $0) } }
        writer.write(pairs.count, 4)
        for (key, value) in pairs {
            writer.write(key.utf8)
            writer.write(0, 1)
            // A zero would end the word.
            writer.write(value.utf8.filter { $0 != 0 })
            writer.write(0, 1)
        }
    }
}
