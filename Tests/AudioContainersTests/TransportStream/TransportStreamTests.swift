// SPDX-License-Identifier: Apache-2.0

import AudioContainers
import AudioPrimitives
import MPEG4Audio
import TestSupport
import Testing

@Suite struct TransportStreamTests {
    static let configuration = AudioSpecificConfig(sampleRate: 48_000, channelConfiguration: ChannelConfiguration(channelCount: 2))

    /// Returns consecutive access units with random payloads, starting at sample frame `start`.
    static func accessUnits(_ count: Int, sizes: ClosedRange<Int> = 1...1500, start: Int64 = 0, seed: UInt64) -> [AccessUnit] {
        var random = SeededRandom(seed: seed)
        return (0..<count).map { index in
            let payload = (0..<Int.random(in: sizes, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
            let time = MediaTime(value: start + Int64(index) * 1024, timescale: 48_000)
            return AccessUnit(payload: payload, presentationTime: time, duration: 1024)
        }
    }

    static func write(_ accessUnits: [AccessUnit], _ options: TransportStreamWriterOptions = .init()) throws -> [UInt8] {
        var writer = try TransportStreamWriter(to: MemorySink(), .aac(configuration), options: options)
        for accessUnit in accessUnits { try writer.append(accessUnit) }
        try writer.finish()
        return writer.sink.bytes
    }

    /// Returns the 188 bytes of each packet.
    static func packets(_ bytes: [UInt8]) -> [[UInt8]] {
        stride(from: 0, to: bytes.count, by: 188).map { Array(bytes[$0..<min($0 + 188, bytes.count)]) }
    }

    @Test("Streams round-trip with any chunk sizes", arguments: 1...12 as ClosedRange<UInt64>)
    func roundTrip(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let accessUnits = Self.accessUnits(30, sizes: seed % 3 == 0 ? 1...8000 : seed % 3 == 1 ? 1...400 : 150...200, seed: seed)
        let bytes = try Self.write(accessUnits, .init(packetDuration: .milliseconds(Int.random(in: 0...200, using: &random))))
        let expected = streamEvents(of: TransportStreamParser(), bytes)
        #expect(expected.accessUnits.map(\.accessUnit.payload) == accessUnits.map(\.payload), "seed \(seed)")
        #expect(expected.skips.isEmpty && expected.configurations == [Self.configuration])
        let chunks = (0..<400).map { _ in Int.random(in: 1...400, using: &random) }
        #expect(streamEvents(of: TransportStreamParser(), bytes, chunks: chunks) == expected, "seed \(seed)")
        for accessUnit in expected.accessUnits { #expect(bytes.indices.contains(accessUnit.byteRange.upperBound - 1)) }
    }

    @Test("Long packets repeat the clock within 0.1 s and save space")
    func longPackets() throws {
        let accessUnits = Self.accessUnits(300, sizes: 100...180, seed: 4)
        let (short, long) = (try Self.write(accessUnits), try Self.write(accessUnits, .init(packetDuration: .milliseconds(400))))
        #expect(long.count < short.count * 9 / 10)
        #expect(streamEvents(of: TransportStreamParser(), long).accessUnits.map(\.accessUnit.payload) == accessUnits.map(\.payload))
        let clocks = Self.packets(long).compactMap { packet -> Int? in
            guard packet[3] & 0x20 != 0, packet[4] >= 7, packet[5] & 0x10 != 0 else { return nil }
            return packet[6..<10].reduce(0) { $0 << 8 | Int($1) } << 1 | Int(packet[10]) >> 7
        }
        #expect(clocks.count > 60 && zip(clocks, clocks.dropFirst()).allSatisfy { (1...9000).contains($1 - $0) }, "\(clocks)")
    }

    @Test("Access units of any duration are written", arguments: [Int(Int32.max), Int.max / 100_000, Int.max])
    func longDuration(duration: Int) throws {
        let units = Self.accessUnits(3, sizes: 300...900, seed: 2).map {
            AccessUnit(payload: $0.payload, presentationTime: MediaTime(value: 0, timescale: 1), duration: duration)
        }
        let events = streamEvents(of: TransportStreamParser(), try Self.write(units))
        #expect(events.accessUnits.map(\.accessUnit.payload) == units.map(\.payload))
    }

    @Test("AAC-LD and AAC-ELD use LOAS", arguments: [false, true])
    func lowDelay(isEnhanced: Bool) throws {
        let channels = try #require(ChannelConfiguration(channelCount: 2))
        let configuration =
            isEnhanced
            ? AudioSpecificConfig(
                sampleRate: 48_000, channelConfiguration: channels, enhancedLowDelay: ELDSpecificConfig(usesShortFrame: true))
            : AudioSpecificConfig(objectType: .aacLD, sampleRate: 48_000, channelConfiguration: channels)
        let length: Int64 = isEnhanced ? 480 : 512
        let accessUnits = Self.accessUnits(40, sizes: 1...300, seed: 9).enumerated().map { index, accessUnit in
            AccessUnit(
                payload: accessUnit.payload, presentationTime: MediaTime(value: Int64(index) * length, timescale: 48_000),
                duration: Int(length))
        }
        var writer = try TransportStreamWriter(to: MemorySink(), .aac(configuration))
        for accessUnit in accessUnits { try writer.append(accessUnit) }
        try writer.finish()
        let events = streamEvents(of: TransportStreamParser(), writer.sink.bytes)
        #expect(events.accessUnits.map(\.accessUnit.payload) == accessUnits.map(\.payload))
        #expect(events.configurations == [configuration] && events.skips.isEmpty)
        // The program map table: stream type 0x11, PID 0x100.
        #expect(
            Self.packets(writer.sink.bytes).contains { packet in
                packet.indices.dropLast(2).contains { packet[$0] == 0x11 && packet[$0 + 1] == 0xE1 && packet[$0 + 2] == 0 }
            })
    }

    @Test("Packet sizes, continuity counters and clock reference intervals conform")
    func packetHeaders() throws {
        let bytes = try Self.write(Self.accessUnits(200, seed: 5))
        #expect(bytes.count % 188 == 0)
        var counters: [Int: UInt8] = [:]
        var clocks: [Int64] = []
        for packet in Self.packets(bytes) {
            #expect(packet[0] == 0x47 && packet[1] & 0x80 == 0 && packet[3] & 0xC0 == 0 && packet[3] & 0x10 != 0)
            let pid = Int(packet[1] & 0x1F) << 8 | Int(packet[2])
            if let last = counters[pid] { #expect(packet[3] & 0x0F == (last + 1) & 0x0F) }
            counters[pid] = packet[3] & 0x0F
            if packet[3] & 0x20 != 0, packet[4] > 0, packet[5] & 0x10 != 0 {
                clocks.append(packet[6..<10].reduce(0) { $0 << 8 | Int64($1) } << 1 | Int64(packet[10] >> 7))
            }
        }
        #expect(Set(counters.keys) == [0, 0x100, 0x1000])
        #expect(clocks.count > 40)
        for (earlier, later) in zip(clocks, clocks.dropFirst()) { #expect((1...9000).contains(later - earlier)) }
    }

    @Test("Timestamps follow the access units and wrap at 2^33")
    func timeStamps() throws {
        let modulus: Int64 = 1 << 33
        var accessUnits = Self.accessUnits(40, seed: 6)
        // A gap of ten access units.
        for index in 20..<40 { accessUnits[index].presentationTime.value += 10 * 1024 }
        let start = modulus - 90_000
        let bytes = try Self.write(accessUnits, .init(packetDuration: .zero, startTimeStamp: start))
        let stamps = Self.packets(bytes).compactMap { packet -> Int64? in
            guard packet[1] & 0x5F == 0x41, packet[2] == 0 else { return nil }
            let header = Array(packet[(5 + Int(packet[4]))...])
            #expect(header[..<4] == [0, 0, 1, 0xC0] && header[7] == 0x80)
            let high = Int64(header[9] >> 1 & 7) << 30 | Int64(header[10]) << 22
            return high | Int64(header[11] >> 1) << 15 | Int64(header[12]) << 7 | Int64(header[13] >> 1)
        }
        let expected = accessUnits.map { (start + 63_000 + $0.presentationTime.value * 90_000 / 48_000) % modulus }
        #expect(stamps == expected)
        #expect(expected.contains { $0 > modulus / 2 } && expected.contains { $0 < modulus / 2 })
    }

    @Test("Lost, damaged and repeated packets cost only the access units they touch", arguments: 1...20 as ClosedRange<UInt64>)
    func damage(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let accessUnits = Self.accessUnits(40, sizes: 150...700, seed: seed)
        var packets = Self.packets(try Self.write(accessUnits))
        let lost = Int.random(in: 10..<packets.count - 10, using: &random)
        switch seed % 3 {
        case 0: packets.remove(at: lost)
        case 1: packets[lost][1] |= 0x80
        default: packets.insert(packets[lost], at: lost)
        }
        let found = streamEvents(of: TransportStreamParser(), packets.flatMap { $0 }).accessUnits.map(\.accessUnit.payload)
        let missing = accessUnits.map(\.payload).filter { !found.contains($0) }.count
        #expect(found.allSatisfy { payload in accessUnits.contains { $0.payload == payload } }, "seed \(seed)")
        // A packet touches at most two of these access units. A lost PES start also affects the confirmation of the previous one.
        #expect(seed % 3 == 2 ? missing == 0 : missing <= 3, "seed \(seed): \(missing)")
    }

    @Test("Reads packets with arrival times and error correction codes", arguments: [192, 204])
    func otherStrides(stride: Int) throws {
        let accessUnits = Self.accessUnits(20, seed: 8)
        let extra = [UInt8](repeating: 0x47, count: stride - 188)
        let before = stride == 192 ? extra.map { $0 ^ 0x47 } : []
        let after = stride == 192 ? [] : extra
        let bytes: [UInt8] = Self.packets(try Self.write(accessUnits)).flatMap { before + $0 + after }
        let events = streamEvents(of: TransportStreamParser(), bytes, chunks: [1])
        #expect(events == streamEvents(of: TransportStreamParser(), bytes))
        #expect(events.accessUnits.map(\.accessUnit.payload) == accessUnits.map(\.payload))
        #expect(events.skips.isEmpty)
        #expect(ContainerProbe.format(of: bytes, isWhole: true) == .transportStream)
    }

    @Test("Reports bytes before and between packets as skipped")
    func resynchronization() throws {
        let accessUnits = Self.accessUnits(20, seed: 9)
        let packets = Self.packets(try Self.write(accessUnits))
        let junk: [UInt8] = (0..<500).map { UInt8($0 % 71) }
        let bytes = junk + packets[..<30].flatMap { $0 } + junk + packets[30...].flatMap { $0 }
        let events = streamEvents(of: TransportStreamParser(), bytes)
        #expect(events.accessUnits.count >= 17)
        #expect(events.skips.contains { $0.byteRange == 0..<500 })
    }

    @Test("Unsupported configurations throw")
    func refusals() {
        var configuration = Self.configuration
        configuration.sampleRate = 44_000
        #expect(throws: ContainerError.unsupportedSampleRate(44_000, allowed: SamplingFrequencyIndex.standardRates)) {
            try TransportStreamWriter(to: MemorySink(), .aac(configuration))
        }
    }
}
