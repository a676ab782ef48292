// SPDX-License-Identifier: Apache-2.0

import AudioContainers
import AudioMetadata
import AudioPrimitives
import MPEG4Audio
import TestSupport
import Testing

@Suite struct MP4Tests {
    static let config = AudioSpecificConfig(sampleRate: 48_000, channelConfiguration: ChannelConfiguration(channelCount: 2))

    /// Returns access units with random payloads.
    static func accessUnits(_ count: Int, seed: UInt64 = 1, duration: Int = 1024, rate: Int = 48_000) -> [AccessUnit] {
        var random = SeededRandom(seed: seed)
        return (0..<count).map { index in
            AccessUnit(
                payload: (0..<Int.random(in: 1...300, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) },
                presentationTime: MediaTime(value: Int64(index * duration), timescale: Int32(rate)), duration: duration)
        }
    }

    static func write(
        _ accessUnits: [AccessUnit], _ config: AudioSpecificConfig = config, _ options: MP4WriterOptions = .init(),
        gapless: GaplessInfo? = nil
    ) throws -> [UInt8] {
        var writer = try MP4Writer(to: MemorySink(), .aac(config), options: options)
        for unit in accessUnits { try writer.append(unit) }
        try writer.finish(gapless)
        return writer.sink.bytes
    }

    static func read(_ bytes: [UInt8]) throws -> (reader: MP4Reader<MemorySource>, events: [ReaderEvent]) {
        var reader = try MP4Reader(MemorySource(bytes))
        var events: [ReaderEvent] = []
        while let event = try reader.nextEvent() { events.append(event) }
        return (reader, events)
    }

    /// Returns the types of the top-level boxes.
    static func topLevelNames(_ bytes: [UInt8]) -> [String] {
        func number(_ range: Range<Int>) -> Int { bytes[range].reduce(0) { $0 << 8 | Int($1) } }
        var names: [String] = []
        var offset = 0
        while offset + 16 <= bytes.count || offset + 8 == bytes.count {
            names.append(String(decoding: bytes[offset + 4..<offset + 8], as: UTF8.self))
            let size = number(offset..<offset + 4)
            offset += max(8, size == 1 ? number(offset + 8..<offset + 16) : size)
        }
        #expect(offset == bytes.count)
        return names
    }

    static let layouts: [MP4WriterOptions.Layout] = [
        .indexAtEnd, .indexAtStart(expectedUnitCount: 200), .indexAtStart(expectedUnitCount: 0),
        .indexAtStart(expectedUnitCount: 5000), .fragmented(unitsPerFragment: 7, priming: 2112),
        .fragmented(unitsPerFragment: 1000, priming: 2112), .fragmentedUntilFinished(unitsPerFragment: 7, priming: 2112),
        .fragmentedUntilFinished(unitsPerFragment: 50, priming: 2112),
    ]

    @Test("Access units, times, gapless information and tags round-trip in every layout", arguments: layouts.indices)
    func roundTrip(index: Int) throws {
        let layout = Self.layouts[index]
        let accessUnits = Self.accessUnits(200)
        var tags = AudioTags()
        tags.title = "Lied"
        tags.encoder = "Linnet"
        tags.cover = AudioTags.Picture(bytes: [0x89, 0x50, 0x4E, 0x47, 7])
        let gapless = GaplessInfo(primingFrames: 2112, validFrames: 200 * 1024 - 2112 - 1000, remainderFrames: 1000)
        let bytes = try Self.write(accessUnits, Self.config, .init(layout: layout, tags: tags), gapless: gapless)
        let (reader, events) = try Self.read(bytes)
        #expect(reader.configuration == .aac(Self.config))
        #expect(events.first == .configuration(.aac(Self.config)))
        #expect(events.accessUnits.map(\.accessUnit.payload) == accessUnits.map(\.payload))
        #expect(events.accessUnits.map(\.accessUnit.presentationTime) == accessUnits.map(\.presentationTime))
        #expect(events.accessUnits.allSatisfy { Array(bytes[$0.byteRange]) == $0.accessUnit.payload })
        #expect(reader.metadata.gaplessInfo == gapless)
        #expect(reader.metadata.accessUnitCount == 200)
        #expect(reader.metadata.tags == tags)
        #expect(ContainerProbe.format(of: bytes, isWhole: true) == .m4a)
        #expect(try Self.write(accessUnits, Self.config, .init(layout: layout, tags: tags), gapless: gapless) == bytes)
    }

