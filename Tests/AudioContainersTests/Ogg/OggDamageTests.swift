// SPDX-License-Identifier: Apache-2.0

import AudioContainers
import AudioMetadata
import AudioPrimitives
import TestSupport
import Testing

@Suite struct OggDamageTests {
    /// A comment header without tags.
    private static let tagHeader = OggOpusParser.tagSignature + VorbisComments(tags: AudioTags()).serialized(.opus)

    /// Returns a stream with pages of a quarter of a second.
    private func shortPages(seed: UInt64) throws -> OggStream {
        var options = OggOpusWriterOptions()
        options.maximumPageDuration = 12_000
        return try OggStream.written(seed: seed, options: options)
    }

    @Test("Missing pages do not shift the times of other packets", arguments: 0..<20)
    func missingPages(seed: Int) throws {
        var random = SeededRandom(seed: UInt64(seed))
        let stream = try shortPages(seed: UInt64(seed))
        let pages = OggStream.pages(of: stream.bytes)
        var kept: Set<Int> = []
        var bytes: [UInt8] = []
        var position = 0
        var expected: [AccessUnit] = []
        var index = 0
        for (number, (page, range)) in pages.enumerated() {
            let isKept = number < 2 || number == pages.count - 1 || Int.random(in: 0..<4, using: &random) > 0
            if isKept {
                kept.insert(number)
                bytes += stream.bytes[range]
            }
            guard number >= 2 else { continue }
            for _ in 0..<page.endingPacketCount {
                if isKept { expected.append(stream.accessUnits[index]) }
                position += stream.accessUnits[index].duration
                index += 1
            }
        }
        let events = streamEvents(of: OggOpusParser(), bytes)
        // If the last page follows a missing one and trims, the times of its packets are inexact.
        let isTailKnown = kept.contains(pages.count - 2)
        let known = isTailKnown ? expected.count : expected.count - (pages.last?.page.endingPacketCount ?? 0)
        #expect(events.accessUnits.map(\.accessUnit.payload) == expected.map(\.payload))
        // Without the first audio page, times start at the first available page.
        let shift = (expected.first?.presentationTime.value ?? 0) - (events.accessUnits.first?.accessUnit.presentationTime.value ?? 0)
        for (found, unit) in zip(events.accessUnits, expected).prefix(known) {
            #expect(found.accessUnit.presentationTime.value + shift == unit.presentationTime.value)
        }
    }

    @Test("Reports packets that span damaged pages as skipped")
    func brokenPacket() throws {
        var random = SeededRandom(seed: 9)
        let configuration = OpusConfiguration(mapping: try OpusChannelMapping(channelCount: 2), preSkip: 312)
        var pages: [OggPage] = []
        for body in [configuration.opusHead, Self.tagHeader] {
            var page = OggPage(serialNumber: 5, sequenceNumber: UInt32(pages.count))
            page.isFirst = pages.isEmpty
            page.append(packet: body)
            pages.append(page)
        }
        // Three packets on three pages. The second packet spans all of them.
        let packets = [30, 255 * 3 + 17, 40].map { OggStream.packet(8, byteCount: $0, random: &random) }
        let lacing = packets.flatMap { OggPage.lacing(of: $0.count) }
        let bytes = packets.flatMap { $0 }
        var offset = 0
        for (index, range) in [0..<2, 2..<4, 4..<lacing.count].enumerated() {
            var page = OggPage(serialNumber: 5, sequenceNumber: UInt32(pages.count))
            page.isContinued = index > 0
            page.lacing = Array(lacing[range])
            let count = page.lacing.reduce(0) { $0 + Int($1) }
            page.body = Array(bytes[offset..<offset + count])
            page.granulePosition = [960, -1, 2880][index]
            page.isLast = index == 2
            offset += count
            pages.append(page)
        }
        let whole = streamEvents(of: OggOpusParser(), pages.flatMap(\.serialized))
        #expect(whole.accessUnits.map(\.accessUnit.payload) == packets && whole.skips.isEmpty)
        #expect(whole.accessUnits.map(\.accessUnit.presentationTime.value) == [0, 960, 1920])
        for damaged in 2..<5 {
            var coded = pages.map(\.serialized)
            coded[damaged][40] ^= 1
            let events = streamEvents(of: OggOpusParser(), coded.flatMap { $0 })
            let left = [2: [2], 3: [0, 2], 4: [0]][damaged] ?? []
            #expect(events.accessUnits.map(\.accessUnit.payload) == left.map { packets[$0] })
            #expect(events.skips.contains { $0.isDamage })
        }
        // The stream ends inside the packet.
        let cut = streamEvents(of: OggOpusParser(), pages[..<4].flatMap(\.serialized))
        #expect(cut.accessUnits.map(\.accessUnit.payload) == [packets[0]] && cut.skips.map(\.reason) == [.truncatedFrame])
    }

