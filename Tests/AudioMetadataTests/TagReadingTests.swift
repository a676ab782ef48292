// SPDX-License-Identifier: Apache-2.0

import AudioMetadata
import TestSupport
import Testing

/// Tags of every format, built byte by byte.
@Suite struct TagReadingTests {
    /// Returns an ID3v2.3 frame with a plain size or, for a three-character ID, an ID3v2.2 frame.
    private func frame(_ id: String, _ contents: [UInt8]) -> [UInt8] {
        var bytes = Array(id.utf8)
        bytes.appendBigEndian(contents.count, byteCount: id.utf8.count)
        return bytes + (id.utf8.count == 3 ? [] : [0, 0]) + contents
    }

    /// Returns an ID3v2 tag of the given version.
    private func tag(_ version: UInt8, flags: UInt8 = 0, _ body: [UInt8]) -> [UInt8] {
        Array("ID3".utf8) + [version, 0, flags] + [21, 14, 7, 0].map { UInt8(body.count >> $0 & 0x7F) } + body
    }

    private func read(_ bytes: [UInt8]) -> AudioTags { AudioTags(reading: TagSource(bytes)) }

    @Test("Reads three-character IDs and picture formats of version 2.2")
    func oldest() {
        let picture = [UInt8(0)] + Array("PNG".utf8) + [3, 0x78, 0] + [0x89, 0x50, 0x4E, 0x47, 1]
        let tags = read(tag(2, frame("TT2", [0, 0x4C, 0xFC]) + frame("TRK", [0] + Array("3/12".utf8)) + frame("PIC", picture)))
        #expect(tags.title == "Lü" && tags.track == .init(number: 3, total: 12))
        #expect(tags.cover?.mediaType == "image/png" && tags.cover?.text == "x" && tags.cover?.bytes.count == 5)
    }

    @Test("Reads both UTF-16 byte orders, numbered genres and split dates of version 2.3")
    func middle() {
        let body =
            frame("TIT2", [1, 0xFF, 0xFE, 0x41, 0x00, 0x6B, 0x26]) + frame("TPE1", [1, 0xFE, 0xFF, 0x00, 0x42])
            + frame("TCON", [0] + Array("(17)(8)Own".utf8)) + frame("TYER", [0] + Array("2026".utf8))
            + frame("TDAT", [0] + Array("2011".utf8)) + frame("TIME", [0] + Array("0730".utf8))
            + frame("COMM", [1, 0x65, 0x6E, 0x67, 0xFF, 0xFE, 0, 0, 0xFF, 0xFE, 0x43, 0]) + frame("TLEN", [0, 0x31])
        let tags = read(tag(3, body + [0, 0, 0, 0, 0]))
        #expect(tags.title == "A♫" && tags.artist == "B" && tags[.genre] == ["Rock", "Jazz", "Own"])
        #expect(tags.date == "2026-11-20T07:30" && tags.comment == "C" && tags.unreadNames.isEmpty)
    }

    @Test(
        "Reads iTunes' grouping and ratings, and writes ratings",
        arguments: [(1, 20), (64, 40), (196, 80), (255, 100)] as [(UInt8, Int)])
    func groupingAndRating(value: UInt8, percent: Int) throws {
        let tags = read(tag(3, frame("GRP1", [0] + Array("Group".utf8)) + frame("POPM", Array("a@b".utf8) + [0, value, 0, 0, 0, 1])))
        #expect(tags["GROUPING"] == ["Group"] && tags["RATING"] == ["\(percent)"] && tags.unreadNames.isEmpty)
        let written = ID3v2Tag.serialized(tags)
        let place = try #require(written.indices.first { written[$0...].starts(with: "POPM".utf8) })
        #expect(Array(written[place + 10..<place + 12]) == [0, value])
        #expect(read(tag(3, frame("POPM", [0, 0]))).isEmpty)
    }