    @Test("The index is at the start if requested and large enough")
    func indexPlace() throws {
        func names(_ layout: MP4WriterOptions.Layout) throws -> [String] {
            let bytes = try Self.write(
                Self.accessUnits(90), Self.config, .init(layout: layout),
                gapless: .init(primingFrames: 0, validFrames: 1, remainderFrames: 0))
            return Self.topLevelNames(bytes)
        }
        #expect(try names(.indexAtEnd) == ["ftyp", "free", "mdat", "moov"])
        #expect(try names(.indexAtStart(expectedUnitCount: 90)) == ["ftyp", "moov", "free", "free", "mdat"])
        #expect(try names(.indexAtStart(expectedUnitCount: 60)) == ["ftyp", "free", "free", "mdat", "moov"])
        // No file has as many.
        #expect(try names(.indexAtStart(expectedUnitCount: .max)) == ["ftyp", "free", "mdat", "moov"])
        #expect(try names(.fragmented(unitsPerFragment: 60, priming: 0)) == ["ftyp", "moov", "moof", "mdat", "moof", "mdat"])
    }

    @Test("An unfinished file has all complete fragments; a finished one has one index", arguments: [0, 1, 6, 7, 8, 20])
    func unfinished(count: Int) throws {
        let accessUnits = Self.accessUnits(count)
        let options = MP4WriterOptions(layout: .fragmentedUntilFinished(unitsPerFragment: 7, priming: 2112))
        var writer = try MP4Writer(to: MemorySink(), .aac(Self.config), options: options)
        for unit in accessUnits { try writer.append(unit) }
        if count > 0 {
            let (reader, events) = try Self.read(writer.sink.bytes)
            let whole = (count - 1) / 7 * 7
            #expect(events.accessUnits.map(\.accessUnit.payload) == accessUnits[..<whole].map(\.payload))
            #expect(reader.metadata.gaplessInfo?.primingFrames == 2112 || whole == 0)
        }
        try writer.finish(GaplessInfo(primingFrames: 2112, validFrames: 10, remainderFrames: 0))
        let names = Self.topLevelNames(writer.sink.bytes)
        #expect(names == ["ftyp", "mdat", "moov"])
    }

    @Test("A fragment that occurs twice is read twice and has a false time", arguments: [false, true])
    func repeatedFragment(isRepeated: Bool) throws {
        let units = Self.accessUnits(20)
        let bytes = try Self.write(units, Self.config, .init(layout: .fragmented(unitsPerFragment: 7, priming: 0)))
        let starts = bytes.indices.dropLast(8).filter { bytes[$0 + 4..<$0 + 8].elementsEqual("moof".utf8) }
        let part = isRepeated ? bytes[starts[1]..<starts[2]] : []
        let (reader, events) = try Self.read(Array(bytes[..<starts[2]] + part + bytes[starts[2]...]))
        #expect(reader.metadata.hasFalsePositions == isRepeated)
        let expected = Array(units[..<14] + (isRepeated ? units[7..<14] : []) + units[14...])
        #expect(events.accessUnits.map(\.accessUnit.payload) == expected.map(\.payload))
    }

    @Test("An empty stream makes a valid file")
    func empty() throws {
        for layout in Self.layouts {
            let (reader, events) = try Self.read(try Self.write([], Self.config, .init(layout: layout)))
            #expect(events == [.configuration(.aac(Self.config))] && reader.metadata.accessUnitCount == 0)
        }
    }

