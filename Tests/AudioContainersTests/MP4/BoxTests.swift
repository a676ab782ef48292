// SPDX-License-Identifier: Apache-2.0

import AudioContainers
import AudioMetadata
import AudioPrimitives
import MPEG4Audio
import Testing

@Suite struct BoxTests {
    /// Writes a box, finds it by its header and parses it.
    func roundTrip<Content: Box & Equatable>(_ content: Content) throws -> Content {
        var writer = BoxWriter()
        writer.write(content)
        var cursor = ByteCursor(writer.bytes)
        guard case (let type, var body)? = try cursor.nextBox() else { throw ContainerError.missingPart(Content.type) }
        #expect(type == Content.type && cursor.remaining == 0)
        return try Content(parsing: &body)
    }

    static let long = Int(UInt32.max) + 5

    static func movie(isLong: Bool) -> MovieBox {
        var movie = MovieBox()
        movie.times.timescale = 44_100
        movie.times.duration = isLong ? long : 1000
        var track = TrackBox()
        track.duration = isLong ? long : 900
        track.editList = EditListBox(edits: [.init(duration: isLong ? long : 7, mediaTime: 2112), .init(duration: 3, mediaTime: -1)])
        track.mediaTimes.timescale = 48_000
        track.mediaTimes.duration = isLong ? long : 12_345
        var descriptor = ESDescriptorBox(audioSpecificConfig: [0x11, 0x90])
        descriptor.bufferByteCount = 1536
        descriptor.maximumBitRate = 140_000
        descriptor.averageBitRate = 128_000
        var table = SampleTableBox()
        table.description = SampleDescriptionBox(entry: AudioSampleEntry(channelCount: 2, sampleRate: 48_000, descriptor: descriptor))
        table.times = [.init(count: 3, duration: 1024), .init(count: 1, duration: 500)]
        table.chunks = [.init(firstChunk: 1, unitsPerChunk: 3), .init(firstChunk: 2, unitsPerChunk: 1)]
        table.sizes.sizes = [10, 20, 30, 40]
        table.offsets = [100, isLong ? long : 400]
        track.sampleTable = table
        movie.tracks = [track]
        movie.fragmentDefaults = [.init(trackID: 1, duration: 1024, size: 7)]
        var userData = UserDataBox()
        userData.tags.title = "Überschrift"
        userData.tags.artist = "A"
        userData.tags.album = "B"
        userData.tags.date = "2026-11-20"
        userData.tags.encoder = "C"
        userData.tags.cover = AudioTags.Picture(bytes: [0xFF, 0xD8, 0xFF, 1, 2, 3])
        userData.gapless = ITunesGapless(GaplessInfo(primingFrames: 2112, validFrames: 1 << 33, remainderFrames: 77))
        movie.userData = userData
        return movie
    }

    @Test("All movie boxes round-trip with 32-bit and 64-bit fields", arguments: [false, true])
    func movie(isLong: Bool) throws {
        let movie = Self.movie(isLong: isLong)
        #expect(try roundTrip(movie) == movie)
    }

    @Test("Fragments round-trip")
    func fragments() throws {
        var track = TrackFragmentBox(startTime: 1 << 40, defaultDuration: 1024, runs: [])
        track.runs = [TrackRunBox(sizes: [1, 2, 3]), TrackRunBox(sizes: [9], durations: [1000])]
        track.runs[1].dataOffset = nil
        track.defaultSize = 77
        var second = track
        second.baseOffset = 12_345
        second.isBasedOnFragment = false
        second.startTime = nil
        let fragment = MovieFragmentBox(sequenceNumber: 9, tracks: [track, second])
        #expect(try roundTrip(fragment) == fragment)
    }

    @Test("Reads sizes of 4, 8 and 16 bits", arguments: [4, 8, 16])
    func compactSizes(bits: Int) throws {
        let sizes: [UInt32] = [1, 15, 7, 3, 9]
        var writer = BitWriter()
        writer.write(0, count: 32)
        writer.write(UInt32(bits), count: 32)
        writer.write(UInt32(sizes.count), count: 32)
        for size in sizes { writer.write(size, count: bits) }
        var cursor = ByteCursor(writer.bytes)
        #expect(try SampleSizeBox(parsingCompact: &cursor).sizes == sizes)
        var bad = ByteCursor([0, 0, 0, 0, 0, 0, 0, 5, 0, 0, 0, 0])
        #expect(throws: ContainerError.invalidBox("stz2", offset: 12)) { try SampleSizeBox(parsingCompact: &bad) }
    }

    @Test("Finds the configuration in all QuickTime sample entry versions", arguments: [0, 1, 2])
    func quickTimeEntries(version: Int) throws {
        var writer = BoxWriter()
        writer.write(repeatElement(0, count: 8))
        writer.write(version, 2)
        writer.write(repeatElement(0, count: 6))
        writer.write(1, 2)
        writer.write(repeatElement(0, count: 6))
        writer.write(44_100, 2)
        writer.write(0, 2)
        writer.write(repeatElement(0, count: [0, 16, 36][version]))
        writer.box("wave") {
            $0.box("frma") { $0.write("mp4a") }
            $0.write(ESDescriptorBox(audioSpecificConfig: [0x12, 0x08]))
            $0.write(0, 4)
        }
        var cursor = ByteCursor(writer.bytes)
        let entry = try AudioSampleEntry("mp4a", parsing: &cursor)
        #expect(entry.descriptor?.audioSpecificConfig == [0x12, 0x08] && entry.channelCount == 1)
    }

