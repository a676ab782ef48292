// SPDX-License-Identifier: Apache-2.0

import AudioContainers
import AudioPrimitives
import TestSupport
import Testing

@Suite struct MatroskaDamageTests {
    @Test("A file cut anywhere gives all whole packets before the cut, and reports the rest", arguments: [true, false])
    func cuts(hasSizes: Bool) throws {
        let bytes = MatroskaReaderTests.file(sizes: hasSizes).bytes
        let whole = try matroskaEvents(bytes).events.accessUnits
        let first = try #require(whole.first?.byteRange.lowerBound)
        for count in first - 3..<bytes.count {
            let events = try matroskaEvents(Array(bytes.prefix(count))).events
            let expected = whole.prefix { $0.byteRange.upperBound <= count }
            // A block is one unit of loss.
            #expect(events.accessUnits.map(\.accessUnit.payload) == expected.prefix(events.accessUnits.count).map(\.accessUnit.payload))
            #expect(expected.count - events.accessUnits.count <= 3, "cut at \(count)")
            // Without sizes, nothing states that a file continues after an element.
            if hasSizes { #expect(!events.skips.isEmpty && events.skips.allSatisfy(\.isDamage), "cut at \(count)") }
        }
    }

    /// A file of a hundred packets in ten clusters.
    static func longFile(hasSizes: Bool) -> [UInt8] {
        var file = MatroskaFile()
        file.hasSegmentSize = hasSizes
        let packets = MatroskaFile.packets((0..<100).map { 30 + $0 * 37 % 50 })
        file.clusters = (0..<10).map { cluster in
            MatroskaFile.cluster(
                (0..<10).map { MatroskaFile.simpleBlock([packets[10 * cluster + $0]], time: 20 * $0) }, time: 200 * cluster,
                hasSize: hasSizes)
        }
        return file.bytes
    }

    @Test("Twenty damaged bytes cost few packets, and are reported if they cost any", arguments: [true, false])
    func overwritten(hasSizes: Bool) throws {
        let bytes = Self.longFile(hasSizes: hasSizes)
        let whole = try matroskaEvents(bytes).events.accessUnits
        #expect(whole.count == 100)
        var random = SeededRandom(seed: 5)
        for start in stride(from: whole[1].byteRange.lowerBound, to: whole[97].byteRange.lowerBound, by: 61) {
            var damaged = bytes
            for index in start..<start + 20 { damaged[index] = .random(in: 0...255, using: &random) }
            let events = try matroskaEvents(damaged).events
            let units = events.accessUnits
            #expect(units.count >= 96 && (units.count == 100 || !events.skips.isEmpty), "damage at \(start)")
            #expect(units.last?.accessUnit.payload == whole[99].accessUnit.payload, "damage at \(start)")
        }
    }

    @Test("Missing packets are reported, and followed by a jump of the time")
    func missing() throws {
        let bytes = Self.longFile(hasSizes: false)
        let whole = try matroskaEvents(bytes).events.accessUnits
        var damaged = bytes
        for index in whole[20].byteRange.lowerBound..<whole[29].byteRange.upperBound { damaged[index] = 0x55 }
        // The header of the first block survives.
        damaged[whole[20].byteRange.lowerBound - 5] = 0x55
        damaged[whole[20].byteRange.lowerBound - 9] = 0x55
        let events = try matroskaEvents(damaged).events
        #expect(events.skips.count == 1 && events.skips[0].reason == .unrecognized)
        #expect(events.accessUnits.map(\.accessUnit) == (whole[..<20] + whole[30...]).map(\.accessUnit))

        var reader = try MatroskaReader(MemorySource(damaged))
        #expect(reader.metadata.accessUnitCount == 90 && reader.metadata.frameCount == 100 * 960)
        for (frame, first) in [(20 * 960, 16), (24 * 960, 19), (29 * 960, 19), (34 * 960, 30)] {
            let left = try reader.seek(toFrame: frame)
            var found: [ReaderEvent] = []
            while let event = try reader.nextEvent() { found.append(event) }
            #expect(left == frame - first * 960, "\(frame)")
            #expect(found.accessUnits.first?.accessUnit == whole[first].accessUnit)
            #expect(found.skips.count == (first < 30 ? 1 : 0))
        }
    }

    @Test("After the header of a cluster is lost, the next cluster has its time again", arguments: [true, false])
    func lostHeader(hasSizes: Bool) throws {
        let bytes = Self.longFile(hasSizes: hasSizes)
        let whole = try matroskaEvents(bytes).events.accessUnits
        var damaged = bytes
        // The last packet of a cluster, and the header of the next one.
        for index in whole[19].byteRange.lowerBound - 9..<whole[20].byteRange.lowerBound - 9 { damaged[index] = 0x55 }
        let events = try matroskaEvents(damaged).events
        #expect(events.skips.map(\.reason) == [.unrecognized, .missing(unitCount: 1)])
        let units = events.accessUnits.map(\.accessUnit)
        #expect(units.map(\.payload) == (whole[..<19] + whole[20...]).map(\.accessUnit.payload))
        #expect(units[29...] == whole[30...].map(\.accessUnit)[...])
    }

    @Test("After a damaged packet in a block with several, the next block has its time again")
    func lacing() throws {
        var file = MatroskaFile()
        let packets = MatroskaFile.packets([40, 40, 40, 40, 40, 40])
        // A packet with a code of frame counts, but without the count.
        let damaged = [[packets[0], [0xFF], packets[2]], [packets[3], packets[4], packets[5]]]
        file.clusters = [MatroskaFile.cluster(damaged.enumerated().map { MatroskaFile.simpleBlock($1, time: 60 * $0, lacing: .xiph) })]
        let events = try matroskaEvents(file.bytes).events
        #expect(events.skips.map(\.reason) == [.damagedUnit, .missing(unitCount: 1)])
        #expect(events.accessUnits.map(\.accessUnit.presentationTime.value) == [0, 960, 2880, 3840, 4800])
    }

    private final class CountingSource: ByteSource {
        let bytes: [UInt8]
        private(set) var readCount = 0

        init(_ bytes: [UInt8]) { self.bytes = bytes }

        var byteCount: Int { bytes.count }

        func bytes(in range: Range<Int>) throws(ContainerError) -> [UInt8] {
            readCount += range.count
            return Array(bytes[range])
        }
    }

    @Test("The search after damage reads little more than the file, even if all of it looks like headers of large elements")
    func falseHeaders() throws {
        let bytes = Self.longFile(hasSizes: false)
        let middle = try matroskaEvents(bytes).events.accessUnits[49].byteRange.upperBound
        // After a byte of damage, blocks of 1 MiB.
        let headers = [0x55] + Array(repeatElement([0xA3, 0x10, 0x10, 0, 0] as [UInt8], count: 20_000).joined())
        let source = CountingSource(bytes[..<middle] + headers + [UInt8](repeating: 0x55, count: 1_200_000) + bytes[middle...])
        var reader = try MatroskaReader(source)
        var last: DemuxedAccessUnit?
        while let unit = try reader.nextUnit() { last = unit }
        #expect(last?.accessUnit.payload == (try matroskaEvents(bytes).events.accessUnits.last?.accessUnit.payload))
        #expect(source.readCount < 10 * source.byteCount, "\(source.readCount)")
    }
}