    @Test(
        "Reads version 2.2 frames in a version 2.3 tag, as written by iTunes", arguments: [" ", "\0"])
    func itunesFrames(last: String) {
        let body =
            frame("TST" + last, [0] + Array("Sorted".utf8)) + frame("TP1" + last, [0] + Array("Artist".utf8))
            + frame("XYZ" + last, [0, 0x41]) + frame("TALB", [0] + Array("Album".utf8))
        let tags = read(tag(3, body + [UInt8](repeating: 0, count: 20)))
        #expect(tags["TITLESORT"] == ["Sorted"] && tags.artist == "Artist" && tags.album == "Album")
    }

    @Test("Numbered genres match mutagen's")
    func genres() throws {
        let script = "import mutagen._constants as c; print('\\n'.join(c.GENRES))"
        let run = try ProgramRun("/usr/bin/python3", ["-c", script])
        let theirs = run.text.split(separator: "\n").map { String($0) }
        #expect(theirs.count == 192, "\(run.errorText)")
        #expect(theirs.indices.map { ID3Genres.name($0) } == theirs)
        #expect(ID3Genres.name(theirs.count) == nil)
    }

    @Test("Reverses unsynchronisation of version 2.3 tags and version 2.4 frames")
    func unsynchronised() {
        let picture: [UInt8] = [0] + Array("image/jpeg".utf8) + [0, 3, 0, 0xFF, 0xD8, 0xFF, 0x00, 0xE0]
        let stuffed: [UInt8] = [0] + Array("image/jpeg".utf8) + [0, 3, 0, 0xFF, 0xD8, 0xFF, 0x00, 0x00, 0xE0]
        var whole = frame("APIC", picture)
        whole.replaceSubrange(10..., with: stuffed)
        #expect(read(tag(3, flags: 0x80, whole)).cover?.bytes == [0xFF, 0xD8, 0xFF, 0x00, 0xE0])
        var single = frame("APIC", stuffed)
        single[9] = 0x02
        #expect(read(tag(4, single)).cover?.bytes == [0xFF, 0xD8, 0xFF, 0x00, 0xE0])
    }

    @Test("Reads version 2.4 frames with plain sizes, as written by old iTunes")
    func plainSizes() {
        let text = [UInt8(3)] + [UInt8](repeating: 0x61, count: 300)
        let tags = read(tag(4, frame("TIT2", text) + frame("TALB", [3, 0x62])))
        #expect(tags.title?.count == 300 && tags.album == "b")
    }

    @Test("Merges several tags at the start and at the end")
    func several() {
        let first = tag(4, frame("TIT2", [3, 0x31]))
        let second = tag(3, frame("TIT2", [0, 0x32]) + frame("TALB", [0, 0x33]))
        let last = tag(4, frame("TCOM", [3, 0x34]))
        let footer = Array("3DI".utf8) + [4, 0, 0x10] + last[6..<10]
        var marked = last
        marked[5] = 0x10
        var old = Array("TAG".utf8) + [UInt8](repeating: 0, count: 125)
        old.replaceSubrange(33..<36, with: "Art".utf8)
        old.replaceSubrange(126..<128, with: [7, 17])
        let tags = read(first + second + [UInt8](repeating: 0xFF, count: 40) + marked + footer + old)
        #expect(tags.title == "1" && tags.album == "3" && tags.composer == "4" && tags.artist == "Art")
        #expect(tags.track?.number == 7 && tags.genre == "Rock")
    }

