// SPDX-License-Identifier: Apache-2.0

import AudioContainers
import AudioPrimitives
import DABPlus
import MPEG4Audio
import TestSupport
import Testing

@Suite struct DABParserTests {
    @Test("Access units of every format and bit rate round-trip", arguments: SuperframeStream.formats)
    func roundTrip(format: DABAudioFormat) throws {
        for bitRate in DABSubchannel.bitRates {
            let stream = try SuperframeStream(format, bitRate: bitRate, superframeCount: 4, seed: 7)
            #expect(stream.bytes.count == 4 * stream.superframeByteCount)
            let events = streamEvents(of: DABParser(), stream.bytes)
            #expect(events.accessUnits.map(\.accessUnit.payload) == stream.payloads, "\(bitRate)")
            #expect(events.skips.isEmpty)
            #expect(events.configurations == [format.audioSpecificConfig])
            #expect(Self.accessUnits(stream.bytes).allSatisfy { $0.place.subchannelBitRate == bitRate && $0.place.correctedByteCount == 0 })
            #expect(events.covers(stream.bytes.count))
            #expect(Self.format(of: stream.bytes) == .dab)
            #expect(DABAudioFormat(format.audioSpecificConfig) == format)
        }
    }

    @Test("Events do not depend on chunk sizes, damaged or not")
    func chunks() throws {
        var random = SeededRandom(seed: 3)
        let stream = try SuperframeStream(SuperframeStream.formats[2], bitRate: 24_000, superframeCount: 8, seed: 3)
        var damaged = stream.bytes
        for _ in 0..<60 { damaged[Int.random(in: 800..<damaged.count, using: &random)] ^= 0x55 }
        damaged.removeSubrange(1500..<1507)
        for bytes in [stream.bytes, damaged, Array(damaged[13...])] {
            let expected = streamEvents(of: DABParser(), bytes)
            for size in [1, 7, 119, 360, 361, 3000] {
                var parser = DABParser()
                var events: [ReaderEvent] = []
                for start in stride(from: 0, to: bytes.count, by: size) {
                    parser.append(bytes[start..<min(start + size, bytes.count)])
                    while let event = parser.nextEvent() { events.append(event) }
                }
                parser.finish()
                while let event = parser.nextEvent() { events.append(event) }
                #expect(events == expected, "\(size)")
            }
        }
    }

    @Test("Corrects up to five wrong bytes in every word", arguments: 1...5)
    func correction(errorCount: Int) throws {
        for bitRate in [8_000, 72_000, 192_000] {
            let stream = try SuperframeStream(SuperframeStream.formats[7], bitRate: bitRate, superframeCount: 10, seed: 11)
            let damaged = Self.damaged(stream, errorCount: errorCount, seed: UInt64(errorCount))
            let events = streamEvents(of: DABParser(), damaged)
            #expect(events.accessUnits.map(\.accessUnit.payload) == stream.payloads)
            #expect(events.skips.isEmpty)
            #expect(Self.accessUnits(damaged).allSatisfy { $0.place.correctedByteCount == errorCount * bitRate / 8_000 })
        }
    }

    @Test("Uncorrectable access units are rejected and advance the time", arguments: [6, 8, 12, 30])
    func excess(errorCount: Int) throws {
        var (intact, lost) = (0, 0)
        for seed in 0..<20 {
            let stream = try SuperframeStream(SuperframeStream.formats[6], bitRate: 64_000, superframeCount: 30, seed: UInt64(seed))
            let first = stream.superframeByteCount
            let damaged = Array(stream.bytes[..<first]) + Self.damaged(stream, errorCount: errorCount, seed: UInt64(seed))[first...]
            let events = streamEvents(of: DABParser(), damaged)
            for unit in events.accessUnits {
                let index = Int(unit.accessUnit.presentationTime.value) / 960
                #expect(stream.payloads[index] == unit.accessUnit.payload, "seed \(seed)")
                intact += 1
            }
            lost += stream.payloads.count - events.accessUnits.count
        }
        print("\(errorCount) wrong bytes a word: \(intact) units intact, \(lost) lost, none wrong")
    }

