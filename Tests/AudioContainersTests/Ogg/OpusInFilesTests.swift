// SPDX-License-Identifier: Apache-2.0

import AudioContainers
import AudioMetadata
import AudioPrimitives
import TestSupport
import Testing

/// Opus in MP4 and CAF: writing, reading and seeking packets of an Ogg stream.
@Suite struct OpusInFilesTests {
    /// Returns a file with an Ogg stream's packets.
    private func written(_ stream: OggStream, _ format: AudioFileFormat, expectsCount: Bool = false) throws -> [UInt8] {
        var options = ContainerWriterOptions()
        options.priming = stream.gapless.primingFrames
        options.expectedUnitCount = expectsCount ? stream.accessUnits.count : nil
        options.tags.title = "T"
        var writer = try format.makeWriter(to: MemorySink(), .opus(stream.configuration), options: options)
        for unit in stream.accessUnits { try writer.append(unit) }
        try writer.finish(stream.gapless)
        return writer.sink.bytes
    }

    /// Expects the access units of the stream from a reader.
    private func expect(_ reader: some ContainerReader, _ stream: OggStream, _ configuration: OpusConfiguration) throws {
        var reader = reader
        #expect(reader.configuration == .opus(configuration) && reader.metadata.gaplessInfo == stream.gapless)
        #expect(reader.metadata.tags.title == "T")
        var accessUnits: [AccessUnit] = []
        while let unit = try reader.nextUnit() { accessUnits.append(unit.accessUnit) }
        #expect(accessUnits == stream.accessUnits)
        let frame = stream.gapless.totalFrames * 2 / 3
        let before = try reader.seek(toFrame: frame)
        let unit = try #require(try reader.nextUnit()).accessUnit
        #expect(Int(unit.presentationTime.value) + before == frame && before >= min(frame, 3840))
    }

    @Test("MP4 keeps packets, durations and all header fields", arguments: 0..<12)
    func mp4(seed: Int) throws {
        let stream = try OggStream.written(seed: UInt64(seed))
        let bytes = try written(stream, .m4a, expectsCount: seed % 2 == 0)
        #expect(ContainerProbe.format(of: bytes, isWhole: true) == .mp4)
        try expect(try MP4Reader(MemorySource(bytes)), stream, stream.configuration)
    }

    @Test("Fragmented MP4 keeps packets and priming and trims the last packet", arguments: 0..<12)
    func fragments(seed: Int) throws {
        let stream = try OggStream.written(seed: UInt64(seed))
        let bytes = try written(stream, .fragmentedM4A)
        var reader = try MP4Reader(MemorySource(bytes))
        let gapless = try #require(reader.metadata.gaplessInfo)
        #expect(gapless.primingFrames == stream.gapless.primingFrames && gapless.validFrames == stream.gapless.validFrames)
        var accessUnits: [AccessUnit] = []
        while let unit = try reader.nextUnit() { accessUnits.append(unit.accessUnit) }
        #expect(accessUnits.map(\.payload) == stream.accessUnits.map(\.payload))
        #expect(accessUnits.dropLast() == stream.accessUnits.dropLast())
        #expect(accessUnits.reduce(0) { $0 + $1.duration } == stream.gapless.totalFrames - stream.gapless.remainderFrames)
        // In Ogg, the last page signals the padding again.
        var writer = OggOpusWriter(to: MemorySink(), stream.configuration)
        for unit in accessUnits { try writer.append(unit) }
        try writer.finish(gapless)
        #expect(try OggOpusReader(MemorySource(writer.sink.bytes)).metadata.gaplessInfo == stream.gapless)
    }

    @Test("CAF keeps mono and stereo packets and throws for other layouts", arguments: 0..<24)
    func caf(seed: Int) throws {
        let stream = try OggStream.written(seed: UInt64(seed))
        guard stream.configuration.channelCount <= 2 else {
            #expect(throws: ContainerError.codecNotStorable(.opus, in: .caf)) { try written(stream, .caf) }
            return
        }
        let bytes = try written(stream, .caf)
        // CAF does not store the input sample rate.
        let configuration = OpusConfiguration(
            mapping: stream.configuration.mapping, preSkip: UInt16(clamping: stream.gapless.primingFrames))
        try expect(try CAFReader(MemorySource(bytes)), stream, configuration)
    }

    @Test("CAF does not list constant packet durations")
    func constantLength() throws {
        var random = SeededRandom(seed: 1)
        let configuration = OpusConfiguration(mapping: try OpusChannelMapping(channelCount: 1), preSkip: 312)
        let accessUnits = (0..<50).map { index in
            AccessUnit(
                payload: OggStream.packet(8, byteCount: 80, random: &random),
                presentationTime: MediaTime(value: Int64(index * 960), timescale: 48_000), duration: 960)
        }
        var writer = try CAFWriter(to: MemorySink(), .opus(configuration))
        for unit in accessUnits { try writer.append(unit) }
        try writer.finish(GaplessInfo(primingFrames: 312, validFrames: 47_000, remainderFrames: 688))
        let index = try CAFIndex(MemorySource(writer.sink.bytes))
        #expect(index.description?.framesPerPacket == 960 && index.packetTable?.durations.isEmpty == true)
        var reader = try CAFReader(MemorySource(writer.sink.bytes))
        #expect(reader.metadata.gaplessInfo == GaplessInfo(primingFrames: 312, validFrames: 47_000, remainderFrames: 688))
        var found: [AccessUnit] = []
        while let unit = try reader.nextUnit() { found.append(unit.accessUnit) }
        #expect(found == accessUnits)
    }

    @Test("Truncated and unknown Opus sample entries throw")
    func damagedEntry() throws {
        let configuration = OpusConfiguration(mapping: try OpusChannelMapping(channelCount: 6), preSkip: 312)
        var writer = BoxWriter()
        OpusSpecificBox(configuration).write(to: &writer)
        var cursor = ByteCursor(writer.bytes)
        #expect(try OpusSpecificBox(parsing: &cursor).configuration == configuration)
        for length in writer.bytes.indices {
            #expect(throws: ContainerError.self) {
                var cursor = ByteCursor(Array(writer.bytes.prefix(length)))
                _ = try OpusSpecificBox(parsing: &cursor)
            }
        }
        #expect(throws: ContainerError.codec(.unsupportedVersion(1, maximum: 0))) {
            var cursor = ByteCursor([1] + writer.bytes.dropFirst())
            _ = try OpusSpecificBox(parsing: &cursor)
        }
    }
}
