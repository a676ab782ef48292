// SPDX-License-Identifier: Apache-2.0

import AudioMetadata
import TestSupport
import Testing

/// Chapter times, and chapters in ID3v2 and Vorbis comments.
@Suite struct ChapterTests {
    /// Tags with chapters that do not start at 0.
    static let tags: AudioTags = {
        var tags = AudioTags()
        tags.title = "Book"
        tags.chapters = [
            .init(start: 1500, timescale: 1000, title: "Prologue é"), .init(start: 3_723_004, timescale: 1000, title: ""),
            .init(start: 90_000_000, timescale: 1000, title: "漢"),
        ]
        tags.chapters[1].address = "https://example.org/1"
        return tags
    }()

    @Test("Chapters round-trip in ID3v2 and Vorbis comments")
    func roundTrips() throws {
        var tags = Self.tags
        #expect(try #require(VorbisComments(parsing: VorbisComments(tags: tags).serialized(.opus)[...])).tags.chapters == tags.chapters)
        tags.chapters[2].picture = .init(kind: .other, mediaType: "image/png", text: "p", bytes: [0x89, 0x50, 0x4E, 0x47, 1])
        let found = try #require(ID3v2Tag(parsing: ID3v2Tag.serialized(tags)[...])).tags
        #expect(found == tags)
        #expect(found.unreadNames.isEmpty)
    }

    @Test("More chapters than an ID3v2 table of contents holds round-trip")
    func many() throws {
        var tags = AudioTags()
        tags.chapters = (0..<1000).map { .init(start: $0 * 1000, timescale: 1000, title: "Chapter \($0)") }
        #expect(try #require(ID3v2Tag(parsing: ID3v2Tag.serialized(tags)[...])).tags.chapters == tags.chapters)
        #expect(try #require(VorbisComments(parsing: VorbisComments(tags: tags).serialized(.flac)[...])).tags.chapters == tags.chapters)
    }

