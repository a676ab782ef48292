// SPDX-License-Identifier: Apache-2.0

import AudioContainers
import AudioMetadata
import AudioPrimitives
import Testing

@Suite struct MatroskaMetadataTests {
    static func tag(_ level: Int?, track: Int? = nil, _ fields: [(String, String)]) -> [UInt8] {
        let targets = (level.map { EBML.unsigned(0x68CA, $0) } ?? []) + (track.map { EBML.unsigned(0x63C5, $0) } ?? [])
        let texts = fields.flatMap { EBML.element(0x67C8, EBML.text(0x45A3, $0.0) + EBML.text(0x4487, $0.1)) }
        return EBML.element(0x7373, EBML.element(0x63C0, targets) + texts)
    }

    static func chapter(_ start: Int, _ title: String, hidden: Bool = false, _ parts: [[UInt8]] = []) -> [UInt8] {
        EBML.element(
            0xB6,
            EBML.unsigned(0x91, start * 1_000_000) + EBML.unsigned(0x98, hidden ? 1 : 0) + EBML.element(0x80, EBML.text(0x85, title))
                + parts.flatMap { $0 })
    }

    static func tags(front: [UInt8] = [], back: [UInt8] = [], title: String? = nil) throws -> AudioTags {
        var file = MatroskaReaderTests.file()
        file.front = front
        file.back = back
        if let title { file.info += EBML.text(0x7BA9, title) }
        return try matroskaEvents(file.bytes).metadata.tags
    }

    @Test("Tags of an album and its track have different names")
    func levels() throws {
        let tags = [
            Self.tag(50, [("TITLE", "Album"), ("ARTIST", "Band"), ("TOTAL_PARTS", "9"), ("DATE_RELEASED", "1999")]),
            Self.tag(40, [("PART_NUMBER", "2"), ("TITLE", "Second disc")]),
            Self.tag(
                30, [("TITLE", "Song"), ("ARTIST", "Singer"), ("PART_NUMBER", "3"), ("MOOD", "calm"), ("REPLAYGAIN_GAIN", "-3.20 dB")]),
            Self.tag(30, track: 999, [("TITLE", "Of another track")]),
            Self.tag(nil, track: 101, [("DURATION", "00:01"), ("_STATISTICS_TAGS", "BPS"), ("ENCODER", "Opus encoder")]),
        ]
        let found = try Self.tags(back: EBML.element(0x1254_C367, tags.flatMap { $0 }))
        #expect(found.title == "Song" && found.album == "Album" && found.artist == "Singer" && found.albumArtist == "Band")
        #expect(found.track == .init(number: 3, total: 9) && found.disc == .init(number: 2) && found.date == "1999")
        #expect(found["MOOD"] == ["calm"] && found["DISCSUBTITLE"] == ["Second disc"] && found.encoder == "Opus encoder")
        #expect(found.replayGain?.gain == -3.2 && found["DURATION"].isEmpty && found["_STATISTICS_TAGS"].isEmpty)
    }

    @Test("Tags without a level belong to the track, and the title of the segment replaces a missing one")
    func plain() throws {
        let tags = Self.tag(nil, [("ARTIST", "Singer"), ("ALBUM", "Album"), ("TRACK", "3/12")])
        let found = try Self.tags(front: EBML.element(0x1254_C367, tags), title: "Name")
        #expect(found.title == "Name" && found.artist == "Singer" && found.album == "Album" && found.track == .init(number: 3, total: 12))
    }

    @Test("Chapters of the default edition are a flat list")
    func chapters() throws {
        let other = EBML.element(0x45B9, Self.chapter(0, "Not this"))
        let atoms = [
            Self.chapter(0, "One", [Self.chapter(0, "Start"), Self.chapter(30, "Middle")]), Self.chapter(40, "Hidden", hidden: true),
            Self.chapter(50, "Two", [Self.chapter(70, "Later")]),
        ]
        let edition = EBML.element(0x45B9, EBML.unsigned(0x45DB, 1) + atoms.flatMap { $0 })
        let found = try Self.tags(front: EBML.element(0x1043_A770, other + edition))
        #expect(found.chapters.map(\.title) == ["One: Start", "Middle", "Two", "Later"])
        #expect(found.chapters.map { $0.start(in: 1000) } == [0, 30, 50, 70])
    }

    @Test("Attached pictures are covers by their names, and other attachments are named as unread")
    func attachments() throws {
        func file(_ name: String, _ type: String, _ data: [UInt8]) -> [UInt8] {
            EBML.element(0x61A7, EBML.text(0x466E, name) + EBML.text(0x4660, type) + EBML.element(0x465C, data))
        }
        let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 1, 2]
        let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 5]
        let files = [file("back.jpg", "image/jpeg", jpeg), file("Cover.png", "image/png", png), file("font.ttf", "font/ttf", [1])]
        let found = try Self.tags(front: EBML.element(0x1941_A469, files.flatMap { $0 }))
        #expect(found.cover?.bytes == png && found.cover?.format == .png)
        #expect(found.pictures.count == 2 && found.unreadNames == ["attachments"])
    }
}
