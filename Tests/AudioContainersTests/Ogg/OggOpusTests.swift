// SPDX-License-Identifier: Apache-2.0

import AudioContainers
import AudioMetadata
import AudioPrimitives
import TestSupport
import Testing

@Suite struct OggOpusTests {
    /// Returns a picture of the given size.
    private func picture(byteCount: Int) -> AudioTags.Picture {
        AudioTags.Picture(format: .png, bytes: [0x89, 0x50, 0x4E, 0x47] + (4..<byteCount).map { UInt8(truncatingIfNeeded: $0 &* 37) })
    }

    private func options(pictureByteCount: Int) -> OggOpusWriterOptions {
        var options = OggOpusWriterOptions()
        options.tags.title = "Title = with a sign"
        options.tags.artist = "Künstler"
        options.tags.album = "A"
        options.tags.date = "2026-11-21"
        options.tags.encoder = "a program"
        options.tags.cover = picture(byteCount: pictureByteCount)
        return options
    }

    @Test("Packets, durations and tags round-trip in files and chunks", arguments: (0..<30).selectedCases)
    func roundTrip(seed: Int) throws {
        let options = seed % 3 == 0 ? options(pictureByteCount: [10, 47_000, 200_000][seed / 3 % 3]) : OggOpusWriterOptions()
        let stream = try OggStream.written(seed: UInt64(seed), options: options, largest: seed % 5 == 0 ? 61_440 : 600)
        var reader = try OggOpusReader(MemorySource(stream.bytes))
        #expect(reader.configuration == .opus(stream.configuration))
        #expect(reader.metadata.gaplessInfo == stream.gapless && reader.metadata.omittedRanges.isEmpty)
        var tags = options.tags
        tags.encoder = tags.encoder ?? "Linnet"
        #expect(reader.metadata.tags == tags)
        var events: [ReaderEvent] = []
        while let event = try reader.nextEvent() { events.append(event) }
        #expect(events.first == .configuration(.opus(stream.configuration)))
        #expect(events.accessUnits.map(\.accessUnit) == stream.accessUnits && events.skips.isEmpty)
        #expect(events.accessUnits.reduce(0) { $0 + $1.trim.leading } == stream.gapless.primingFrames)
        #expect(events.accessUnits.reduce(0) { $0 + $1.trim.trailing } == stream.gapless.remainderFrames)
        for chunks in [[1, 26, 1, 3, 4000, 70_000], [5000], [65_307]] {
            #expect(streamEvents(of: OggOpusParser(), stream.bytes, chunks: chunks) == events)
        }
        for unit in events.accessUnits {
            // The range of an access unit that spans pages includes page headers.
            #expect(unit.byteRange.count >= unit.accessUnit.payload.count)
        }
    }

    @Test("Pages conform to RFC 7845")
    func pages() throws {
        let stream = try OggStream.written(seed: 7, options: options(pictureByteCount: 100_000))
        let pages = OggStream.pages(of: stream.bytes).map(\.page)
        #expect(pages.enumerated().allSatisfy { $0.element.sequenceNumber == UInt32($0.offset) })
        #expect(Set(pages.map(\.serialNumber)).count == 1)
        #expect(pages.map(\.isFirst) == pages.indices.map { $0 == 0 } && pages.map(\.isLast) == pages.indices.map { $0 == pages.count - 1 })
        #expect(pages[0].body == stream.configuration.opusHead && pages[0].granulePosition == 0)
        // The comment header spans three pages. Only the last one has a position.
        #expect(pages[1...3].map(\.granulePosition) == [-1, -1, 0])
        #expect(pages[1...4].map(\.isContinued) == [false, true, true, false])
        var position: Int64 = 0
        for page in pages.dropFirst(4) {
            #expect(page.granulePosition > position && page.granulePosition - position <= 48_000)
            position = page.granulePosition
        }
        #expect(position == Int64(stream.gapless.primingFrames + stream.gapless.validFrames))
        // The same input produces the same bytes, and other input another serial number.
        #expect(try OggStream.written(seed: 7, options: options(pictureByteCount: 100_000)).bytes == stream.bytes)
        let other = try OggStream.written(seed: 8)
        #expect(OggStream.pages(of: other.bytes).first?.page.serialNumber != pages[0].serialNumber)
    }