    @Test("SBR times count output frames, or core frames on request", arguments: [false, true])
    func highEfficiency(usesCoreTimescale: Bool) throws {
        var config = AudioSpecificConfig(sampleRate: 24_000, channelConfiguration: ChannelConfiguration(channelCount: 1))
        config.extensionConfig = .backwardCompatible(sampleRate: 48_000, hasParametricStereo: true)
        let gapless = GaplessInfo(primingFrames: 5186, validFrames: 30 * 2048 - 5186 - 102, remainderFrames: 102)
        let bytes = try Self.write(
            Self.accessUnits(30), config, .init(usesCoreTimescale: usesCoreTimescale), gapless: gapless)
        let (reader, events) = try Self.read(bytes)
        #expect(reader.configuration == .aac(config))
        #expect(reader.timescale == (usesCoreTimescale ? 24_000 : 48_000))
        #expect(events.accessUnits.last?.accessUnit.duration == (usesCoreTimescale ? 1024 : 2048))
        #expect(reader.metadata.gaplessInfo == gapless)
    }

    @Test("Seeking starts early enough for the target frame", arguments: layouts.indices)
    func seeking(index: Int) throws {
        let accessUnits = Self.accessUnits(100)
        var reader = try MP4Reader(MemorySource(try Self.write(accessUnits, Self.config, .init(layout: Self.layouts[index]))))
        _ = try reader.nextEvent()
        for frame in [0, 1, 1023, 1024, 1025, 51_200, 51_199, 102_399, 5000] {
            let skip = try reader.seek(toFrame: frame)
            guard case .accessUnit(let unit) = try reader.nextEvent() else { return #expect(Bool(false), "no access unit") }
            let start = Int(unit.accessUnit.presentationTime.value)
            #expect(start + skip == frame)
            #expect(frame < 1024 ? start == 0 : skip >= 1024)
            #expect(unit.accessUnit.payload == accessUnits[start / 1024].payload)
        }
        #expect(try reader.seek(toFrame: 102_400) == 0)
        #expect(try reader.nextEvent() == nil)
    }

    @Test("A truncated fragmented file is playable")
    func cutOff() throws {
        let accessUnits = Self.accessUnits(50)
        let bytes = try Self.write(accessUnits, Self.config, .init(layout: .fragmented(unitsPerFragment: 5, priming: 0)))
        var random = SeededRandom(seed: 3)
        for _ in 0..<40 {
            let cut = Int.random(in: 800..<bytes.count, using: &random)
            let events = try Self.read(Array(bytes.prefix(cut))).events
            #expect(events.accessUnits.map(\.accessUnit.payload) == accessUnits.prefix(events.accessUnits.count).map(\.payload))
            let whole = accessUnits.prefix(events.accessUnits.count + 1).reduce(0) { $0 + $1.payload.count }
            #expect(whole + 800 + 200 * 10 > cut || events.accessUnits.count >= 5)
        }
    }

    @Test("Access units outside the file are missing, and later ones keep their times; only the last ones are cut off", arguments: 0..<4)
    func falseOffset(chunk: Int) throws {
        let units = Self.accessUnits(150)
        var bytes = try Self.write(units)
        let table = try #require(bytes.indices.dropLast(4).last { bytes[$0..<$0 + 4].elementsEqual("stco".utf8) })
        // Nearly the largest 32-bit offset.
        bytes[table + 12 + 4 * chunk] = 0xFF
        let chunkLength = 48_000 / 1024
        let lost = chunkLength * chunk..<min(units.count, chunkLength * (chunk + 1))
        let events = try Self.read(bytes).events
        #expect(events.accessUnits.map(\.accessUnit) == Array(units[..<lost.lowerBound] + units[lost.upperBound...]))
        #expect(events.skips.map(\.reason) == [chunk < 3 ? .missing(unitCount: lost.count) : .afterEnd(unitCount: lost.count)])
        #expect(events.skips.allSatisfy { $0.byteRange.isEmpty && $0.byteRange.upperBound <= bytes.count })
    }

    @Test("Unsupported input throws and writes nothing")
    func refusals() throws {
        var writer = try MP4Writer(to: MemorySink(), .aac(Self.config))
        var unit = Self.accessUnits(1)[0]
        unit.payload = []
        #expect(throws: ContainerError.emptyAccessUnit) { try writer.append(unit) }
        unit.payload = [UInt8](repeating: 0, count: (1 << 20) + 1)
        #expect(throws: ContainerError.accessUnitTooLong(byteCount: (1 << 20) + 1, limit: 1 << 20)) {
            try writer.append(unit)
        }
        #expect(writer.sink.byteCount == 0)
        unit.payload = [1]
        #expect(throws: ContainerError.sinkCannotOverwrite) { try MP4Writer(to: Pipe(), .aac(Self.config)) }
        var fragmented = try MP4Writer(to: Pipe(), .aac(Self.config), options: .init(layout: .fragmented(unitsPerFragment: 2, priming: 0)))
        try fragmented.append(unit)
        try fragmented.finish()
        #expect(fragmented.sink.byteCount > 0)
    }

