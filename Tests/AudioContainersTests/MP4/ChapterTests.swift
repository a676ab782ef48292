// SPDX-License-Identifier: Apache-2.0

import AudioContainers
import AudioMetadata
import AudioPrimitives
import TestSupport
import Testing

/// MP4 chapters: Nero's list and QuickTime's track.
@Suite struct ChapterTests {
    static let gapless = GaplessInfo(primingFrames: 2112, validFrames: 90 * 1024 - 2112 - 1000, remainderFrames: 1000)

    /// Returns tags with chapters at the given sample frames, at 48 kHz.
    static func tags(_ starts: [Int], title: (Int) -> String = { "Chapter \($0) é" }) -> AudioTags {
        var tags = AudioTags()
        tags.chapters = starts.enumerated().map { .init(start: $0.element, timescale: 48_000, title: title($0.offset)) }
        return tags
    }

    static func file(_ tags: AudioTags, _ layout: MP4WriterOptions.Layout = .indexAtEnd) throws -> [UInt8] {
        try MP4Tests.write(MP4Tests.accessUnits(90), MP4Tests.config, .init(layout: layout, tags: tags), gapless: gapless)
    }

    @Test("Chapters round-trip with sample accuracy in every layout", arguments: MP4Tests.layouts.indices, [0, 7])
    func roundTrip(index: Int, first: Int) throws {
        let tags = Self.tags([first, 31_111, 50_001, 50_002])
        let layout = MP4Tests.layouts[index]
        let (reader, events) = try MP4Tests.read(try Self.file(tags, layout))
        #expect(reader.metadata.tags.chapters.map { $0.start(in: 48_000) } == [first, 31_111, 50_001, 50_002])
        #expect(reader.metadata.tags.chapters.map(\.title) == tags.chapters.map(\.title))
        #expect(events.accessUnits.map(\.accessUnit.payload) == MP4Tests.accessUnits(90).map(\.payload))
        if case .fragmented = layout { return }
        #expect(reader.metadata.gaplessInfo == Self.gapless)
        #expect(reader.metadata.tags == tags)
    }

    @Test("The chapter track has no limits, but the list in fragmented files has")
    func limits() throws {
        let tags = Self.tags(Array(0..<300)) { _ in String(repeating: "漢", count: 100) }
        #expect(try MP4Tests.read(try Self.file(tags)).reader.metadata.tags == tags)
        let cut = try MP4Tests.read(try Self.file(tags, .fragmented(unitsPerFragment: 50, priming: 2112))).reader.metadata.tags.chapters
        #expect(cut.count == 255 && cut.allSatisfy { $0.title == String(repeating: "漢", count: 85) })
    }

    @Test("The reserved index space includes chapters")
    func reserved() throws {
        let bytes = try Self.file(Self.tags([5, 10_000, 20_000]), .indexAtStart(expectedUnitCount: 90))
        #expect(MP4Tests.topLevelNames(bytes).prefix(2) == ["ftyp", "moov"])
    }

    @Test("Unordered chapters and chapters after the end are written")
    func outside() throws {
        let found = try MP4Tests.read(try Self.file(Self.tags([40_000, 10, 9_000_000]))).reader.metadata.tags.chapters
        #expect(found.count == 3)
    }

    @Test("Damaged chapters never trap, and their size is limited")
    func damage() throws {
        let original = try Self.file(Self.tags([5, 10_000, 20_000, 30_000]))
        var random = SeededRandom(seed: 35)
        for _ in 0..<RandomDamage.fileCount {
            var bytes = original
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                // The titles and the index are at the end.
                let index = bytes.count - 1 - Int.random(in: 0..<1600, using: &random)
                bytes[index] = Bool.random(using: &random) ? .random(in: 0...255, using: &random) : random.element(of: [0, 1, 0x7F, 0xFF])
            }
            guard let reader = try? MP4Reader(MemorySource(bytes)) else { continue }
            let chapters = reader.metadata.tags.chapters
            #expect(chapters.count <= 10_000)
            #expect(chapters.reduce(0) { $0 + $1.title.utf8.count } <= 1 << 24)
        }
    }

    private func textTrack(_ trackID: Int, _ samples: [(duration: Int, bytes: [UInt8])], at offset: Int) -> TrackBox {
        var track = TrackBox()
        (track.trackID, track.kind, track.mediaTimes.timescale) = (trackID, "text", 1000)
        track.sampleTable.times = samples.map { .init(count: 1, duration: $0.duration) }
        track.sampleTable.chunks = [.init(firstChunk: 1, unitsPerChunk: samples.count)]
        track.sampleTable.sizes.sizes = samples.map { UInt32($0.bytes.count) }
        track.sampleTable.offsets = [offset]
        return track
    }

    /// Returns a text sample, optionally followed by a box with a URL.
    private func sample(_ text: String, _ address: String? = nil) -> [UInt8] {
        var writer = BoxWriter()
        writer.write(text.utf8.count, 2)
        writer.write(text.utf8)
        if let address {
            writer.box("href") {
                $0.write(text.utf8.count, 4)
                $0.write(address.utf8.count, 1)
                $0.write(address.utf8)
                $0.write(0, 1)
            }
        }
        return writer.bytes
    }

    @Test(
        "Combines a title track and a URL track", arguments: [false, true], [false, true])
    func podcast(hasLinkBoxes: Bool, comesFirst: Bool) throws {
        let titles = [(500, sample("Intro")), (700, sample("News")), (800, sample("End"))]
        let links = ["https://example.org/1", "https://example.org/2", "https://example.org/3"].enumerated().map { index, address in
            ([500, 600, 900][index], hasLinkBoxes ? sample("Page \(index)", address) : sample(address))
        }
        var movie = MovieBox()
        var track = TrackBox()
        track.mediaTimes.timescale = 44_100
        track.chapterTrackIDs = [2, 3]
        track.sampleTable.description = SampleDescriptionBox(
            entry: AudioSampleEntry(channelCount: 2, sampleRate: 44_100, descriptor: ESDescriptorBox(audioSpecificConfig: [0x12, 0x10])))
        var writer = BoxWriter()
        writer.box("mdat") { writer in for (_, bytes) in titles + links { writer.write(bytes) } }
        let textTracks = [
            textTrack(comesFirst ? 2 : 3, titles.map { ($0.0, $0.1) }, at: 8),
            textTrack(comesFirst ? 3 : 2, links.map { ($0.0, $0.1) }, at: 8 + titles.reduce(0) { $0 + $1.1.count }),
        ]
        movie.tracks = [track] + (comesFirst ? textTracks : textTracks.reversed())
        writer.write(movie)
        let tags = try MP4Reader(MemorySource(writer.bytes)).metadata.tags
        #expect(tags.chapters.map(\.title) == ["Intro", "News", "End"])
        #expect(tags.chapters.map { $0.start(in: 1000) } == [0, 500, 1200])
        // The third URL starts inside a chapter.
        #expect(tags.chapters.map(\.address) == ["https://example.org/1", "https://example.org/2", nil])
        #expect(tags.unreadNames == ["URLs between chapters"])
    }
}