    @Test("A stream joined late starts at 0 with all its packets")
    func joined() throws {
        let stream = try shortPages(seed: 3)
        let pages = OggStream.pages(of: stream.bytes)
        let bytes = pages.enumerated().flatMap { (2..<6).contains($0.offset) ? [] : Array(stream.bytes[$0.element.byteRange]) }
        var reader = try OggOpusReader(MemorySource(bytes))
        let unit = try #require(try reader.nextUnit())
        #expect(unit.accessUnit.presentationTime.value == 0)
        #expect(unit.trim.leading == min(unit.accessUnit.duration, Int(stream.configuration.preSkip)))
        let missing = pages[5].page.granulePosition
        #expect(reader.metadata.gaplessInfo?.totalFrames == stream.gapless.totalFrames - Int(missing))
    }

    @Test("Packets on damaged pages after the headers are missing, and later ones keep their times", arguments: [1, 3])
    func damagedStart(pageCount: Int) throws {
        let stream = try shortPages(seed: 3)
        let pages = OggStream.pages(of: stream.bytes)
        var bytes = stream.bytes
        for (_, range) in pages[2..<2 + pageCount] { bytes[range.lowerBound + 40] ^= 1 }
        var reader = try OggOpusReader(MemorySource(bytes))
        #expect(reader.metadata.gaplessInfo == stream.gapless)
        var events: [ReaderEvent] = []
        while let event = try reader.nextEvent() { events.append(event) }
        let lost = pages[2..<2 + pageCount].reduce(0) { $0 + $1.page.endingPacketCount }
        #expect(events.accessUnits.map(\.accessUnit) == Array(stream.accessUnits[lost...]))
        #expect(events.skips.last?.missingUnitCount ?? 0 > 0)
        // No packet precedes a frame on the damaged pages, so that all are read again.
        let frame = Int(pages[1 + pageCount].page.granulePosition) - 1
        #expect(try reader.seek(toFrame: frame) == frame)
        var again: [ReaderEvent] = []
        while let event = try reader.nextEvent() { again.append(event) }
        #expect(again == events)
        // Without the damaged bytes, the stream can have been joined late.
        let cut = Array(bytes[..<pages[2].byteRange.lowerBound] + bytes[pages[2 + pageCount].byteRange.lowerBound...])
        #expect(streamEvents(of: OggOpusParser(), cut).accessUnits.first?.accessUnit.presentationTime.value == 0)
    }

    @Test("Seeking to damage reports it and the packets after it")
    func seekingToDamage() throws {
        let stream = try shortPages(seed: 6)
        let pages = OggStream.pages(of: stream.bytes)
        var bytes = stream.bytes
        let middle = pages.count / 2
        bytes[pages[middle].byteRange.lowerBound + 40] ^= 1
        var reader = try OggOpusReader(MemorySource(bytes))
        let frame = Int(pages[middle - 1].page.granulePosition) + 3840
        let before = try reader.seek(toFrame: frame)
        var events: [ReaderEvent] = []
        while let event = try reader.nextEvent() { events.append(event) }
        #expect(events.skips.contains { $0.byteRange == pages[middle].byteRange })
        let first = try #require(events.accessUnits.first).accessUnit
        #expect(Int(first.presentationTime.value) + before >= frame)
        #expect(events.accessUnits.last?.accessUnit == stream.accessUnits.last)
    }

