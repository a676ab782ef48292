// SPDX-License-Identifier: Apache-2.0

import AudioContainers
import AudioPrimitives
import TestSupport
import Testing

@Suite struct ILBCTests {
    /// Returns access units with random payloads.
    static func accessUnits(_ count: Int, _ mode: ILBCMode, seed: UInt64 = 1) -> [AccessUnit] {
        var random = SeededRandom(seed: seed)
        return (0..<count).map { index in
            AccessUnit(
                payload: (0..<mode.bytesPerFrame).map { _ in .random(in: 0...255, using: &random) },
                presentationTime: MediaTime(value: Int64(index * mode.samplesPerFrame), timescale: 8000), duration: mode.samplesPerFrame)
        }
    }

    static func write(_ accessUnits: [AccessUnit], _ mode: ILBCMode) throws -> [UInt8] {
        var writer = try AudioFileFormat.ilbc.makeWriter(to: MemorySink(), .ilbc(mode))
        for accessUnit in accessUnits { try writer.append(accessUnit) }
        try writer.finish()
        return writer.sink.bytes
    }

    @Test("Files start with the magic number of RFC 3952")
    func magicNumber() throws {
        #expect(try Self.write([], .milliseconds20) == [0x23, 0x21, 0x69, 0x4C, 0x42, 0x43, 0x32, 0x30, 0x0A])
        #expect(try Self.write([], .milliseconds30) == [0x23, 0x21, 0x69, 0x4C, 0x42, 0x43, 0x33, 0x30, 0x0A])
    }

    @Test("Frames round-trip with any chunk size", arguments: ILBCMode.allCases, [1, 2, 9, 10, 37, 38, 50, 1000])
    func roundTrip(mode: ILBCMode, chunk: Int) throws {
        let accessUnits = Self.accessUnits(30, mode)
        let bytes = try Self.write(accessUnits, mode)
        let events = streamEvents(of: ILBCParser(), bytes, chunks: [chunk])
        #expect(events.first == .configuration(.ilbc(mode)))
        #expect(events.accessUnits.map(\.accessUnit) == accessUnits && events.skips.isEmpty)
        #expect(events.accessUnits.last?.byteRange == bytes.count - mode.bytesPerFrame..<bytes.count)
        #expect(ContainerProbe.format(of: bytes, isWhole: true) == .ilbc)
        var reader = try ILBCReader(MemorySource(bytes))
        #expect(reader.configuration == .ilbc(mode) && !reader.canSeek)
        #expect(try reader.nextUnit()?.accessUnit == accessUnits[0])
    }

    @Test("A truncated file yields its complete frames and reports the rest", arguments: ILBCMode.allCases)
    func truncated(mode: ILBCMode) throws {
        let whole = try Self.write(Self.accessUnits(3, mode), mode)
        for length in whole.indices {
            let events = streamEvents(of: ILBCParser(), Array(whole.prefix(length)), chunks: [16])
            let rest = length - 9
            #expect(events.accessUnits.count == max(0, rest) / mode.bytesPerFrame)
            if rest < 0 {
                #expect(events.skips.map(\.byteRange) == (length == 0 ? [] : [0..<length]))
            } else {
                let lost = rest % mode.bytesPerFrame
                #expect(events.skips == (lost == 0 ? [] : [SkippedBytes(byteRange: length - lost..<length, reason: .truncatedFrame)]))
            }
        }
    }

    @Test(
        "Other file starts are rejected, even if a magic number follows",
        arguments: ["#!iLBC20", "#!iLBC21\n", "#!iLBC30\r", "RIFF", "#!AMR\n", "x"])
    func otherFiles(text: String) {
        let bytes = Array((text + "#!iLBC20\n").utf8)
        for chunk in 1...bytes.count {
            let events = streamEvents(of: ILBCParser(), bytes, chunks: [chunk])
            #expect(events == [.skipped(SkippedBytes(byteRange: 0..<bytes.count, reason: .unrecognized))])
        }
        #expect(throws: ContainerError.unsupportedCodec(nil)) { try ILBCReader(MemorySource(bytes)) }
    }

    @Test("Other frame sizes and codecs throw", arguments: ILBCMode.allCases, [AudioFileFormat.ilbc, .caf])
    func refusals(mode: ILBCMode, format: AudioFileFormat) throws {
        var writer = try format.makeWriter(to: MemorySink(), .ilbc(mode))
        let other = Self.accessUnits(1, mode == .milliseconds20 ? .milliseconds30 : .milliseconds20)[0]
        #expect(throws: ContainerError.wrongUnitLength(byteCount: other.payload.count, expected: mode.bytesPerFrame)) {
            try writer.append(other)
        }
        #expect(throws: ContainerError.codecNotStorable(.mpeg4AAC, in: .ilbc)) {
            try AudioFileFormat.ilbc.makeWriter(to: MemorySink(), MP4Tests.config)
        }
        #expect(throws: ContainerError.codecNotStorable(.iLBC, in: .m4a)) {
            try AudioFileFormat.m4a.makeWriter(to: MemorySink(), .ilbc(mode))
        }
        #expect(throws: ContainerError.codecNotStorable(.iLBC, in: .m4a)) { try MP4SegmentBuilder(.ilbc(.milliseconds20)) }
        #expect(throws: ContainerError.codecNotStorable(.iLBC, in: .adts)) {
            try AudioFileFormat.adts.makeWriter(to: MemorySink(), .ilbc(mode))
        }
    }
}