    @Test("Reads one-byte lengths and optional descriptor fields")
    func shortDescriptor() throws {
        let config: [UInt8] = [5, 2, 0x12, 0x10]
        let decoder: [UInt8] = [4, 17, 0x67, 0x15, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] + config
        let stream: [UInt8] = [3, UInt8(10 + decoder.count), 0, 0, 0xE0, 0, 9, 2, 65, 66, 0, 8] + decoder
        var cursor = ByteCursor([0, 0, 0, 0] + stream)
        let box = try ESDescriptorBox(parsing: &cursor)
        #expect(box.audioSpecificConfig == [0x12, 0x10] && box.isAAC && box.objectTypeIndication == 0x67)
    }

    @Test("Inconsistent boxes and oversized tables throw")
    func errors() {
        var short = ByteCursor([0, 0, 0, 7, 0x66, 0x72, 0x65, 0x65])
        #expect(throws: ContainerError.invalidBox("free", offset: 0)) { try short.nextBox() }
        var writer = BoxWriter()
        writer.box("stts") { $0.write([0, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF, 1, 2]) }
        var table = ByteCursor(writer.bytes)
        #expect(throws: ContainerError.truncated(offset: 16, neededBytes: 0xFFFF_FFFF * 8, availableBytes: 2)) {
            try SampleTableBox(parsing: &table)
        }
    }

    @Test("The iTunes gapless tag has the standard form")
    func iTunesTag() {
        let info = GaplessInfo(primingFrames: 2112, validFrames: 44_100, remainderFrames: 448)
        let text = ITunesGapless(info).serialized()
        #expect(
            text == " 00000000 00000840 000001C0 000000000000AC44" + String(repeating: " 00000000", count: 8))
        #expect(ITunesGapless(parsing: text)?.info == info)
        #expect(ITunesGapless(parsing: "") == nil)
        #expect(ITunesGapless(parsing: "0 1 -1 5") == nil)
        #expect(ITunesGapless(parsing: "0 1 1 7FFFFFFFFFFFFFFF") == nil)
    }

    @Test("Reads untyped texts but not binary values")
    func implicitTexts() throws {
        let info = GaplessInfo(primingFrames: 2112, validFrames: 102_400, remainderFrames: 960)
        let texts = [(ITunesGapless.name, ITunesGapless(info).serialized()), ("MusicBrainz Album Id", "ä-1"), ("Binary", "a\0b")]
        var writer = BoxWriter()
        writer.box("meta") { writer in
            writer.writeFullBox()
            writer.box("ilst") { writer in
                for (name, text) in texts {
                    MetadataItem(name: name, [.init(type: 0, bytes: Array(text.utf8))]).write(to: &writer)
                }
                MetadataItem(name: "Latin", [.init(type: 0, bytes: [0x41, 0xE4])]).write(to: &writer)
                MetadataItem(type: "purl", [.init(type: 0, bytes: Array("https://a".utf8))]).write(to: &writer)
            }
        }
        var cursor = ByteCursor(writer.bytes)
        let box = UserDataBox(parsing: &cursor)
        #expect(box.gapless?.info == info)
        #expect(box.tags.fields.map(\.key) == ["MUSICBRAINZ_ALBUMID", "PODCASTURL"])
        #expect(box.tags.fields.map(\.value) == ["ä-1", "https://a"])
    }

    @Test("QuickTime texts have the keys of iTunes items, also the copyright and the program")
    func quickTimeTexts() {
        var writer = BoxWriter()
        for type in ["©nam", "©cpy", "©swr"] as [FourCharCode] {
            writer.box(type) {
                $0.write(1, 2)
                $0.write(0x55C4, 2)
                $0.write(0x41, 1)
            }
        }
        var cursor = ByteCursor(writer.bytes)
        #expect(UserDataBox(parsing: &cursor).tags.fields.map(\.key) == [.title, .copyright, .encoder])
    }

    @Test("Items with QuickTime keys have the names of their keys")
    func quickTimeKeys() throws {
        var writer = BoxWriter()
        writer.box("meta") { writer in
            writer.writeFullBox()
            writer.box("keys") {
                $0.writeFullBox()
                $0.write(2, 4)
                $0.box("mdta") { $0.write("com.apple.quicktime.title".utf8) }
                $0.box("mdta") { $0.write("replaygain_track_gain".utf8) }
            }
            writer.box("ilst") { writer in
                for (number, text) in [(1, "T"), (2, "-3.20 dB")] {
                    MetadataItem(type: FourCharCode(rawValue: UInt32(number)), [.init(type: 1, bytes: Array(text.utf8))]).write(to: &writer)
                }
            }
        }
        var cursor = ByteCursor(writer.bytes)
        let tags = UserDataBox(parsing: &cursor).tags
        #expect(tags.title == "T" && tags.replayGain?.gain == -3.2 && tags.fields.count == 1)
        // QuickTime has the list in the movie itself.
        var movie = BoxWriter()
        Self.movie(isLong: false).write(to: &movie)
        var whole = ByteCursor(movie.bytes + writer.bytes)
        let userData = try MovieBox(parsing: &whole).userData
        #expect(userData?.tags.first(.title) == "Überschrift" && userData?.tags.replayGain?.gain == -3.2)
    }

    /// The items of podcasts and the iTunes Store, with data types and values.
    private static let storeItems: [(type: FourCharCode, dataType: Int, bytes: [UInt8])] =
        [("purl", 0, "https://example.org/feed"), ("egid", 0, "episode-1")].map { ($0.0, $0.1, Array($0.2.utf8)) }
        + ["catg", "keyw", "desc", "ldes", "sdes", "tven", "tvsh", "tvnn", "sosn", "purd", "apID", "ownr", "xid ", "cprt"].map {
            (type: String) in
            (FourCharCode(type) ?? "free", 1, Array("Text of \(type)".utf8))
        }
        + [("pcst", 1), ("stik", 1), ("rtng", 1), ("hdvd", 1), ("akID", 1), ("cnID", 4), ("atID", 4), ("sfID", 4), ("plID", 8)].map {
            ($0.0, 21, [UInt8](repeating: 0, count: $0.1 - 1) + [1])
        }

    @Test("Podcast and iTunes Store items round-trip with their types", arguments: storeItems.indices)
    func unchangedItems(index: Int) throws {
        let (type, dataType, bytes) = Self.storeItems[index]
        var writer = BoxWriter()
        writer.box("meta") { writer in
            writer.writeFullBox()
            writer.box("ilst") { MetadataItem(type: type, [.init(type: dataType, bytes: bytes)]).write(to: &$0) }
        }
        var cursor = ByteCursor(writer.bytes)
        let tags = UserDataBox(parsing: &cursor).tags
        #expect(tags.fields.count == 1)
        #expect(tags.items == [MetadataItem(type: type, [.init(type: dataType, bytes: bytes)])], "\(type)")
    }

    @Test("A gain replaces a text of its name that cannot be read, and the cover stays")
    func coverBesideGain() throws {
        var tags = AudioTags()
        tags["replaygain_track_gain"] = ["n/a"]
        tags.replayGain = AudioTags.ReplayGain(gain: -2, peak: nil)
        let cover = AudioTags.Picture(kind: .frontCover, mediaType: "image/png", bytes: [0x89, 0x50, 0x4E, 0x47, 1])
        tags.pictures = [cover]
        var writer = BoxWriter()
        writer.box("meta") { writer in
            writer.writeFullBox()
            writer.box("ilst") { for item in tags.items { item.write(to: &$0) } }
        }
        var cursor = ByteCursor(writer.bytes)
        let read = UserDataBox(parsing: &cursor).tags
        #expect(read.replayGain?.gain == -2 && read.pictures.map(\.bytes) == [cover.bytes] && read.fields.isEmpty, "\(read)")
    }

    @Test("A damaged item leaves the others, and is named as unread", arguments: [8, 30])
    func damagedItem(offset: Int) throws {
        var tags = AudioTags()
        tags.title = "Title"
        tags.artist = "Artist"
        tags.album = "Album"
        var writer = BoxWriter()
        writer.box("meta") { writer in
            writer.writeFullBox()
            writer.box("ilst") { for item in tags.items { item.write(to: &$0) } }
        }
        let name = Array("ART".utf8)
        let artist = try #require(writer.bytes.indices.first { writer.bytes[$0...].starts(with: name) })
        var bytes = writer.bytes
        // The size of the data box after the name, or of the next item.
        for index in 0..<4 { bytes[artist - 5 + offset + index] = index == 3 ? 7 : 0 }
        var cursor = ByteCursor(bytes)
        let read = UserDataBox(parsing: &cursor).tags
        #expect(read.title == "Title" && read.unreadNames == ["damaged tags"])
        #expect(offset == 8 ? read.artist == nil && read.album == "Album" : read.artist == "Artist" && read.album == nil)
    }

    @Test("Lists binary items by name, except encoding parameters")
    func unreadItems() throws {
        var writer = BoxWriter()
        writer.box("meta") { writer in
            writer.writeFullBox()
            writer.box("ilst") { writer in
                MetadataItem(name: "Private", [.init(type: 0, bytes: [1, 0])]).write(to: &writer)
                MetadataItem(name: "Encoding Params", [.init(type: 0, bytes: [1, 0])]).write(to: &writer)
                MetadataItem(type: "abcd", [.init(type: 0, bytes: [0xFF])]).write(to: &writer)
                MetadataItem(type: "empt", [.init(type: 0, bytes: [])]).write(to: &writer)
            }
        }
        var cursor = ByteCursor(writer.bytes)
        let tags = UserDataBox(parsing: &cursor).tags
        #expect(tags.unreadNames == ["Private", "abcd"] && tags.fields.isEmpty)
    }
}