    @Test("Reports packets without duration and oversized packets", arguments: [0, 61_441])
    func invalidPackets(byteCount: Int) throws {
        var random = SeededRandom(seed: 4)
        let configuration = OpusConfiguration(mapping: try OpusChannelMapping(channelCount: 1), preSkip: 0)
        let good = OggStream.packet(8, byteCount: 50, random: &random)
        let bad = byteCount == 0 ? [] : OggStream.packet(8, byteCount: byteCount, random: &random)
        var pages: [OggPage] = []
        for packets in [[configuration.opusHead], [Self.tagHeader], [good, bad, good]] {
            var page = OggPage(serialNumber: 5, sequenceNumber: UInt32(pages.count))
            page.isFirst = pages.isEmpty
            for packet in packets { page.append(packet: packet) }
            page.granulePosition = pages.count < 2 ? 0 : 1920
            pages.append(page)
        }
        let events = streamEvents(of: OggOpusParser(), pages.flatMap(\.serialized))
        #expect(events.accessUnits.map(\.accessUnit.payload) == [good, good])
        #expect(events.skips.map(\.reason) == [.unrecognized])
        var writer = OggOpusWriter(to: MemorySink(), configuration)
        let unit = AccessUnit(payload: bad, presentationTime: MediaTime(value: 0, timescale: 48_000), duration: 960)
        #expect(throws: byteCount == 0 ? ContainerError.emptyAccessUnit : .accessUnitTooLong(byteCount: byteCount, limit: 61_440)) {
            try writer.append(unit)
        }
    }

    @Test("Files without Opus throw; unsupported mappings are reported")
    func refused() throws {
        #expect(throws: ContainerError.unsupportedCodec(nil)) { try OggOpusReader(MemorySource([])) }
        let stream = try OggStream.written(seed: 1)
        var pages = OggStream.pages(of: stream.bytes).map(\.page)
        #expect(throws: ContainerError.unsupportedCodec(nil)) {
            try OggOpusReader(MemorySource(pages.dropFirst().flatMap(\.serialized)))
        }
        let middle = streamEvents(of: OggOpusParser(), pages.dropFirst().flatMap(\.serialized))
        #expect(middle.accessUnits.isEmpty && middle.skips.allSatisfy { $0.reason == .missingConfiguration })
        pages[0].body[18] = 255
        let events = streamEvents(of: OggOpusParser(), pages.flatMap(\.serialized))
        #expect(events.skips.first?.reason == .unsupportedConfiguration(.codec(.unsupportedMappingFamily(255))))
        #expect(events.accessUnits.isEmpty)
        #expect(throws: ContainerError.codec(.unsupportedMappingFamily(255))) {
            try OggOpusReader(MemorySource(pages.flatMap(\.serialized)))
        }
    }

    @Test("Damaged comment headers yield no tags but all packets")
    func damagedTags() throws {
        let stream = try OggStream.written(seed: 2)
        let header = Self.tagHeader
        for length in 8..<header.count {
            #expect(VorbisComments(parsing: header.prefix(length).dropFirst(OggOpusParser.tagSignature.count)) == nil)
        }
        var coded = OggStream.pages(of: stream.bytes).map(\.page.serialized)
        coded[1][30] ^= 1
        let events = streamEvents(of: OggOpusParser(), coded.flatMap { $0 })
        #expect(events.accessUnits.map(\.accessUnit.payload) == stream.accessUnits.map(\.payload))
        #expect(events.skips.map(\.byteRange.count) == [coded[1].count])
    }
}

/// Streams with invalid granule positions.
@Suite struct OggPositionTests {
    /// Returns a stream with changed positions of audio pages, computed from page number, position and whether the page is the last.
    private func changed(_ bytes: [UInt8], _ position: (Int, Int64, Bool) -> Int64) -> [UInt8] {
        OggStream.pages(of: bytes).enumerated().flatMap { number, found in
            var page = found.page
            if number >= 2, page.granulePosition >= 0 { page.granulePosition = position(number, page.granulePosition, page.isLast) }
            return page.serialized
        }
    }

    @Test("Packet durations override early positions, in files and chunks", arguments: ["scaled", "last", "zero", "later"], 0..<4)
    func tooEarly(kind: String, seed: Int) throws {
        let stream = try OggStream.written(seed: UInt64(seed), packetCount: 400, largest: 1500)
        let bytes = changed(stream.bytes) { number, position, isLast in
            switch kind {
            case "scaled": position * 2 / 15
            case "last": isLast ? 5000 : position
            case "zero": 0
            default: number < 4 ? position : position / 3
            }
        }
        var reader = try OggOpusReader(MemorySource(bytes))
        let total = stream.accessUnits.reduce(0) { $0 + $1.duration }
        #expect(reader.metadata.hasFalsePositions)
        #expect(
            reader.metadata.gaplessInfo
                == GaplessInfo(
                    primingFrames: stream.gapless.primingFrames, validFrames: total - stream.gapless.primingFrames, remainderFrames: 0))
        var events: [ReaderEvent] = []
        while let event = try reader.nextEvent() { events.append(event) }
        #expect(events.accessUnits.map(\.accessUnit.payload) == stream.accessUnits.map(\.payload) && events.skips.isEmpty)
        #expect(events.accessUnits.reduce(0) { $0 + $1.trim.trailing } == 0)
        #expect(streamEvents(of: OggOpusParser(), bytes, chunks: [4000, 70_000]).accessUnits.map(\.trim) == events.accessUnits.map(\.trim))
        for frame in [0, total / 2, total - 1] {
            let dropped = try reader.seek(toFrame: frame)
            let unit = try reader.nextUnit()
            #expect(unit.map { Int($0.accessUnit.presentationTime.value) + dropped } == frame)
        }
    }

    @Test("Valid streams have no false positions", arguments: 0..<10)
    func intact(seed: Int) throws {
        let stream = try OggStream.written(seed: UInt64(seed))
        #expect(try !OggOpusReader(MemorySource(stream.bytes)).metadata.hasFalsePositions)
    }
}
