// SPDX-License-Identifier: Apache-2.0

import AudioContainers
import AudioPrimitives
import MPEG4Audio
import TestSupport
import Testing

/// Containers of xHE-AAC, in which decoding can start only at some access units.
@Suite struct AccessPointTests {
    static let config = AudioSpecificConfig(
        USACConfig(
            sampleRate: 48_000, channelCount: 2, hasNoiseFilling: true,
            loudness: LoudnessInfoSet(integrated: -16, truePeak: -1, isMeasured: true)))

    /// Returns access units with an immediate playout frame per interval, and an independent access unit before each.
    static func accessUnits(_ count: Int, interval: Int) -> [AccessUnit] {
        (0..<count).map { number in
            let first: UInt8 = number % interval == 0 ? 0xC0 : number % interval == interval - 1 ? 0x80 : 0
            return AccessUnit(
                payload: [first, UInt8(number % 256), 1], presentationTime: MediaTime(value: Int64(1024 * number), timescale: 48_000),
                duration: 1024)
        }
    }

    /// Returns the bodies of all boxes of a type, wherever they are.
    private static func bodies(_ type: String, in bytes: [UInt8]) -> [[UInt8]] {
        let name = Array(type.utf8)
        return bytes.indices.dropLast(8).filter { Array(bytes[$0 + 4..<$0 + 8]) == name }.map { start in
            Array(bytes[start + 8..<min(bytes.count, start + number(bytes[start..<start + 4]))])
        }
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }

    /// Returns the big-endian words of a body from an offset on.
    private static func words(_ body: [UInt8], from offset: Int) -> [Int] {
        stride(from: offset, to: body.count - 3, by: 4).map { number(body[$0..<$0 + 4]) }
    }

    private static func file(_ layout: MP4WriterOptions.Layout, _ units: [AccessUnit]) throws -> [UInt8] {
        var writer = try MP4Writer(to: MemorySink(), .aac(config), options: MP4WriterOptions(layout: layout))
        for unit in units { try writer.append(unit) }
        try writer.finish(GaplessInfo(primingFrames: 1024, validFrames: 1024 * units.count - 1500, remainderFrames: 476))
        return writer.sink.bytes
    }

    @Test("Sync samples are the immediate playout frames, and other independent access units are in a group with their distance")
    func index() throws {
        let bytes = try Self.file(.indexAtEnd, Self.accessUnits(12, interval: 5))
        #expect(Self.bodies("stss", in: bytes).map { Self.words($0, from: 4) } == [[3, 1, 6, 11]])
        // Version 1, "prol", two bytes, one entry, distance 1.
        #expect(Self.bodies("sgpd", in: bytes) == [[1, 0, 0, 0] + Array("prol".utf8) + [0, 0, 0, 2, 0, 0, 0, 1, 0, 1]])
        let runs = [4, 0, 1, 1, 4, 0, 1, 1, 2, 0]
        #expect(Self.bodies("sbgp", in: bytes).map { Self.words($0, from: 8) } == [[5] + runs])
        // Extended HE-AAC, level 2.
        #expect(Self.bodies("iods", in: bytes).map { $0[10] } == [0x49])
        let edit = try #require(Self.bodies("elst", in: bytes).first)
        #expect(Self.words(edit, from: 4) == [1, 1024 * 12 - 1500, 1024, 0x10000])
        // No access unit has another duration.
        #expect(Self.bodies("stts", in: bytes).map { Self.words($0, from: 4) } == [[1, 12, 1024]])
    }

    @Test("A file without other independent access units has no group, and all sync samples are listed")
    func everyUnit() throws {
        let units = Self.accessUnits(3, interval: 1)
        let bytes = try Self.file(.indexAtEnd, units)
        #expect(Self.bodies("stss", in: bytes).map { Self.words($0, from: 4) } == [[3, 1, 2, 3]])
        #expect(Self.bodies("sgpd", in: bytes).isEmpty && Self.bodies("sbgp", in: bytes).isEmpty)
    }

    @Test("Fragments start at immediate playout frames, which alone are sync samples", arguments: [2, 4, 5])
    func fragments(unitsPerFragment: Int) throws {
        let bytes = try Self.file(.fragmented(unitsPerFragment: unitsPerFragment, priming: 1024), Self.accessUnits(23, interval: 5))
        let runs = Self.bodies("trun", in: bytes)
        var (count, first) = (0, 0)
        for run in runs {
            let flags = Self.number(run[1..<4])
            #expect(flags & 0x400 != 0)
            let fields = flags & 0x100 != 0 ? 3 : 2
            let words = Self.words(run, from: 4)
            count = words[0]
            // sample_is_non_sync_sample
            let syncs = (0..<count).map { words[2 + fields * $0 + fields - 1] & 0x10000 == 0 }
            #expect(first % 5 == 0 && syncs == (first..<first + count).map { $0 % 5 == 0 })
            first += count
        }
        #expect(first == 23 && runs.count == 5)
        #expect(Self.bodies("sgpd", in: bytes).count == 4)
        #expect(Self.bodies("sbgp", in: bytes).first.map { Self.words($0, from: 8) } == [2, 4, 0, 1, 0x10001])
    }

