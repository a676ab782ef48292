// SPDX-License-Identifier: Apache-2.0

import AudioMetadata
import TestSupport
import Testing

/// Randomly damaged tags of every kind, which must not trap, loop or exceed the file size.
///
/// ``RandomDamage`` determines their number.
@Suite struct TagDamageTests {
    /// Files with shorter tags than in ``TagWritingTests``.
    static let files: [(name: String, bytes: [UInt8])] = {
        var tags = AudioTags()
        tags.title = "Title"
        tags[.artist] = ["A", "B"]
        tags.track = .init(number: 3, total: 12)
        tags["Own name"] = ["x"]
        tags.pictures = [.init(kind: .backCover, mediaType: "image/png", text: "t", bytes: [0x89, 0x50, 0x4E, 0x47, 1, 2])]
        tags.replayGain = .init(gain: -6.5, peak: 0.5)
        tags.chapters = [.init(start: 0, timescale: 1, title: "c"), .init(start: 3500, timescale: 1000, title: "d")]
        tags.chapters[1].picture = tags.pictures[0]
        let id3 = ID3v2Tag.serialized(tags)
        var old = id3
        old[3] = 3
        let information = RIFFInformation(tags)
        let words = CAFInformation(tags: tags).serialized
        let caf = Array("caff".utf8) + [0, 1, 0, 0] + Array("info".utf8) + [0, 0, 0, 0, 0, 0, 0, UInt8(words.count)] + words
        let comments = VorbisComments(tags: tags).serialized(.opus)
        let flac = FLACMetadata(tags: tags, vendor: "v").serialized
        var footer = Array("APETAGEX".utf8) + [0xD0, 7, 0, 0]
        let item: [UInt8] = [1, 0, 0, 0, 0, 0, 0, 0] + Array("Title".utf8) + [0, 0x41]
        footer.appendLittleEndian(item.count + 32, byteCount: 4)
        footer += [1, 0, 0, 0] + [UInt8](repeating: 0, count: 12)
        return [
            ("ID3v2.4", id3 + [0xFF, 0xFB]), ("ID3v2.3", old),
            ("ID3v2.2", Array("ID3".utf8) + [2, 0, 0x80, 0, 0, 0, 8] + Array("TT2".utf8) + [0, 0, 2, 0, 0x41]),
            ("WAV", Array("RIFF".utf8) + [0, 0, 0, 0] + Array("WAVE".utf8) + information.chunk + information.id3Chunk),
            ("AIFF", Array("FORM".utf8) + [0, 0, 0, 0] + Array("AIFF".utf8) + AIFFTexts.serialized(tags, sampleRate: 44_100)), ("CAF", caf),
            ("FLAC", Array("fLaC".utf8) + flac),
            ("Ogg", TagReadingTests.pages([Array("OpusHead".utf8), Array("OpusTags".utf8) + comments])),
            ("APE", item + footer),
        ]
    }()

    @Test("Damaged tags never trap", arguments: files.map(\.name))
    func damage(name: String) throws {
        let original = try #require(Self.files.first { $0.name == name }).bytes
        var random = RandomDamage.generator(name.utf8.reduce(0) { $0 + Int($1) })
        for _ in 0..<RandomDamage.fileCount {
            var bytes = original
            for _ in 0..<Int.random(in: 1...6, using: &random) where !bytes.isEmpty {
                let index = Int.random(in: bytes.indices, using: &random)
                switch Int.random(in: 0..<5, using: &random) {
                case 0: bytes[index] = .random(in: 0...255, using: &random)
                case 1: bytes[index] ^= 1 << UInt8.random(in: 0...7, using: &random)
                case 2: bytes[index] = random.element(of: [0, 1, 0x7F, 0x80, 0xFF])
                case 3: bytes.removeSubrange(index..<min(bytes.count, index + Int.random(in: 0...9, using: &random)))
                default: bytes.insert(contentsOf: bytes[index..<min(bytes.count, index + 5)], at: index)
                }
            }
            let tags = AudioTags(reading: TagSource(bytes))
            let held = tags.fields.reduce(0) { $0 + $1.value.utf8.count } + tags.pictures.reduce(0) { $0 + $1.bytes.count }
            // A Latin-1 byte, or an invalid UTF-8 byte, becomes at most three bytes.
            #expect(held <= 3 * bytes.count + 200)
            // Tags that were read can be written in every format.
            let again = ID3v2Tag(parsing: ID3v2Tag.serialized(tags)[...])?.tags ?? AudioTags()
            #expect(again.pictures.count == tags.pictures.count)
            _ = VorbisComments(tags: tags).serialized(.opus)
            _ = CAFInformation(tags: tags).serialized
            _ = RIFFInformation(tags).chunk
        }
    }
}
