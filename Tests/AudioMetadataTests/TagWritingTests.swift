// SPDX-License-Identifier: Apache-2.0

import AudioMetadata
import Testing

/// Round trips of tags.
@Suite struct TagWritingTests {
    /// Tags with a value of every kind.
    static let all: AudioTags = {
        var tags = AudioTags()
        for row in TagNames.all where row.key != "PODCAST" { tags[row.key] = ["\(row.key.name) ü♫"] }
        tags[.artist] = ["A", "B; C"]
        tags[.compilation] = ["1"]
        tags.track = .init(number: 3, total: 12)
        tags.disc = .init(number: 1)
        tags["Own name"] = ["x", "y"]
        tags["COMMENT:Own"] = ["named"]
        tags["WEBSITE"] = ["https://example.org/a"]
        tags.pictures = [
            .init(kind: .frontCover, mediaType: "image/jpeg", text: "vorn ü", bytes: [0xFF, 0xD8, 0xFF, 0xE0, 1]),
            .init(kind: .backCover, mediaType: "image/x-own", bytes: [1, 2, 3]),
        ]
        tags.replayGain = .init(gain: -6.5, peak: 0.987654)
        tags.albumReplayGain = .init(gain: 1.25, peak: nil)
        return tags
    }()

    /// Expects that all names have the same values.
    private func expect(_ found: AudioTags?, _ expected: AudioTags) {
        let keys = Set(expected.fields.map(\.key)).union(found?.fields.map(\.key) ?? [])
        for key in keys { #expect(found?[key] == expected[key], "\(key)") }
        #expect(found?.replayGain == expected.replayGain && found?.albumReplayGain == expected.albumReplayGain)
        #expect(found?.pictures == expected.pictures)
    }

    @Test("ID3v2 keeps everything")
    func id3() { expect(ID3v2Tag(parsing: ID3v2Tag.serialized(Self.all)[...])?.tags, Self.all) }

    @Test("FLAC blocks keep everything")
    func flac() {
        var found = AudioTags(reading: TagSource(Array("fLaC".utf8) + FLACMetadata(tags: Self.all, vendor: "v").serialized))
        found["ENCODER"] = Self.all["ENCODER"]
        expect(found, Self.all)
    }

    @Test("Opus comments keep everything except peaks")
    func opus() {
        var expected = Self.all
        expected.replayGain?.peak = nil
        expect(VorbisComments(parsing: VorbisComments(tags: Self.all).serialized(.opus)[...])?.tags, expected)
    }

    @Test("CAF keeps one value per name and no pictures")
    func caf() {
        var expected = Self.all
        expected.pictures = []
        expected[.artist] = ["A; B; C"]
        expected["Own name"] = ["x; y"]
        expect(CAFInformation(parsing: CAFInformation(tags: Self.all).serialized[...])?.tags, expected)
    }

    @Test("WAV and AIFF have texts for old programs and a complete tag")
    func chunks() {
        let information = RIFFInformation(Self.all)
        let wave = Array("RIFF".utf8) + [0, 0, 0, 0] + Array("WAVE".utf8) + information.chunk + information.id3Chunk
        expect(AudioTags(reading: TagSource(wave)), Self.all)
        let texts = RIFFInformation(list: Array(information.chunk.dropFirst(8))).tags
        #expect(texts.title == Self.all.title && texts.track == Self.all.track && texts.genre == Self.all.genre)
        let aiff = Array("FORM".utf8) + [0, 0, 0, 0] + Array("AIFF".utf8) + AIFFTexts.serialized(Self.all, sampleRate: 44_100)
        expect(AudioTags(reading: TagSource(aiff)), Self.all)
    }

    @Test("Requested tags replace input tags, and an empty value removes a name")
    func inheriting() {
        var user = AudioTags()
        user.title = "New"
        user[.comment] = [""]
        user.cover = .init(format: .png, bytes: [1])
        let tags = user.inheriting(Self.all)
        #expect(tags.title == "New" && tags.comment == nil && tags[.artist] == Self.all[.artist])
        #expect(tags.cover?.bytes == [1] && tags.pictures.count == 2)
    }

    @Test("Names each tag whose name Vorbis comments replace", arguments: [TagStorage.flacBlocks, .opusComments])
    func renamed(storage: TagStorage) {
        var tags = AudioTags()
        tags["Größe"] = ["1", "2"]
        tags["Own name"] = ["3"]
        #expect(storage.namesLost(of: tags) == ["tag name 'Größe'"] && storage.namesOmitted(of: tags).isEmpty)
        #expect(TagStorage.id3.namesLost(of: tags).isEmpty && TagStorage.items.namesLost(of: tags).isEmpty)
    }

    @Test("Names each unsupported tag once")
    func names() {
        #expect(TagStorage.words.namesLost(of: Self.all) == ["cover", "other pictures"])
        #expect(TagStorage.items.namesLost(of: Self.all) == ["other pictures", "kinds and descriptions of pictures"])
        #expect(TagStorage.id3.namesLost(of: Self.all).isEmpty && TagStorage.flacBlocks.namesLost(of: Self.all).isEmpty)
        let names = TagStorage.none.namesLost(of: Self.all)
        #expect(names.starts(with: ["title", "artist", "album artist", "album", "date", "genre"]) && names.contains("Own name"))
    }
}