    @Test("Seeking starts 80 ms before the target frame", arguments: 0..<10)
    func seeking(seed: Int) throws {
        var random = SeededRandom(seed: UInt64(seed))
        let stream = try OggStream.written(seed: UInt64(seed), packetCount: 2000)
        var reader = try OggOpusReader(MemorySource(stream.bytes))
        let total = stream.accessUnits.reduce(0) { $0 + $1.duration }
        for _ in 0..<40 {
            let frame = Int.random(in: 0..<total, using: &random)
            let before = try reader.seek(toFrame: frame)
            var accessUnits: [DemuxedAccessUnit] = []
            while accessUnits.count < 5, let unit = try reader.nextUnit() { accessUnits.append(unit) }
            let first = try #require(accessUnits.first)
            let index = try #require(stream.accessUnits.firstIndex(of: first.accessUnit))
            #expect(accessUnits.map(\.accessUnit) == Array(stream.accessUnits[index...].prefix(5)))
            #expect(Int(first.accessUnit.presentationTime.value) == frame - before)
            let reach = max(0, frame - 3840)
            #expect(frame - before <= reach && frame - before + first.accessUnit.duration > reach)
        }
        #expect(try reader.seek(toFrame: total) == 0)
        #expect(try reader.nextUnit() == nil)
        #expect(try reader.seek(toFrame: 0) == 0)
        #expect(try reader.nextUnit()?.accessUnit == stream.accessUnits.first)
    }

    @Test("The end is trimmed after a flush, too", arguments: [0, 1, 959])
    func trimAfterFlush(remainder: Int) throws {
        let stream = try OggStream.written(seed: 1)
        var writer = OggOpusWriter(to: MemorySink(), stream.configuration)
        for unit in stream.accessUnits { try writer.append(unit) }
        let unit = AccessUnit(payload: [19 << 3, 1, 2], presentationTime: MediaTime(value: 0, timescale: 48_000), duration: 960)
        try writer.append(unit)
        try writer.flush()
        let priming = Int(stream.configuration.preSkip)
        let total = stream.gapless.totalFrames + 960
        let gapless = GaplessInfo(primingFrames: priming, validFrames: total - priming - remainder, remainderFrames: remainder)
        try writer.finish(gapless)
        let reader = try OggOpusReader(MemorySource(writer.sink.bytes))
        #expect(reader.metadata.gaplessInfo == gapless && !reader.metadata.hasFalsePositions && !reader.metadata.isUnfinished)
        let page = OggStream.pages(of: writer.sink.bytes).last?.page
        #expect(page?.lacing.isEmpty == true && page?.granulePosition == (remainder == 0 ? -1 : Int64(total - remainder)))
    }

    @Test("After a seek, the first event is a configuration unless it was read already")
    func configurationAfterSeek() throws {
        let streams = try [3, 4].map { try OggStream.written(seed: $0) }
        var reader = try OggOpusReader(MemorySource(streams.flatMap(\.bytes)))
        let second = streams[0].gapless.totalFrames + 4000
        let (first, next) = (CodecConfiguration.opus(streams[0].configuration), CodecConfiguration.opus(streams[1].configuration))
        _ = try reader.seek(toFrame: .max)
        #expect(try reader.nextEvent() == .configuration(first))
        #expect(try reader.nextEvent() == nil)
        reader = try OggOpusReader(MemorySource(streams.flatMap(\.bytes)))
        _ = try reader.seek(toFrame: 4000)
        #expect(try reader.nextEvent() == .configuration(first))
        _ = try reader.seek(toFrame: 8000)
        #expect(try [reader.nextEvent()].compactMap { $0 }.accessUnits.count == 1)
        // The first of two seeks is never read.
        _ = try reader.seek(toFrame: second)
        _ = try reader.seek(toFrame: second + 4000)
        #expect(try reader.nextEvent() == .configuration(next))
        #expect(reader.configuration == next)
    }

