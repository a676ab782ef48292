// SPDX-License-Identifier: Apache-2.0

import AudioContainers
import AudioMetadata
import AudioPrimitives
import MPEG4Audio
import TestSupport
import Testing

@Suite struct CAFTests {
    static func write(
        _ accessUnits: [AccessUnit], _ config: AudioSpecificConfig = MP4Tests.config, tags: AudioTags = AudioTags(),
        gapless: GaplessInfo? = nil
    ) throws -> [UInt8] {
        var writer = try CAFWriter(to: MemorySink(), .aac(config), tags: tags)
        for unit in accessUnits { try writer.append(unit) }
        try writer.finish(gapless)
        return writer.sink.bytes
    }

    static func read(_ bytes: [UInt8]) throws -> (reader: CAFReader<MemorySource>, events: [ReaderEvent]) {
        var reader = try CAFReader(MemorySource(bytes))
        var events: [ReaderEvent] = []
        while let event = try reader.nextEvent() { events.append(event) }
        return (reader, events)
    }

    @Test("Access units, times, gapless information and tags round-trip", arguments: [0, 1, 2, 150])
    func roundTrip(count: Int) throws {
        var accessUnits = MP4Tests.accessUnits(count)
        if count > 2 { accessUnits[1].payload = [UInt8](repeating: 3, count: 20_000) }
        var tags = AudioTags()
        tags.title = "Lied\u{0}"
        tags.date = "2026"
        tags.encoder = "Linnet"
        let gapless = GaplessInfo(primingFrames: 1000, validFrames: count * 1024 - 1000 - 10, remainderFrames: 10)
        let bytes = try Self.write(accessUnits, tags: tags, gapless: gapless)
        let (reader, events) = try Self.read(bytes)
        #expect(reader.configuration == .aac(MP4Tests.config))
        #expect(events.accessUnits.map(\.accessUnit) == accessUnits)
        #expect(reader.metadata.gaplessInfo == (count == 0 ? nil : gapless))
        #expect(reader.metadata.tags.title == "Lied" && reader.metadata.tags.date == "2026")
        #expect(reader.metadata.tags.encoder == "Linnet")
        #expect(ContainerProbe.format(of: bytes, isWhole: true) == .caf)
    }

    @Test("SBR and PS are signalled, and times count output frames")
    func highEfficiency() throws {
        var config = AudioSpecificConfig(sampleRate: 24_000, channelConfiguration: ChannelConfiguration(channelCount: 1))
        config.extensionConfig = .hierarchical(sampleRate: 48_000, hasParametricStereo: true)
        let gapless = GaplessInfo(primingFrames: 5186, validFrames: 50_000, remainderFrames: 30 * 2048 - 55_186)
        let bytes = try Self.write(MP4Tests.accessUnits(30), config, gapless: gapless)
        let (reader, events) = try Self.read(bytes)
        #expect(reader.configuration == .aac(config) && reader.metadata.gaplessInfo == gapless)
        #expect(events.accessUnits.last?.accessUnit.presentationTime == MediaTime(value: 29 * 2048, timescale: 48_000))
        #expect(bytes.contains(sequence: Array("aacp".utf8)))
    }