    @Test("A fragment ends although access points are rare")
    func rareAccessPoints() throws {
        let bytes = try Self.file(.fragmented(unitsPerFragment: 2, priming: 0), Self.accessUnits(40, interval: 1000))
        #expect(Self.bodies("trun", in: bytes).map { Self.words($0, from: 4)[0] } == [16, 16, 8])
    }

    @Test("The index of a finished recording has all access units of fragments of different sizes", arguments: [1, 2, 7, 13, 100])
    func recording(interval: Int) throws {
        let units = Self.accessUnits(60, interval: interval)
        let bytes = try Self.file(.fragmentedUntilFinished(unitsPerFragment: 3, priming: 1024), units)
        let (_, events) = try MP4Tests.read(bytes)
        #expect(events.accessUnits.map(\.accessUnit.payload) == units.map(\.payload))
        #expect(events.accessUnits.allSatisfy { Array(bytes[$0.byteRange]) == $0.accessUnit.payload })
    }

    @Test("Segments have the brand of xHE-AAC in CMAF")
    func brands() throws {
        let segment = try MP4SegmentBuilder(.aac(Self.config)).initializationSegment
        let brands = try #require(Self.bodies("ftyp", in: segment).first)
        #expect(String(decoding: brands.dropFirst(8), as: UTF8.self) == "iso6mp41cmfccxha")
        let other = try MP4SegmentBuilder(.aac(MP4Tests.config)).initializationSegment
        #expect(!Self.bodies("ftyp", in: other)[0].contains(UInt8(ascii: "x")))
    }

    @Test("LOAS has its configuration at each immediate playout frame and each tenth access unit")
    func loas() throws {
        var writer = try LOASWriter(to: MemorySink(), Self.config)
        var configured: [Int] = []
        for (number, unit) in Self.accessUnits(40, interval: 13).enumerated() {
            let start = writer.sink.bytes.count
            try writer.append(unit)
            // The bit after sync word and length is `useSameStreamMux`.
            if writer.sink.bytes[start + 3] & 0x80 == 0 { configured.append(number) }
        }
        #expect(configured == [0, 10, 13, 20, 26, 30, 39])
    }

    @Test("MPEG-TS has the access units in LOAS")
    func transportStream() throws {
        let units = Self.accessUnits(60, interval: 20)
        var writer = try TransportStreamWriter(to: MemorySink(), .aac(Self.config))
        for unit in units { try writer.append(unit) }
        try writer.finish(nil)
        var (payloads, configurations): ([[UInt8]], [CodecConfiguration]) = ([], [])
        var parser = TransportStreamParser()
        parser.append(writer.sink.bytes)
        parser.finish()
        while let event = parser.nextEvent() {
            if case .configuration(let found) = event { configurations.append(found) }
            if case .accessUnit(let found) = event { payloads.append(found.accessUnit.payload) }
        }
        #expect(payloads == units.map(\.payload) && configurations == [.aac(Self.config)])
    }

    @Test("A seek in CAF finds the access point before a frame, however far it is", arguments: [7, 1_000_000])
    func distantAccessPoint(interval: Int) throws {
        let units = Self.accessUnits(200_000, interval: interval)
        var writer = try CAFWriter(to: MemorySink(), .aac(Self.config))
        for unit in units { try writer.append(unit) }
        try writer.finish(nil)
        var reader = try CAFReader(MemorySource(writer.sink.bytes))
        let began = ContinuousClock.now
        let before = try reader.seek(toFrame: 1024 * 199_990)
        #expect(ContinuousClock.now - began < .seconds(10))
        let first = 199_990 - before / 1024
        #expect(before % 1024 == 0 && first % interval == 0 && (interval > 7 || before <= 1024 * 24))
        #expect(try reader.nextUnit()?.accessUnit.payload == units[first].payload)
    }

    @Test("ADTS is refused with the containers that support xHE-AAC")
    func adts() throws {
        let error = #expect(throws: ContainerError.self) { try ADTSWriter(to: MemorySink(), Self.config) }
        #expect(error?.description.contains("M4A, CAF, LOAS and MPEG-TS support it") == true)
    }
}
