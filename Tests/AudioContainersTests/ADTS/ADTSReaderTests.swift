// SPDX-License-Identifier: Apache-2.0

import AudioContainers
import AudioPrimitives
import MPEG4Audio
import TestSupport
import Testing

@Suite struct ADTSReaderTests {
    @Test("Finds the configuration, payloads and times of a complete stream")
    func whole() throws {
        let stream = try ADTSStream.random(frameCount: 20)
        let events = adtsEvents(stream.bytes)
        #expect(events.accessUnits.map(\.accessUnit.payload) == stream.frames.map { Array($0.dropFirst(7)) })
        #expect(events.accessUnits.map(\.accessUnit.presentationTime.value) == (0..<20).map { $0 * 1024 })
        #expect(events.accessUnits.allSatisfy { $0.accessUnit.presentationTime.timescale == 32_000 && $0.accessUnit.duration == 1024 })
        #expect(events.configurations.map { $0.serialized() } == [[0x12, 0x90]])
        #expect(events.skips.isEmpty && events.covers(stream.bytes.count))
        guard case .configuration = events.first else { return #expect(Bool(false), "the first event is not a configuration") }
    }

    @Test("Events do not depend on chunk sizes", arguments: [1, 2, 3, 4, 5, 6] as [UInt64])
    func chunking(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let stream = try ADTSStream.random(frameCount: 12, seed: seed)
        var bytes = [UInt8]("ID3".utf8) + [4, 0, 0x10, 0, 0, 1, 2] + [UInt8](repeating: 0xFF, count: 140)
        bytes += stream.bytes
        for _ in 0..<Int(seed) * 3 { bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(in: 0...255, using: &random) }
        bytes += [UInt8]("TAG".utf8) + [UInt8](repeating: 0, count: 125)
        let expected = adtsEvents(bytes)
        #expect(expected.covers(bytes.count))
        #expect(adtsEvents(bytes, chunks: [1]) == expected, "seed \(seed)")
        for _ in 0..<20 {
            let sizes = (0..<40).map { _ in Int.random(in: 1...Int.random(in: 1...900, using: &random), using: &random) }
            #expect(adtsEvents(bytes, chunks: sizes) == expected, "seed \(seed), chunks \(sizes)")
        }
    }

    @Test("Reports tags before, between and after frames")
    func tags() throws {
        let stream = try ADTSStream.random(frameCount: 6)
        let id3 =
            [UInt8]("ID3".utf8) + [3, 0, 0, 0, 0, 2, 1] + stream.frames[0]
            + [UInt8](repeating: 1, count: 257 - stream.frames[0].count % 257)
        let tag = Array(id3.prefix(10 + 257))
        let footed = [UInt8]("ID3".utf8) + [4, 0, 0x10, 0, 0, 0, 5] + [9, 9, 9, 9, 9] + [UInt8]("3DI".utf8) + [4, 0, 0x10, 0, 0, 0, 5]
        var ape = [UInt8]("APETAGEX".utf8) + [0xD0, 7, 0, 0, 50, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0xA0]
        ape += [UInt8](repeating: 0, count: 8 + 50)
        let id3v1 = [UInt8]("TAG".utf8) + [UInt8](repeating: 0x20, count: 125)
        let bytes = tag + footed + stream.frames[..<3].flatMap { $0 } + tag + stream.frames[3...].flatMap { $0 } + ape + id3v1
        let events = adtsEvents(bytes, chunks: [100])
        #expect(events.accessUnits.count == 6)
        #expect(events.skips.map(\.reason) == [.id3v2Tag, .id3v2Tag, .id3v2Tag, .apeTag, .id3v1Tag])
        #expect(events.skips.map(\.byteRange.count) == [267, 25, 267, 82, 128])
        #expect(events.skips.allSatisfy { !$0.isDamage } && events.covers(bytes.count))
    }

    @Test("Damage costs only the frames that it touches, and is located", arguments: 0..<30)
    func damage(seed: Int) throws {
        var random = SeededRandom(seed: UInt64(seed))
        let stream = try ADTSStream.random(frameCount: 12, seed: UInt64(seed))
        let hit = 5
        let start = stream.offset(of: hit)
        let place = start + Int.random(in: 0..<stream.frames[hit].count, using: &random)
        var bytes = stream.bytes
        switch seed % 5 {
        case 0: bytes.remove(at: place)
        case 1: bytes.insert(contentsOf: (0..<50).map { _ in .random(in: 0...255, using: &random) }, at: place)
        case 2: bytes[start + 1] |= 6  // layer
        case 3: bytes[start + 2] = bytes[start + 2] & 0xC3 | 13 << 2
        default: (bytes[start + 3], bytes[start + 4], bytes[start + 5]) = (bytes[start + 3] & 0xFC, 0, 0x1F)
        }
        let events = adtsEvents(bytes)
        let intact = stream.frames.indices.filter { ![4, 5].contains($0) }.map { Array(stream.frames[$0].dropFirst(7)) }
        let found = Set(events.accessUnits.map(\.accessUnit.payload))
        #expect(intact.allSatisfy { found.contains($0) }, "seed \(seed)")
        #expect(events.accessUnits.count <= 12)
        #expect(events.skips.allSatisfy { $0.isDamage } && !events.skips.isEmpty && events.covers(bytes.count))
        let first = try #require(events.skips.first)
        #expect((stream.offset(of: 4)...start).contains(first.byteRange.lowerBound))
    }

    @Test("Garbage yields one skip event", arguments: [0x00, 0xFF, 0x49, 0xF1] as [UInt8])
    func garbage(value: UInt8) {
        let events = adtsEvents([UInt8](repeating: value, count: 5000), chunks: [999])
        #expect(events == [.skipped(SkippedBytes(byteRange: 0..<5000, reason: .unrecognized))])
        #expect(adtsEvents([]).isEmpty)
    }

    @Test("Reports a truncated frame and keeps the previous one")
    func truncated() throws {
        let stream = try ADTSStream.random(frameCount: 4)
        for cut in [1, 30, stream.frames[3].count - 1] {
            let bytes = Array(stream.bytes.dropLast(cut))
            let events = adtsEvents(bytes)
            #expect(events.accessUnits.count == 3)
            #expect(events.skips == [SkippedBytes(byteRange: stream.offset(of: 3)..<bytes.count, reason: .truncatedFrame)])
        }
        let header = Array(stream.bytes.prefix(stream.offset(of: 3) + 5))
        #expect(adtsEvents(header).accessUnits.count == 3)
        #expect(adtsEvents(Array(stream.bytes.prefix(7))).accessUnits.isEmpty)
    }

    @Test("Reports rate and channel changes without losing frames")
    func changes() throws {
        let parts = [
            try ADTSStream.random(frameCount: 5), try ADTSStream.random(frameCount: 2, rate: 48_000, seed: 2),
            try ADTSStream.random(frameCount: 3, rate: 48_000, channels: 1, seed: 3),
        ]
        let events = adtsEvents(parts.flatMap(\.bytes), chunks: [64])
        #expect(events.configurations.map(\.sampleRate) == [32_000, 48_000, 48_000])
        #expect(events.configurations.map(\.channelCount) == [2, 2, 1])
        #expect(events.accessUnits.count == 10 && events.skips.isEmpty)
        let time = events.accessUnits[5].accessUnit.presentationTime
        #expect(time == MediaTime(value: 5 * 1024 * 48_000 / 32_000, timescale: 48_000))
    }

    @Test("Reads the layout from a PCE")
    func programConfig() throws {
        var pce = ProgramConfigElement(samplingFrequencyCode: 5)
        pce.front = [.init(isPair: true, instanceTag: 0)]
        pce.lowFrequencyTags = [0]
        var writer = BitWriter()
        writer.write(5, count: 3)
        pce.write(to: &writer, alignedTo: 0)
        var header = ADTSHeader(
            samplingFrequencyIndex: try #require(SamplingFrequencyIndex(hertz: 32_000)), channelConfiguration: 0, frameLength: 0)
        var bytes: [UInt8] = []
        for payload in [writer.bytes + [1, 2, 3], [0x20, 9, 9, 9], [0x20, 8, 8, 8]] {
            header.frameLength = 7 + payload.count
            header.serialize(into: &bytes)
            bytes += payload
        }
        let events = adtsEvents(bytes, chunks: [3])
        #expect(events.accessUnits.count == 3)
        #expect(events.configurations.map(\.programConfig) == [pce])
        #expect(events.configurations.first?.channelLayout?.speakers == [.left, .right, .lowFrequency])
    }

    @Test("Reads the SSR profile as AAC-LC")
    func scalableSampleRate() throws {
        let stream = try ADTSStream.random(frameCount: 4)
        let frames = stream.frames.map { frame in [frame[0], frame[1], frame[2] & 0x3F | 0x80] + frame[3...] }
        let events = adtsEvents(frames.flatMap { $0 })
        #expect(events.configurations.map(\.objectType) == [.aacLC])
        #expect(events.accessUnits.map(\.adtsHeader?.objectType) == [.aacSSR, .aacSSR, .aacSSR, .aacSSR])
    }

    @Test("Splits raw data blocks of frames with checksums")
    func rawDataBlocks() throws {
        var bytes: [UInt8] = []
        let blocks: [[UInt8]] = [[1, 2, 3], [4, 5], [6, 7, 8, 9]]
        var header = ADTSHeader(
            samplingFrequencyIndex: try #require(SamplingFrequencyIndex(hertz: 32_000)), channelConfiguration: 1, frameLength: 0)
        header.rawDataBlockCount = 3
        header.frameLength = 7 + 9
        header.serialize(into: &bytes)
        bytes += blocks.flatMap { $0 }
        header.hasCRC = true
        header.frameLength = 7 + 4 + 2 + 9 + 6
        var protected: [UInt8] = []
        header.serialize(into: &protected)
        protected += [0, 5, 0, 9]
        var crc = CRC.adts
        for byte in protected { crc.update(UInt32(byte), count: 8) }
        protected += [UInt8(crc.value >> 8), UInt8(crc.value & 255)]
        for block in blocks { protected += block + [0xAB, 0xCD] }
        let events = adtsEvents(bytes + protected, chunks: [1])
        #expect(events.accessUnits.map(\.accessUnit.payload) == [blocks.flatMap { $0 }] + blocks)
        #expect(events.accessUnits.map(\.rawDataBlockCount) == [3, 1, 1, 1])
        #expect(events.accessUnits.map(\.accessUnit.duration) == [3072, 1024, 1024, 1024])
        #expect(events.accessUnits.map(\.checksum) == [nil, 0xABCD, 0xABCD, 0xABCD])
        #expect(events.skips.isEmpty && events.covers(bytes.count + protected.count))
        var broken = protected
        broken[8] = 200
        #expect(adtsEvents(bytes + broken).skips == [.init(byteRange: 16..<44, reason: .damagedBlockPositions)])
    }

    @Test("Mutations never trap, and events cover every byte", arguments: 0..<4)
    func mutations(seed: Int) throws {
        var random = SeededRandom(seed: UInt64(seed) + 100)
        let stream = try ADTSStream.random(frameCount: 5, seed: UInt64(seed)).bytes
        for _ in 0..<100 {
            var bytes = stream
            for _ in 0..<Int.random(in: 1...40, using: &random) {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: bytes[place] = .random(in: 0...255, using: &random)
                case 1: bytes[place] ^= 1 << UInt8.random(in: 0...7, using: &random)
                case 2: bytes.removeSubrange(place..<min(bytes.count, place + 9))
                default: bytes.insert(contentsOf: stream.prefix(Int.random(in: 0..<20, using: &random)), at: place)
                }
                if bytes.isEmpty { bytes = [0xFF] }
            }
            let events = adtsEvents(bytes, chunks: [Int.random(in: 1...2000, using: &random)])
            #expect(events.covers(bytes.count), "seed \(seed)")
        }
    }
}