    @Test("Reads APE tags, also before an ID3v1 tag")
    func ape() {
        func item(_ name: String, _ value: [UInt8], flags: Int = 0) -> [UInt8] {
            var bytes: [UInt8] = []
            bytes.appendLittleEndian(value.count, byteCount: 4)
            bytes.appendLittleEndian(flags, byteCount: 4)
            return bytes + Array(name.utf8) + [0] + value
        }
        let cover = Array("a.jpg".utf8) + [0, 0xFF, 0xD8, 0xFF, 1]
        let items =
            item("Title", Array("Ä".utf8)) + item("Artist", [0x41, 0, 0x42]) + item("Year", Array("1999".utf8))
            + item("Track", Array("2/9".utf8)) + item("Cover Art (Front)", cover, flags: 2)
            + item("REPLAYGAIN_TRACK_GAIN", Array("-3.50 dB".utf8))
        var footer = Array("APETAGEX".utf8)
        footer.appendLittleEndian(2000, byteCount: 4)
        footer.appendLittleEndian(items.count + 32, byteCount: 4)
        footer.appendLittleEndian(6, byteCount: 4)
        footer += [UInt8](repeating: 0, count: 12)
        let old = Array("TAG".utf8) + Array("Cut".utf8) + [UInt8](repeating: 0, count: 121) + [255]
        let tags = read([UInt8](repeating: 1, count: 50) + items + footer + old)
        #expect(tags.title == "Ä" && tags[.artist] == ["A", "B"] && tags.date == "1999" && tags.track == .init(number: 2, total: 9))
        #expect(tags.cover?.bytes == [0xFF, 0xD8, 0xFF, 1] && tags.replayGain?.gain == -3.5)
        // With a header before the items.
        footer[23] = 0x80
        var header = footer
        header[23] = 0xA0
        #expect(read([1] + old + header + items + footer).title == "Ä")
        #expect(read([1] + old + header + items + footer).cover == tags.cover)
    }

    @Test("Reads roles without a name, and at most 10,000 texts")
    func people() {
        let pairs = Array("producer\0\0mix\0Bob".utf8)
        let tags = read(tag(3, frame("TIPL", [3] + pairs)))
        #expect(tags["MIX"] == ["Bob"] && tags["PRODUCER"].isEmpty, "\(tags.fields)")
        let texts = (0..<200_000).flatMap { Array("\($0)\0".utf8) }
        let many = read(tag(3, frame("TPE1", [3] + texts)))
        #expect(many[.artist].count == 10_000 && many.unreadNames.count == 1)
    }

    @Test("Finds FLAC and Vorbis comments that span Ogg pages")
    func ogg() {
        var tags = AudioTags()
        tags.title = "Title"
        tags[.artist] = [String(repeating: "x", count: 70_000)]
        let comments = VorbisComments(tags: tags).serialized(.flac)
        var block = [UInt8(0x84)]
        block.appendBigEndian(comments.count, byteCount: 3)
        let flac = Array("\u{7F}FLAC".utf8) + [1, 0, 0, 1] + Array("fLaC".utf8)
        let padding: [UInt8] = [1, 0, 0, 2, 0, 0]
        let cases: [[[UInt8]]] = [
            [Array("\u{1}vorbis".utf8) + [0, 0], Array("\u{3}vorbis".utf8) + comments + [1]],
            [flac, block + comments],
            // libFLAC can count one block too few.
            [flac, padding, block + comments],
        ]
        for packets in cases {
            let bytes = Self.pages(packets)
            #expect(read(bytes).title == "Title" && read(bytes).artist?.count == 70_000)
        }
    }

    /// Returns Ogg pages with the given packets and invalid checksums.
    static func pages(_ packets: [[UInt8]]) -> [UInt8] {
        var bytes: [UInt8] = []
        for packet in packets {
            var lacing = [UInt8](repeating: 255, count: packet.count / 255) + [UInt8(packet.count % 255)]
            var rest = packet[...]
            while !lacing.isEmpty {
                let part = lacing.prefix(255)
                lacing = Array(lacing.dropFirst(255))
                let count = part.reduce(0) { $0 + Int($1) }
                bytes += Array("OggS".utf8) + [0, 0] + [UInt8](repeating: 0, count: 8) + [9, 9, 9, 9] + [UInt8](repeating: 0, count: 8)
                bytes += [UInt8(part.count)] + part + rest.prefix(count)
                rest = rest.dropFirst(count)
            }
        }
        return bytes
    }