    @Test("Seeking starts at or before the target frame")
    func seeking() throws {
        let accessUnits = MP4Tests.accessUnits(100)
        var reader = try CAFReader(MemorySource(try Self.write(accessUnits)))
        _ = try reader.nextEvent()
        for frame in [0, 1, 1024, 51_200, 51_199, 102_399, 5000] {
            let skip = try reader.seek(toFrame: frame)
            guard case .accessUnit(let unit) = try reader.nextEvent() else { return #expect(Bool(false), "no access unit") }
            #expect(Int(unit.accessUnit.presentationTime.value) + skip == frame)
            #expect(unit.accessUnit == accessUnits[(frame - skip) / 1024])
        }
        #expect(try reader.seek(toFrame: 102_400) == 0)
        #expect(try reader.nextEvent() == nil)
    }

    @Test("Reads a bare cookie, a leading packet table and an unspecified data size")
    func otherWriters() throws {
        let bytes = try Self.write(MP4Tests.accessUnits(5), gapless: .init(primingFrames: 7, validFrames: 5000, remainderFrames: 113))
        var chunks: [(name: String, bytes: [UInt8])] = []
        var offset = 8
        while offset < bytes.count {
            let size = bytes[offset + 4..<offset + 12].reduce(0) { $0 << 8 | Int($1) }
            chunks.append((String(decoding: bytes[offset..<offset + 4], as: UTF8.self), Array(bytes[offset..<offset + 12 + size])))
            offset += 12 + size
        }
        #expect(chunks.map(\.name) == ["desc", "chan", "kuki", "data", "pakt"])
        let cookie: [UInt8] = Array("kuki".utf8) + [0, 0, 0, 0, 0, 0, 0, 2, 0x11, 0x90]
        let sound: [UInt8] = Array("data".utf8) + [UInt8](repeating: 0xFF, count: 8) + Array(chunks[3].bytes[12...])
        let other: [UInt8] = Array(bytes[..<8]) + chunks[0].bytes + cookie + chunks[4].bytes + sound
        let (reader, events) = try Self.read(other)
        #expect(reader.configuration == .aac(MP4Tests.config))
        #expect(events.accessUnits.map(\.accessUnit) == MP4Tests.accessUnits(5))
        #expect(reader.metadata.gaplessInfo?.validFrames == 5000)
    }

    @Test("A false size in the packet table is reported at the end of the audio data", arguments: [-3, 3])
    func falseSize(difference: Int) throws {
        var accessUnits = MP4Tests.accessUnits(5)
        for index in accessUnits.indices { accessUnits[index].payload = [UInt8](repeating: 7, count: 100) }
        var bytes = try Self.write(accessUnits)
        // The sizes are the last bytes. A chunk header and a table header precede them.
        bytes[bytes.count - 4] = UInt8(100 + difference)
        let end = bytes.count - 12 - 24 - 5
        let events = try Self.read(bytes).events
        #expect(events.accessUnits.count == (difference < 0 ? 5 : 4))
        let rest = SkippedBytes(byteRange: end - 3..<end, reason: .unrecognized)
        let cut = SkippedBytes(byteRange: end - 97..<end, reason: .truncatedFrame)
        #expect(events.last == .skipped(difference < 0 ? rest : cut))
    }

    @Test("Missing chunks and unsupported codecs throw specific errors")
    func errors() throws {
        let bytes = try Self.write(MP4Tests.accessUnits(3))
        func changed(_ from: String, _ to: String) -> [UInt8] {
            var copy = bytes
            for index in 0...copy.count - 4 where copy[index..<index + 4].elementsEqual(from.utf8) {
                copy.replaceSubrange(index..<index + 4, with: to.utf8)
            }
            return copy
        }
        #expect(throws: ContainerError.noSyncword(offset: 0)) { try CAFReader(MemorySource(changed("caff", "xxxx"))) }
        for part in ["desc", "kuki", "data", "pakt"] as [FourCharCode] {
            #expect(throws: ContainerError.missingPart(part)) {
                try CAFReader(MemorySource(changed(String(decoding: part.bytes, as: UTF8.self), "free")))
            }
        }
        #expect(throws: ContainerError.unsupportedCodec("ac-3")) { try CAFReader(MemorySource(changed("aac ", "ac-3"))) }
        #expect(throws: ContainerError.sinkCannotOverwrite) { try CAFWriter(to: Pipe(), .aac(MP4Tests.config)) }
    }

    @Test("Mutations never trap or loop", arguments: 0..<3)
    func mutations(seed: Int) throws {
        var random = SeededRandom(seed: UInt64(seed) + 90)
        let original = try Self.write(MP4Tests.accessUnits(20), gapless: .init(primingFrames: 7, validFrames: 5000, remainderFrames: 113))
        for _ in 0..<300 {
            var bytes = original
            for _ in 0..<Int.random(in: 1...12, using: &random) {
                let place = Int.random(in: 0..<min(bytes.count, Bool.random(using: &random) ? 200 : bytes.count), using: &random)
                bytes[place] = Bool.random(using: &random) ? 0xFF : .random(in: 0...255, using: &random)
            }
            guard var reader = try? CAFReader(MemorySource(bytes)) else { continue }
            var count = 0
            while let event = try reader.nextEvent() {
                if case .accessUnit(let unit) = event { #expect(unit.byteRange.upperBound <= bytes.count) }
                count += 1
            }
            #expect(count <= bytes.count, "seed \(seed)")
            _ = try reader.seek(toFrame: Int.random(in: 0...100_000, using: &random))
        }
    }
}

extension [UInt8] {
    fileprivate func contains(sequence: [UInt8]) -> Bool {
        indices.contains { self[$0...].starts(with: sequence) }
    }
}