    @Test("FLAC padding takes new chapters, and all other comments are kept")
    func flacPadding() throws {
        var tags = Self.tags
        tags["X"] = ["y"]
        let comments = FLACMetadata(tags: tags, vendor: "v").serialized
        func metadata(paddingByteCount: Int) -> [UInt8] {
            comments + [0x81, 0, 0, UInt8(paddingByteCount)] + [UInt8](repeating: 0, count: 250)
        }
        let chapters = [
            AudioTags.Chapter(start: 5000, timescale: 1000, title: "A"),
            .init(start: 2000, timescale: 1000, title: String(repeating: "b", count: 200)),
        ]
        let changed = try #require(FLACMetadata.replacingChapters(in: metadata(paddingByteCount: 200), with: chapters))
        #expect(changed.count == comments.count + 4 + 200)
        let length = changed[1...3].reduce(0) { $0 << 8 | Int($1) }
        let found = try #require(VorbisComments(parsing: changed[4..<4 + length]))
        #expect(
            found.vendor == "v" && found.tags.chapters == [chapters[1], chapters[0]] && found.tags["X"] == ["y"]
                && found.tags.title == "Book")
        // The rest is padding, and still the last block.
        #expect(changed[4 + length] == 0x81 && changed[(8 + length)...].allSatisfy { $0 == 0 })
        #expect(FLACMetadata.replacingChapters(in: metadata(paddingByteCount: 60), with: chapters) == nil)
        #expect(FLACMetadata.replacingChapters(in: comments + [0x86, 0, 0, 200], with: []) == nil)
        for length in 0..<comments.count + 4 {
            #expect(FLACMetadata.replacingChapters(in: Array(metadata(paddingByteCount: 9)[..<length]), with: []) == nil)
        }
    }

    @Test("Other comments stay texts, and chapters are sorted")
    func otherComments() throws {
        var tags = AudioTags()
        tags["CHAPTER2"] = ["00:00:09"]
        tags["CHAPTER2NAME"] = ["Two"]
        tags["CHAPTER1"] = ["0:01.25"]
        tags["CHAPTER7"] = ["later"]
        tags["CHAPTER7NAME"] = ["Seven"]
        tags["CHAPTER99999999999999999999"] = ["00:00:01.000"]
        tags["CHAPTERS"] = ["x"]
        let found = try #require(VorbisComments(parsing: VorbisComments(tags: tags).serialized(.flac)[...])).tags
        #expect(found.chapters.map(\.title) == ["", "Two"])
        #expect(found.chapters.map(\.seconds) == [1.25, 9])
        #expect(
            found.fields.map(\.key.name).filter { $0 != "ENCODER" } == [
                "CHAPTER7", "CHAPTER7NAME", "CHAPTER99999999999999999999", "CHAPTERS",
            ])
    }

    @Test("Omits a damaged ID3v2 chapter", arguments: [0, 3, 4, 19, 20, 25])
    func cut(length: Int) throws {
        let frame = ID3v2Chapter.frames([.init(start: 5, timescale: 1000, title: "Title")])
        let chapter = try #require(ID3v2Tag(parsing: (Array("ID3".utf8) + [4, 0, 0, 0, 0, 0, UInt8(frame.count)] + frame)[...])).tags
            .chapters
        #expect(chapter.map(\.title) == ["Title"])
        let contents = Array("chp0".utf8) + [0, 0, 0, 0, 5] + [UInt8](repeating: 0, count: 12) + Array("TIT2".utf8)
        let header = try #require(ID3v2Header(Array("ID3".utf8) + [4, 0, 0, 0, 0, 0, 0]))
        let found = ID3v2Chapter(contents[..<min(length, contents.count)], in: header)
        #expect((found == nil) == (length < 21), "\(length)")
    }

    @Test("Start conversion is exact and never traps")
    func scales() {
        #expect(AudioTags.Chapter(start: 1, timescale: 3, title: "").start(in: 44_100) == 14_700)
        #expect(AudioTags.Chapter(start: 132_301, timescale: 44_100, title: "").start(in: 10_000_000) == 30_000_227)
        #expect(AudioTags.Chapter(start: 30_000_227, timescale: 10_000_000, title: "").start(in: 44_100) == 132_301)
        #expect(AudioTags.Chapter(start: .max, timescale: 1, title: "").start(in: 48_000) == .max)
        #expect(AudioTags.Chapter(start: -1, timescale: 0, title: "").start(in: 0) == 0)
        #expect(AudioTags.Chapter(start: .max, timescale: .max, title: "").start(in: .max) == .max)
    }

    @Test(
        "Parses times in common forms",
        arguments: [
            ("00:00:00.000", 0, 1000), ("1:02:03.4", 37_234, 10), ("02:03,45", 12_345, 100), ("75", 75, 1), ("3.25", 325, 100),
        ])
    func times(text: String, start: Int, timescale: Int) throws {
        let ticks = try #require(ChapterTime.ticks(text))
        #expect(ticks.start == start && ticks.timescale == timescale)
    }

    @Test("Rejects invalid times", arguments: ["", ":", "1:", "-1", "1:2:3:4", "1.", "x", "1.0000000000", "9999999", "1:-2", "+1", "１"])
    func noTimes(text: String) { #expect(ChapterTime.ticks(text) == nil) }

    @Test("A part keeps its chapters and the one that it starts in")
    func cutting() {
        var tags = AudioTags()
        tags.chapters = (0..<4).map { .init(start: $0 * 10, timescale: 1, title: "\($0)") }
        tags.cutChapters(to: 1500..<3000, sampleRate: 100)
        #expect(tags.chapters.map(\.title) == ["1", "2"])
        #expect(tags.chapters.map(\.seconds) == [0, 5])
        tags.cutChapters(to: 500..<Int.max, sampleRate: 100)
        #expect(tags.chapters.map(\.title) == ["2"])
    }

    @Test("Names chapter data that a storage cannot keep")
    func lost() {
        #expect(TagStorage.words.namesLost(of: Self.tags) == ["chapters", "chapter URLs"])
        #expect(TagStorage.items.namesLost(of: Self.tags) == ["chapter URLs"])
        #expect(TagStorage.id3.namesLost(of: Self.tags).isEmpty && TagStorage.flacBlocks.namesLost(of: Self.tags).isEmpty)
    }

    /// Returns a WAV file with a data chunk and other chunks.
    static func wave(_ chunks: [(id: String, body: [UInt8])]) -> [UInt8] {
        let format: [UInt8] = [1, 0, 1, 0, 0x40, 0x1F, 0, 0, 0x80, 0x3E, 0, 0, 2, 0, 16, 0]
        var body = Array("WAVE".utf8)
        for (id, contents) in [("fmt ", format)] + chunks {
            body += Array(id.utf8)
            body.appendLittleEndian(contents.count, byteCount: 4)
            body += contents + [UInt8](repeating: 0, count: contents.count & 1)
        }
        var bytes = Array("RIFF".utf8)
        bytes.appendLittleEndian(body.count, byteCount: 4)
        return bytes + body
    }

    /// Returns the contents of a cue point chunk.
    static func cues(_ points: [(id: Int, frame: Int)]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.appendLittleEndian(points.count, byteCount: 4)
        for (id, frame) in points {
            bytes.appendLittleEndian(id, byteCount: 4)
            bytes.appendLittleEndian(frame, byteCount: 4)
            bytes += Array("data".utf8) + [UInt8](repeating: 0, count: 8)
            bytes.appendLittleEndian(frame, byteCount: 4)
        }
        return bytes
    }

    /// Returns the contents of a label list, with a note per label.
    static func labels(_ labels: [(id: Int, text: String)]) -> [UInt8] {
        var bytes = Array("adtl".utf8)
        for (id, text) in labels {
            for (type, text) in [("labl", text), ("note", "no label")] {
                bytes += Array(type.utf8)
                bytes.appendLittleEndian(text.utf8.count + 5, byteCount: 4)
                bytes.appendLittleEndian(id, byteCount: 4)
                bytes += Array(text.utf8) + [UInt8](repeating: 0, count: text.utf8.count & 1 == 1 ? 1 : 2)
            }
        }
        return bytes
    }

    @Test("WAV cue points become chapters unless an ID3v2 tag has chapters")
    func cuePoints() throws {
        let points = ("cue ", Self.cues([(7, 12_000), (3, 0), (9, 8001)]))
        let list = ("LIST", Self.labels([(3, "Begin é"), (7, "End")]))
        let samples = ("data", [UInt8](repeating: 0, count: 32_000))
        for chunks in [[points, list, samples], [samples, list, points]] {
            let tags = AudioTags(reading: TagSource(Self.wave(chunks)))
            #expect(tags.chapters.map(\.title) == ["Begin é", "Cue 3", "End"])
            #expect(tags.chapters.map { $0.start(in: 8000) } == [0, 8001, 12_000])
            let both = AudioTags(reading: TagSource(Self.wave(chunks + [("id3 ", ID3v2Tag.serialized(Self.tags))])))
            #expect(both.chapters == Self.tags.chapters)
        }
    }

    /// Returns an AIFF file of 8 kHz with chunks.
    static func aiff(_ chunks: [UInt8]) -> [UInt8] {
        let rate: [UInt8] = [0x40, 0x0B, 0xFA, 0, 0, 0, 0, 0, 0, 0]
        return Array("FORM".utf8) + [0, 0, 0, 0] + Array("AIFFCOMM".utf8) + [0, 0, 0, 18, 0, 1, 0, 0, 0, 0, 0, 16] + rate + chunks
    }

    @Test("AIFF markers become chapters unless an ID3v2 tag has chapters, and are written")
    func markers() throws {
        var body: [UInt8] = [0, 3]
        for (id, frame, name) in [(9, 12_000, "End"), (2, 0, "Begin"), (4, 8001, "")] {
            body += [0, UInt8(id), 0, 0, UInt8(frame >> 8), UInt8(frame & 255), UInt8(name.utf8.count)] + Array(name.utf8)
            if name.utf8.count & 1 == 0 { body.append(0) }
        }
        let chunk = Array("MARK".utf8) + [0, 0, 0, UInt8(body.count)] + body
        let tags = AudioTags(reading: TagSource(Self.aiff(chunk + (body.count & 1 == 1 ? [0] : []))))
        #expect(tags.chapters.map(\.title) == ["Begin", "Marker 3", "End"])
        #expect(tags.chapters.map { $0.start(in: 8000) } == [0, 8001, 12_000])
        let written = AIFFTexts.serialized(tags, sampleRate: 8000)
        // An ID3v2 tag has milliseconds.
        #expect(AudioTags(reading: TagSource(Self.aiff(written))).chapters.map { $0.start(in: 1000) } == [0, 1000, 1500])
        let end = try #require(written.indices.first { written[$0...].starts(with: "ID3 ".utf8) })
        let again = AudioTags(reading: TagSource(Self.aiff(Array(written[..<end]))))
        #expect(again.chapters.map(\.title) == tags.chapters.map(\.title))
        #expect(again.chapters.map { $0.start(in: 8000) } == [0, 8001, 12_000])
        for length in 0..<chunk.count {
            #expect(AudioTags(reading: TagSource(Self.aiff(Array(chunk[..<length])))).chapters.count <= 3, "\(length)")
        }
    }

    @Test("Omits truncated cue points and labels")
    func cutCuePoints() {
        let (points, list) = (Self.cues([(1, 5), (2, 6)]), Self.labels([(1, "One"), (2, "Two")]))
        for length in 0...points.count {
            let tags = AudioTags(reading: TagSource(Self.wave([("cue ", Array(points[..<length])), ("LIST", list)])))
            #expect(tags.chapters.map(\.title) == Array(["One", "Two"].prefix(max(0, length - 4) / 24)), "\(length)")
        }
        for length in 0...list.count {
            let tags = AudioTags(reading: TagSource(Self.wave([("cue ", points), ("LIST", Array(list[..<length]))])))
            #expect(tags.chapters.count == 2, "\(length)")
        }
    }

    @Test("CUE sheets with several files have no chapters; damaged lines are skipped")
    func cueSheets() throws {
        let track = "TRACK 01 AUDIO\nINDEX 01 00:00:00\n"
        #expect(try #require(CueSheet("FILE a WAVE\n" + track + "FILE b WAVE\n" + track)).chapters.isEmpty)
        #expect(CueSheet("FILE a WAVE\nTITLE x\n") == nil)
        let sheet =
            "\u{FEFF}track 01 AUDIO\nTITLE \"a b\nINDEX 01 x\nINDEX 01 99999999999999999999:00:00\nINDEX 01 00:61:00\nINDEX 01 100:00:74\nINDEX"
        let chapters = try #require(CueSheet(sheet)).chapters
        #expect(chapters.map(\.title) == ["a b"] && chapters.first?.start == 450_074)
    }

    @Test("Data tracks of a disc are not chapters")
    func dataTracks() throws {
        let tracks = [("MODE1/2352", 0), ("AUDIO", 10), ("CDI/2336", 20), ("AUDIO", 30)]
        let sheet = tracks.map { "TRACK 01 \($0.0)\nTITLE a\($0.1)\nINDEX 01 00:\($0.1):00\n" }.joined()
        #expect(try #require(CueSheet(sheet)).chapters.map(\.title) == ["a10", "a30"])
        var block = [UInt8](repeating: 0, count: 395) + [2]
        for number in [UInt8(1), 2] {
            let flags: [UInt8] = [number == 1 ? 0x80 : 0] + [UInt8](repeating: 0, count: 13)
            block += [UInt8](repeating: 0, count: 8) + [number] + [UInt8](repeating: 0, count: 12) + flags + [0]
        }
        #expect(FLACCueSheet(parsing: block[...], sampleRate: 44_100).chapters.map(\.title) == ["Track 2"])
    }

    @Test("A truncated cue sheet block keeps its complete tracks")
    func cutBlock() {
        var block = [UInt8](repeating: 0, count: 395) + [2]
        for number in [UInt8(1), 2] {
            block +=
                [0, 0, 0, 0, 0, 0, number, 0, number] + [UInt8](repeating: 0, count: 26) + [1] + [UInt8](repeating: 0, count: 7) + [
                    5, 1, 0, 0, 0,
                ]
        }
        #expect(FLACCueSheet(parsing: block[...], sampleRate: 44_100).chapters.map(\.start) == [261, 517])
        for length in 0..<block.count {
            #expect(FLACCueSheet(parsing: block[..<length], sampleRate: 44_100).chapters.count == (length < block.count - 48 ? 0 : 1))
        }
        #expect(FLACCueSheet(parsing: block[...], sampleRate: 0).chapters.isEmpty)
    }

    @Test("Comments restore every sample frame, in milliseconds if possible", arguments: [8000, 44_100, 48_000, 192_000])
    func exactComments(rate: Int) throws {
        var random = SeededRandom(seed: UInt64(rate))
        var tags = AudioTags()
        tags.setChapters((0..<200).map { _ in .init(start: .random(in: 0..<rate * 200_000, using: &random), timescale: rate, title: "") })
        let found = try #require(VorbisComments(parsing: VorbisComments(tags: tags).serialized(.flac)[...])).tags.chapters
        #expect(found.map { $0.start(in: rate) } == tags.chapters.map(\.start))
        #expect(ChapterTime.text(.init(start: 4410, timescale: 44_100, title: "")) == "00:00:00.100")
        #expect(ChapterTime.text(.init(start: 4411, timescale: 44_100, title: "")) == "00:00:00.100022676")
    }
}