    @Test("Reads WAV texts next to one of more than 64 KiB")
    func longTexts() {
        func chunk(_ id: String, _ body: [UInt8]) -> [UInt8] {
            var bytes = Array(id.utf8)
            bytes.appendLittleEndian(body.count, byteCount: 4)
            return bytes + body + [UInt8](repeating: 0, count: body.count & 1)
        }
        let comment = String(repeating: "0123456789", count: 7000)
        let texts = chunk("INAM", Array("Title\0".utf8)) + chunk("ICMT", Array((comment + "\0").utf8))
        let body = chunk("LIST", Array("INFO".utf8) + texts) + chunk("data", [1, 2])
        let tags = read(chunk("RIFF", Array("WAVE".utf8) + body))
        #expect(tags.title == "Title" && tags.comment == comment)
    }

    @Test("Comments with a missing page are not read, and named")
    func missingPage() {
        var tags = AudioTags()
        tags.title = "Title"
        tags.comment = String(repeating: "0123456789", count: 20_000)
        var bytes = Self.pages([Array("OpusHead".utf8), Array("OpusTags".utf8) + VorbisComments(tags: tags).serialized(.opus)])
        let starts = bytes.indices.filter { bytes[$0...].starts(with: "OggS".utf8) }
        for (number, start) in starts.enumerated() { bytes[start + 18] = UInt8(number) }
        #expect(read(bytes).title == "Title" && read(bytes).unreadNames.isEmpty)
        bytes.removeSubrange(starts[2]..<starts[3])
        #expect(read(bytes).title == nil && read(bytes).unreadNames == ["tags on missing pages"])
    }

    @Test("Thousands of long similar texts are read in seconds, each once")
    func similarTexts() throws {
        let start = String(repeating: "é", count: 400)
        var comments: [UInt8] = [0, 0, 0, 0]
        comments.appendLittleEndian(10_000, byteCount: 4)
        for number in 0..<10_000 {
            let text = Array("COMMENT=\(start)\(number / 2)".utf8)
            comments.appendLittleEndian(text.count, byteCount: 4)
            comments += text
        }
        let began = ContinuousClock.now
        let tags = try #require(VorbisComments(parsing: comments[...])).tags
        #expect(ContinuousClock.now - began < .seconds(10))
        #expect(tags[.comment] == (0..<5000).map { "\(start)\($0)" })
    }

    @Test("A field that is changed equals one that is created with the same text")
    func changedField() {
        var field = AudioTags.Field(.title, "a")
        field.value = "b"
        field.key = "artist"
        #expect(field == AudioTags.Field("ARTIST", "b") && Set([field, AudioTags.Field(.artist, "b")]).count == 1)
        #expect(field != AudioTags.Field(.title, "b") && field != AudioTags.Field(.artist, "a"))
    }

    @Test("Samples of AIFF are not read in a search for tags")
    func unreadSamples() {
        func chunk(_ id: String, _ body: [UInt8]) -> [UInt8] {
            var bytes = Array(id.utf8)
            bytes.appendBigEndian(body.count, byteCount: 4)
            return bytes + body
        }
        let samples = chunk("SSND", [UInt8](repeating: 1, count: 1 << 20))
        let bytes = chunk("FORM", Array("AIFF".utf8) + samples + chunk("NAME", Array("Title!".utf8)))
        var readCount = 0
        let tags = AudioTags(
            reading: TagSource(byteCount: bytes.count) { range in
                readCount += range.count
                return Array(bytes[range])
            })
        #expect(tags.title == "Title!" && readCount < 10_000, "\(readCount)")
    }

    @Test("Other data yield no tags")
    func none() {
        #expect(read([]).isEmpty && read([UInt8](repeating: 0xFF, count: 500)).isEmpty && read(Array("ID3".utf8)).isEmpty)
        #expect(read(tag(4, [])).isEmpty && read(Array("RIFF\u{0}\u{0}\u{0}\u{0}WAVE".utf8)).isEmpty)
    }
}