    @Test("Reads chained streams in order and omits the gaps between their signals", arguments: 0..<8)
    func chained(seed: Int) throws {
        let streams = try (0..<3).map { try OggStream.written(seed: UInt64(seed * 3 + $0), packetCount: 40 + 300 * $0) }
        let bytes = streams.flatMap(\.bytes)
        var reader = try OggOpusReader(MemorySource(bytes))
        var start = 0
        var signals: [Range<Int>] = []
        for stream in streams {
            let first = start + stream.gapless.primingFrames
            signals.append(first..<first + stream.gapless.validFrames)
            start += stream.gapless.totalFrames
        }
        let gapless = try #require(reader.metadata.gaplessInfo)
        #expect(gapless.primingFrames == signals[0].lowerBound && gapless.totalFrames == start)
        #expect(gapless.primingFrames + gapless.validFrames == signals[2].upperBound)
        let gaps = zip(signals, signals.dropFirst()).map { $0.upperBound..<$1.lowerBound }.filter { !$0.isEmpty }
        #expect(reader.metadata.omittedRanges == gaps)
        var events: [ReaderEvent] = []
        while let event = try reader.nextEvent() { events.append(event) }
        #expect(events.accessUnits.map(\.accessUnit.payload) == streams.flatMap(\.accessUnits).map(\.payload))
        #expect(events == streamEvents(of: OggOpusParser(), bytes, chunks: [777]))
        let configurations = events.compactMap { if case .configuration(let found) = $0 { found } else { nil } }
        #expect(configurations == streams.map { .opus($0.configuration) })
        var time: Int64 = 0
        for unit in events.accessUnits {
            #expect(unit.accessUnit.presentationTime.value == time)
            time += Int64(unit.accessUnit.duration)
        }
        // Seek into each stream.
        for signal in signals.reversed() {
            let before = try reader.seek(toFrame: signal.lowerBound + signal.count / 2)
            let unit = try #require(try reader.nextUnit())
            #expect(Int(unit.accessUnit.presentationTime.value) + before == signal.lowerBound + signal.count / 2)
        }
    }

    @Test("Reads both streams of a file concatenated with itself", arguments: [0, 1000])
    func repeated(lostByteCount: Int) throws {
        let stream = try OggStream.written(seed: 21)
        let bytes = stream.bytes.dropLast(lostByteCount) + stream.bytes
        var reader = try OggOpusReader(MemorySource(Array(bytes)))
        let whole = try #require(reader.metadata.gaplessInfo)
        let length = stream.gapless.totalFrames
        #expect(lostByteCount == 0 ? whole.totalFrames == 2 * length : (length + 1..<2 * length).contains(whole.totalFrames))
        #expect(reader.metadata.omittedRanges.count == 1)
        let frame = whole.totalFrames - 1
        let before = try reader.seek(toFrame: frame)
        #expect(try reader.nextUnit().map { Int($0.accessUnit.presentationTime.value) + before } == frame)
    }

    @Test("Ignores other multiplexed streams", arguments: 0..<6)
    func multiplexed(seed: Int) throws {
        var random = SeededRandom(seed: UInt64(seed))
        let stream = try OggStream.written(seed: UInt64(seed))
        let other = try OggStream.written(seed: UInt64(seed + 100))
        var bytes: [UInt8] = []
        var own = OggStream.pages(of: stream.bytes).map(\.page)[...]
        var foreign = OggStream.pages(of: other.bytes).map(\.page)[...]
        // The first pages of all streams precede other pages.
        var head = foreign.removeFirst()
        if seed % 2 == 0 { (head.lacing, head.body) = ([7], Array("\u{1}vorbis".utf8)) }
        let heads = [own.removeFirst(), head]
        for page in seed % 2 == 0 ? heads.reversed() : heads { bytes += page.serialized }
        while !own.isEmpty || !foreign.isEmpty {
            let isOwn = foreign.isEmpty || !own.isEmpty && Bool.random(using: &random)
            bytes += (isOwn ? own.removeFirst() : foreign.removeFirst()).serialized
        }
        var reader = try OggOpusReader(MemorySource(bytes))
        #expect(reader.metadata.gaplessInfo == stream.gapless)
        var events: [ReaderEvent] = []
        while let event = try reader.nextEvent() { events.append(event) }
        #expect(events.accessUnits.map(\.accessUnit) == stream.accessUnits && events.skips.isEmpty)
    }
}
