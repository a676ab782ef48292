// SPDX-License-Identifier: Apache-2.0

import AudioContainers
import AudioPrimitives
import MPEG4Audio
import TestSupport
import Testing

@Suite struct LATMTests {
    static let config = AudioSpecificConfig(sampleRate: 32_000, channelConfiguration: ChannelConfiguration(channelCount: 2))

    static func stream(_ payloads: [[UInt8]], _ config: AudioSpecificConfig = config, interval: Int = 10) throws -> [[UInt8]] {
        var writer = try LOASWriter(to: MemorySink(), config, configInterval: interval)
        return try payloads.map { payload in
            try writer.append(AccessUnit(payload))
            return writer.sink.removeBytes()
        }
    }

    static func payloads(_ count: Int, seed: UInt64 = 1) -> [[UInt8]] {
        var random = SeededRandom(seed: seed)
        return (0..<count).map { _ in
            (0..<Int.random(in: 1...700, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
        }
    }

    @Test("Payloads and configuration round-trip with all kinds of SBR signalling", arguments: 0..<4)
    func roundTrip(kind: Int) throws {
        var config = Self.config
        if kind == 1 { config.extensionConfig = .hierarchical(sampleRate: 64_000, hasParametricStereo: false) }
        if kind == 2 { config.extensionConfig = .backwardCompatible(sampleRate: 64_000, hasParametricStereo: true) }
        if kind == 3 {
            var pce = ProgramConfigElement(samplingFrequencyCode: 5)
            pce.front = [.init(isPair: true, instanceTag: 3)]
            pce.comment = [1, 2]
            config = AudioSpecificConfig(
                sampleRate: 32_000, channelConfiguration: nil, generalAudio: GASpecificConfig(programConfig: pce))
        }
        let payloads = Self.payloads(30)
        let bytes = try Self.stream(payloads, config).flatMap { $0 }
        let events = streamEvents(of: LOASParser(), bytes, chunks: [1])
        #expect(events.accessUnits.map(\.accessUnit.payload) == payloads)
        #expect(events.accessUnits.map(\.accessUnit.presentationTime.value) == (0..<30).map { $0 * 1024 })
        #expect(events.configurations == [config])
        #expect(events.skips.isEmpty && events.covers(bytes.count))
        #expect(events == streamEvents(of: LOASParser(), bytes))
        #expect(ContainerProbe.format(of: bytes, isWhole: true) == .loas)
    }

    @Test("StreamMuxConfigs round-trip", arguments: [1, 2] as [UInt64])
    func descriptions(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        for _ in 0..<200 {
            var config = StreamMuxConfig(Self.config)
            config.audioMuxVersion = Int.random(in: 0...1, using: &random)
            config.accessUnitCount = Int.random(in: 1...64, using: &random)
            if Bool.random(using: &random) { config.frameLength = .fixed(byteCount: Int.random(in: 20...531, using: &random)) }
            if Bool.random(using: &random) {
                config.otherDataBitCount = [1, 7, 255, 256, 70_000, 1 << 30].randomElement(using: &random) ?? 0
            }
            if Bool.random(using: &random) { config.checksum = .random(in: 0...255, using: &random) }
            var writer = BitWriter()
            config.write(to: &writer)
            var reader = BitReader(writer.bytes)
            #expect(try StreamMuxConfig(reading: &reader) == config)
            #expect(reader.bitPosition == writer.bitCount, "seed \(seed)")
        }
    }

    @Test("Reads several payloads with other data, with fixed and variable lengths", arguments: [false, true])
    func severalUnits(isFixed: Bool) throws {
        var config = StreamMuxConfig(Self.config)
        config.accessUnitCount = 3
        config.otherDataBitCount = 13
        config.frameLength = isFixed ? .fixed(byteCount: 30) : .variable(bufferFullness: 9)
        let payloads: [[UInt8]] = [30, isFixed ? 30 : 255, isFixed ? 30 : 510].map { [UInt8](repeating: UInt8($0 & 0xFF), count: $0) }
        let element = AudioMuxElement(streamMuxConfig: config, payloads: payloads)
        var writer = BitWriter()
        element.write(to: &writer, config: config)
        let byteCount = writer.bitCount / 8
        let header: [UInt8] = [0x56, 0xE0 | UInt8(byteCount >> 8), UInt8(byteCount & 0xFF)]
        let bytes = header + writer.bytes
        let events = streamEvents(of: LOASParser(), bytes + bytes)
        #expect(events.accessUnits.map(\.accessUnit.payload) == payloads + payloads)
        #expect(events.covers(2 * bytes.count))
    }

    @Test("Damage costs only the frames that it touches, and is located", arguments: 0..<24)
    func damage(seed: Int) throws {
        var random = SeededRandom(seed: UInt64(seed))
        let payloads = Self.payloads(12, seed: UInt64(seed))
        let frames = try Self.stream(payloads, interval: 1)
        let start = frames[..<5].reduce(0) { $0 + $1.count }
        let place = start + Int.random(in: 0..<frames[5].count, using: &random)
        var bytes = frames.flatMap { $0 }
        switch seed % 4 {
        case 0: bytes.remove(at: place)
        case 1: bytes.insert(contentsOf: (0..<40).map { _ in .random(in: 0...255, using: &random) }, at: place)
        case 2: bytes.insert(contentsOf: (0..<300).map { _ in .random(in: 0...255, using: &random) }, at: start)
        default: bytes[start + 2] ^= 0x15
        }
        let events = streamEvents(of: LOASParser(), bytes)
        let found = Set(events.accessUnits.map(\.accessUnit.payload))
        #expect(payloads.indices.filter { ![4, 5].contains($0) }.allSatisfy { found.contains(payloads[$0]) }, "seed \(seed)")
        #expect(!events.skips.isEmpty && events.skips.allSatisfy(\.isDamage) && events.covers(bytes.count))
    }

    @Test("Reports frames before the first configuration")
    func missingConfiguration() throws {
        let frames = try Self.stream(Self.payloads(25))
        let bytes = frames[3...].flatMap { $0 }
        let events = streamEvents(of: LOASParser(), bytes)
        let missing = frames[3..<10].reduce(0) { $0 + $1.count }
        #expect(events.skips == [SkippedBytes(byteRange: 0..<missing, reason: .missingConfiguration)])
        #expect(events.accessUnits.count == 15)
    }

    @Test("Reports a truncated frame")
    func truncated() throws {
        let frames = try Self.stream(Self.payloads(5))
        let bytes = Array(frames.flatMap { $0 }.dropLast(frames[4].count / 2))
        let events = streamEvents(of: LOASParser(), bytes)
        #expect(events.accessUnits.count == 4)
        #expect(events.skips.map(\.reason) == [.truncatedFrame])
    }

    @Test("Unsupported features throw specific errors")
    func unsupported() throws {
        func description(_ change: (inout BitWriter) -> Void) throws -> StreamMuxConfig {
            var writer = BitWriter()
            change(&writer)
            Self.config.write(to: &writer)
            writer.write(0, count: 32)
            var reader = BitReader(writer.bytes)
            return try StreamMuxConfig(reading: &reader)
        }
        #expect(throws: ContainerError.unsupportedMultiplex(.futureVersion)) { try description { $0.write(3, count: 2) } }
        #expect(throws: ContainerError.unsupportedMultiplex(.separateTiming)) { try description { $0.write(0, count: 2) } }
        #expect(throws: ContainerError.unsupportedMultiplex(.severalStreams(programs: 2, layers: 3))) {
            try description {
                $0.write(1, count: 2)
                $0.write(1, count: 10)
                $0.write(2, count: 3)
            }
        }
        #expect(throws: ContainerError.self) {
            try LOASWriter(to: MemorySink(), try AudioSpecificConfig(parsing: [0x41, 0x90, 0x12, 0x34]))
        }
    }