    @Test("Files without audio, AAC or movie box throw specific errors")
    func errors() throws {
        #expect(throws: ContainerError.missingPart("moov")) { try MP4Reader(MemorySource([])) }
        let bytes = try Self.write(Self.accessUnits(3))
        func changed(_ from: String, _ to: String) -> [UInt8] {
            let pattern = Array(from.utf8)
            var copy = bytes
            for index in 0...copy.count - 4 where Array(copy[index..<index + 4]) == pattern {
                copy.replaceSubrange(index..<index + 4, with: to.utf8)
            }
            return copy
        }
        #expect(throws: ContainerError.missingPart("moov")) { try MP4Reader(MemorySource(changed("moov", "xxxx"))) }
        #expect(throws: ContainerError.unsupportedCodec("ac-3")) { try MP4Reader(MemorySource(changed("mp4a", "ac-3"))) }
        #expect(throws: ContainerError.unsupportedCodec(nil)) { try MP4Reader(MemorySource(changed("soun", "vide"))) }
        let text = ContainerError.unsupportedCodec("ac-3").description
        #expect(text == "unsupported codec: AC-3")
        // The descriptor of an MPEG-4 sample entry signals the codec: 0x40 is AAC, 0x6B is MP3.
        var mp3 = bytes
        let descriptor = try #require(mp3.indices.first { mp3[$0...].starts(with: [0x40, 0x15]) })
        mp3[descriptor] = 0x6B
        #expect(throws: ContainerError.unsupportedCodec(".mp3")) { try MP4Reader(MemorySource(mp3)) }
        #expect(throws: ContainerError.missingPart("esds")) { try MP4Reader(MemorySource(changed("esds", "free"))) }
    }

    @Test("Mutations never trap or loop", arguments: 0..<3)
    func mutations(seed: Int) throws {
        var random = SeededRandom(seed: UInt64(seed) + 50)
        let layouts: [MP4WriterOptions.Layout] = [
            .indexAtEnd, .indexAtStart(expectedUnitCount: 30), .fragmented(unitsPerFragment: 4, priming: 9),
        ]
        let gapless = GaplessInfo(primingFrames: 9, validFrames: 20 * 1024, remainderFrames: 0)
        let original = try Self.write(Self.accessUnits(20), Self.config, .init(layout: layouts[seed]), gapless: gapless)
        for _ in 0..<300 {
            var bytes = original
            for _ in 0..<Int.random(in: 1...12, using: &random) {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: bytes[place] = .random(in: 0...255, using: &random)
                case 1: bytes[place] = [0, 1, 0x7F, 0xFF].randomElement(using: &random) ?? 0
                default: bytes.removeSubrange(place..<min(bytes.count, place + Int.random(in: 0...5, using: &random)))
                }
            }
            guard var reader = try? MP4Reader(MemorySource(bytes)) else { continue }
            var count = 0
            while let event = try reader.nextEvent() {
                if case .accessUnit(let unit) = event { #expect(unit.byteRange.upperBound <= bytes.count) }
                count += 1
            }
            #expect(count <= bytes.count + 1, "seed \(seed)")
            _ = try reader.seek(toFrame: Int.random(in: 0...100_000, using: &random))
            _ = try reader.nextEvent()
        }
    }
}

/// An append-only sink.
struct Pipe: ByteSink {
    var canOverwrite: Bool { false }
    var byteCount = 0
    mutating func append(_ bytes: [UInt8]) { byteCount += bytes.count }
    mutating func overwrite(_ bytes: [UInt8], at offset: Int) throws(ContainerError) { throw .sinkCannotOverwrite }
}