    @Test("Synchronises anywhere, and after missing or extra bytes")
    func resynchronization() throws {
        for format in SuperframeStream.formats {
            let stream = try SuperframeStream(format, bitRate: 48_000, superframeCount: 12, seed: 5)
            let length = stream.superframeByteCount
            for start in [1, 17, length - 1] {
                let events = streamEvents(of: DABParser(), Array(stream.bytes[start...]))
                #expect(events.accessUnits.map(\.accessUnit.payload) == Array(stream.payloads[format.accessUnitCount...]))
                #expect(events.skips.map(\.byteRange) == [0..<length - start])
            }
            var bytes = stream.bytes
            bytes.insert(contentsOf: [1, 2, 3], at: 8 * length + 50)
            bytes.removeSubrange(4 * length + 100..<4 * length + 105)
            let events = streamEvents(of: DABParser(), bytes)
            #expect(events.accessUnits.count == 10 * format.accessUnitCount, "\(format)")
            let times = events.accessUnits.map { Int($0.accessUnit.presentationTime.value) / 960 }
            #expect(times.count == Set(times).count && times.last == stream.payloads.count - 1)
            for (time, unit) in zip(times, events.accessUnits) { #expect(stream.payloads[time] == unit.accessUnit.payload) }
        }
    }

    @Test("Silence, noise and text have no access units")
    func otherBytes() {
        var random = SeededRandom(seed: 2)
        let noise = (0..<20_000).map { _ in UInt8.random(in: 0...255, using: &random) }
        for bytes in [[], [0], [UInt8](repeating: 0, count: 10_000), [UInt8](repeating: 0xFF, count: 10_000), noise] {
            let events = streamEvents(of: DABParser(), bytes)
            #expect(events.accessUnits.isEmpty && events.configurations.isEmpty)
            #expect(events.skips.map(\.byteRange).reduce(0) { $0 + $1.count } == bytes.count)
            #expect(Self.format(of: bytes) != .dab)
        }
    }

    @Test("Damaged streams never trap or hang, and events cover every byte")
    func mutations() throws {
        // A 16-bit checksum accepts one damaged access unit in 65 536, but none if all words are valid.
        var (checkedCount, wrongCount, unnoticedCount) = (0, 0, 0)
        for seed in 0..<UInt64(max(20, RandomDamage.fileCount / 10)) {
            var random = SeededRandom(seed: seed)
            let format = SuperframeStream.formats.randomElement(using: &random) ?? SuperframeStream.formats[0]
            let bitRate = 8_000 * Int.random(in: 3...24, using: &random)
            let stream = try SuperframeStream(format, bitRate: bitRate, superframeCount: 6, seed: seed)
            var bytes = stream.bytes
            for _ in 0..<Int.random(in: 1...400, using: &random) {
                let index = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<20, using: &random) {
                case 0: bytes.remove(at: index)
                case 1: bytes.insert(UInt8.random(in: 0...255, using: &random), at: index)
                default: bytes[index] = UInt8.random(in: 0...255, using: &random)
                }
            }
            let events = streamEvents(of: DABParser(), bytes)
            checkedCount += stream.payloads.count
            let wrong = Self.accessUnits(bytes).filter { !stream.payloads.contains($0.payload) }
            wrongCount += wrong.count
            unnoticedCount += wrong.count { !$0.place.isInUncorrectableWords }
            #expect(events.covers(bytes.count), "seed \(seed)")
        }
        #expect(wrongCount <= checkedCount / 8192 && unnoticedCount == 0, "\(wrongCount) of \(checkedCount), \(unnoticedCount) unnoticed")
        print("\(checkedCount) units: \(wrongCount) wrong with a checksum that fits, \(unnoticedCount) of them in right words")
    }

    @Test("Small mutations never trap or hang")
    func smallMutations() throws {
        let original = try SuperframeStream(SuperframeStream.formats[8], bitRate: 24_000, superframeCount: 4, seed: 1).bytes
        var random = RandomDamage.generator(12)
        for index in 0..<RandomDamage.fileCount {
            var bytes = original
            RandomDamage.mutate(&bytes, using: &random)
            #expect(streamEvents(of: DABParser(), bytes).count <= 2 * bytes.count + 1, "mutation \(index)")
        }
    }