    @Test("A stream of unsupported frames names the feature")
    func unsupportedStream() throws {
        // A new StreamMuxConfig of version 0 with one access unit and two programs.
        var writer = BitWriter()
        for (value, count) in [(0, 1), (0, 1), (1, 1), (0, 6), (1, 4), (0, 3)] as [(UInt32, Int)] { writer.write(value, count: count) }
        for _ in 0..<8 { writer.write(0, count: 32) }
        let element = writer.bytes
        let frame = [0x56, 0xE0 | UInt8(element.count >> 8), UInt8(element.count & 0xFF)] + element
        let bytes = (0..<5).flatMap { _ in frame }
        #expect(throws: ContainerError.unsupportedMultiplex(.severalStreams(programs: 2, layers: 1))) {
            try LOASReader(MemorySource(bytes))
        }
    }

    @Test("A limit in an error is the size that fits", arguments: [8190, 20_000_000])
    func limit(byteCount: Int) throws {
        var writer = try LOASWriter(to: MemorySink(), Self.config)
        let error = #expect(throws: ContainerError.self) { try writer.append(AccessUnit([UInt8](repeating: 1, count: byteCount))) }
        #expect(writer.sink.byteCount == 0)
        guard case .accessUnitTooLong(byteCount, let limit) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(throws: ContainerError.accessUnitTooLong(byteCount: limit + 1, limit: limit)) {
            try writer.append(AccessUnit([UInt8](repeating: 1, count: limit + 1)))
        }
        try writer.append(AccessUnit([UInt8](repeating: 1, count: limit)))
    }

    @Test("Mutations never trap, and events cover every byte", arguments: 0..<3)
    func mutations(seed: Int) throws {
        var random = SeededRandom(seed: UInt64(seed) + 7)
        let original = try Self.stream(Self.payloads(6, seed: UInt64(seed)), interval: 2).flatMap { $0 }
        for _ in 0..<100 {
            var bytes = original
            for _ in 0..<Int.random(in: 1...20, using: &random) {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                if Bool.random(using: &random) { bytes[place] = .random(in: 0...255, using: &random) } else { bytes.remove(at: place) }
            }
            let events = streamEvents(of: LOASParser(), bytes, chunks: [Int.random(in: 1...1500, using: &random)])
            #expect(events.covers(bytes.count), "seed \(seed)")
        }
    }
}
