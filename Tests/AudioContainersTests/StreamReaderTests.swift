// SPDX-License-Identifier: Apache-2.0

import AudioContainers
import AudioPrimitives
import MPEG4Audio
import Testing

@Suite struct StreamReaderTests {
    /// A pipe that returns a few bytes per read.
    struct SlowPipe: ByteStream {
        var bytes: ArraySlice<UInt8>

        mutating func read(_ maximumByteCount: Int) throws(ContainerError) -> [UInt8] {
            let part = bytes.prefix(min(7, maximumByteCount))
            bytes.removeFirst(part.count)
            return Array(part)
        }
    }

    @Test("Reads the parser's events from a pipe and has its first configuration")
    func events() throws {
        let stream = try ADTSStream.random(frameCount: 6)
        let bytes = [1, 2, 3] + stream.bytes
        var reader = try ADTSReader(SlowPipe(bytes: bytes[...]))
        #expect(reader.configuration.sampleRate == 32_000)
        var events: [ReaderEvent] = []
        while let event = try reader.nextEvent() { events.append(event) }
        #expect(events == adtsEvents(bytes))
        #expect(!reader.canSeek && reader.metadata == ContainerMetadata())
        #expect(throws: ContainerError.notSeekable) { try reader.seek(toFrame: 0) }
    }

    @Test("The configuration follows the access units")
    func configurations() throws {
        let parts = [try ADTSStream.random(frameCount: 3), try ADTSStream.random(frameCount: 3, rate: 48_000)]
        var reader = try ADTSReader(MemorySource(parts.flatMap(\.bytes)))
        var rates: [Int] = []
        while try reader.nextUnit() != nil { rates.append(reader.configuration.sampleRate) }
        #expect(rates == [32_000, 32_000, 32_000, 48_000, 48_000, 48_000])
    }

    @Test("A stream without frames throws")
    func noFrame() {
        #expect(throws: ContainerError.unsupportedCodec(nil)) { try ADTSReader(MemorySource([1, 2, 3])) }
        #expect(throws: ContainerError.unsupportedCodec(nil)) { try LOASReader(MemorySource([])) }
    }

    @Test("In-memory readers are sequences of access units")
    func sequences() throws {
        let accessUnits = MP4Tests.accessUnits(9)
        let payloads = accessUnits.map(\.payload)
        let movie = try MP4Tests.write(accessUnits)
        #expect(try MP4Reader(MemorySource(movie)).map(\.accessUnit.payload) == payloads)
        #expect(try CAFReader(MemorySource(CAFTests.write(accessUnits))).map(\.accessUnit.payload) == payloads)
        let stream = try LATMTests.stream(payloads).flatMap { $0 }
        #expect(try LOASReader(MemorySource(stream)).map(\.accessUnit.payload) == payloads)
        var count = 0
        for unit in try ADTSReader(MemorySource(ADTSStream.random(frameCount: 5).bytes)) { count += unit.accessUnit.duration }
        #expect(count == 5 * 1024)
    }
}