    @Test("Flags access units in uncorrectable words and no others")
    func uncorrectableWords() throws {
        var count = 0
        for seed in 0..<UInt64(20) {
            let stream = try SuperframeStream(SuperframeStream.formats[8], bitRate: 64_000, superframeCount: 2, seed: seed)
            let length = stream.superframeByteCount
            let starts = try #require(SuperframeHeader(stream.bytes[length...])).starts
            guard starts[1] - starts[0] >= 8, starts[2] - starts[1] >= 8, starts[2] < 8 * 104 else { continue }
            count += 1
            var bytes = stream.bytes
            // Six wrong bytes of word 3, all in the last access unit of the second superframe.
            for position in 0..<6 { bytes[length + 8 * (109 - position) + 3] ^= 0x55 }
            let events = streamEvents(of: DABParser(), bytes)
            #expect(events.accessUnits.map(\.accessUnit.payload) == Array(stream.payloads[..<5]), "seed \(seed)")
            let flags = Self.accessUnits(bytes).map(\.place.isInUncorrectableWords)
            #expect(flags == [false, false, false, true, true], "seed \(seed)")
            #expect(events.skips.map(\.reason) == [.damagedUnit], "seed \(seed)")
        }
        #expect(count > 3)
    }

    @Test("A coincidental checksum at another bit rate is rejected")
    func otherBitRate() throws {
        let stream = try SuperframeStream(SuperframeStream.formats[8], bitRate: 64_000, superframeCount: 3, seed: 9)
        var bytes = stream.bytes
        let starts = try #require(SuperframeHeader(bytes[...])).starts
        // The last access unit of a 56 kbit/s sub-channel would end here.
        let end = 7 * ReedSolomonCode.dataByteCount
        try #require(starts[2] < end - 8)
        var unit = Array(bytes[starts[2]..<end - 2])
        DABChecksum.accessUnits.append(to: &unit, from: 0)
        bytes.replaceSubrange(starts[2]..<end, with: unit)
        let events = streamEvents(of: DABParser(), bytes)
        #expect(Self.accessUnits(bytes).allSatisfy { $0.place.subchannelBitRate == 64_000 })
        #expect(events.accessUnits.map(\.accessUnit.payload) == stream.payloads)
    }

    /// Returns the format of a stream, as file identification does.
    private static func format(of bytes: [UInt8]) -> AudioFileFormat? {
        ContainerProbe.format(of: bytes, isWhole: true) { DABParser.recognizes($0, isWhole: true) ? .dab : nil }
    }

    /// Returns the access units of a stream, all of which must have a position.
    private static func accessUnits(_ bytes: [UInt8]) -> [(payload: [UInt8], place: SuperframePosition)] {
        var parser = DABParser()
        parser.append(bytes)
        parser.finish()
        var result: [(payload: [UInt8], place: SuperframePosition)] = []
        while let event = parser.nextEvent() {
            guard case .accessUnit(let unit) = event else { continue }
            guard let place = parser.position(of: unit) else {
                Issue.record("the unit at byte \(unit.byteRange.lowerBound) has no position")
                continue
            }
            result.append((unit.accessUnit.payload, place))
        }
        return result
    }

    /// Returns the stream with `errorCount` wrong bytes per word.
    private static func damaged(_ stream: SuperframeStream, errorCount: Int, seed: UInt64) -> [UInt8] {
        var random = SeededRandom(seed: seed)
        var bytes = stream.bytes
        let wordCount = stream.superframeByteCount / 120
        for start in stride(from: 0, to: bytes.count, by: stream.superframeByteCount) {
            for word in 0..<wordCount {
                for position in (0..<120).shuffled(using: &random).prefix(errorCount) {
                    bytes[start + position * wordCount + word] ^= UInt8.random(in: 1...255, using: &random)
                }
            }
        }
        return bytes
    }
}
