// SPDX-License-Identifier: Apache-2.0

import AudioContainers
import AudioPrimitives
import Testing

/// Transport streams with several programs and audio streams.
@Suite struct TransportStreamTrackTests {
    /// An elementary stream of a program map table.
    private struct Stream {
        var type: UInt8 = 0x0F
        var pid: Int
        var descriptors: [UInt8] = []

        init(_ pid: Int, type: UInt8 = 0x0F, language: String? = nil, _ other: [UInt8] = []) {
            self.pid = pid
            self.type = type
            descriptors = other + (language.map { [0x0A, 4] + Array($0.utf8) + [0] } ?? [])
        }
    }

    /// Returns a packet with a section.
    private static func packet(_ pid: Int, tableID: UInt8, identifier: Int, _ body: [UInt8]) -> [UInt8] {
        let length = body.count + 9
        var section: [UInt8] = [tableID, 0xB0, UInt8(length), UInt8(identifier >> 8), UInt8(identifier & 0xFF), 0xC1, 0, 0] + body
        let checksum = section.reduce(UInt32.max) { value, byte in
            (0..<8).reduce(value ^ UInt32(byte) << 24) { sum, _ in sum & 0x8000_0000 == 0 ? sum << 1 : sum << 1 ^ 0x04C1_1DB7 }
        }
        section += (0..<4).map { UInt8(truncatingIfNeeded: checksum >> UInt32(24 - 8 * $0)) }
        let packet: [UInt8] = [0x47, 0x40 | UInt8(pid >> 8), UInt8(pid & 0xFF), 0x10, 0] + section
        return packet + [UInt8](repeating: 0xFF, count: 188 - packet.count)
    }

    /// Returns an association table, with the PID of each map table after 0x1000.
    private static func association(_ programs: [Int]) -> [UInt8] {
        packet(0, tableID: 0, identifier: 1, programs.flatMap { number -> [UInt8] in [0, UInt8(number), 0xF0, UInt8(number)] })
    }

    private static func map(_ program: Int, _ streams: [Stream], programDescriptors: [UInt8] = []) -> [UInt8] {
        let entries = streams.flatMap { stream -> [UInt8] in
            [stream.type, 0xE0 | UInt8(stream.pid >> 8), UInt8(stream.pid & 0xFF), 0xF0, UInt8(stream.descriptors.count)]
                + stream.descriptors
        }
        let head: [UInt8] = [0xE1, 0, 0xF0, UInt8(programDescriptors.count)] + programDescriptors
        return packet(0x1000 + program, tableID: 2, identifier: program, head + entries)
    }

    private static func accessUnits(_ seed: UInt64) -> [AccessUnit] {
        TransportStreamTests.accessUnits(6, sizes: 100...400, seed: seed)
    }

    /// Returns the packets of access units, moved to a PID.
    private static func audio(_ seed: UInt64, _ pid: Int) throws -> [UInt8] {
        TransportStreamTests.packets(try TransportStreamTests.write(accessUnits(seed))).filter { $0[1] & 0x1F == 1 && $0[2] == 0 }.flatMap {
            packet -> [UInt8] in
            var packet = packet
            packet[1] = packet[1] & 0xE0 | UInt8(pid >> 8)
            packet[2] = UInt8(pid & 0xFF)
            return packet
        }
    }

    private static func payloads(_ bytes: [UInt8], _ choice: TransportStreamChoice?) -> [[UInt8]] {
        streamEvents(of: TransportStreamParser(choice: choice), bytes).accessUnits.map(\.accessUnit.payload)
    }

    @Test("Tracks are counted over all programs in the order of the association table, and the first table to arrive is read")
    func programs() throws {
        let tables =
            Self.association([2, 1]) + Self.map(1, [Stream(0x110, language: "eng"), Stream(0x111, language: "DEU")])
            + Self.map(2, [Stream(0x120, type: 2), Stream(0x121, language: "und"), Stream(0x122, type: 3, language: "fra")])
        let streams: [(pid: Int, seed: UInt64)] = [(0x121, 3), (0x122, 4), (0x110, 1), (0x111, 2)]
        let bytes = try tables + streams.flatMap { try Self.audio($0.seed, $0.pid) }
        let list = try #require(TransportStreamTracks(bytes, isAll: false))
        #expect(list.defaultNumber == 3)
        let tracks = list.tracks(reading: list.defaultNumber)
        #expect(tracks.map(\.description) == ["1 (AAC)", "2 (MPEG audio, fra)", "3 (AAC, eng)", "4 (AAC, deu)"])
        #expect(tracks.map(\.isRead) == [false, false, true, false])
        #expect(Self.payloads(bytes, nil) == Self.accessUnits(1).map(\.payload))
        for (number, seed) in [(1, 3), (3, 1), (4, 2)] as [(Int, UInt64)] {
            #expect(Self.payloads(bytes, list.choice(ofTrack: number)) == Self.accessUnits(seed).map(\.payload), "track \(number)")
        }
    }

    @Test("A chosen track that moves to another PID is followed by its language")
    func moves() throws {
        let before = [Stream(0x110, language: "eng"), Stream(0x111, language: "deu")]
        let after = [Stream(0x112, language: "eng"), Stream(0x113, language: "deu")]
        let bytes =
            try Self.association([1]) + Self.map(1, before) + Self.audio(1, 0x110) + Self.audio(2, 0x111) + Self.map(1, after)
            + Self.audio(3, 0x112) + Self.audio(4, 0x113)
        let list = try #require(TransportStreamTracks(bytes, isAll: true))
        for (number, seeds) in [(1, [1, 3]), (2, [2, 4])] as [(Int, [UInt64])] {
            let expected = seeds.flatMap { Self.accessUnits($0).map(\.payload) }
            let found = Self.payloads(bytes, list.choice(ofTrack: number))
            #expect(found.allSatisfy(expected.contains) && found.count >= expected.count - 2, "track \(number): \(found.count)")
        }
    }

    @Test("A program without a map table delays the list by two association tables")
    func missingTable() throws {
        let association = Self.association([1, 2])
        let bytes = try association + Self.map(1, [Stream(0x110)]) + Self.audio(1, 0x110)
        #expect(TransportStreamTracks(bytes + association, isAll: false) == nil)
        let list = try #require(TransportStreamTracks(bytes + association + association + association, isAll: false))
        #expect(list.tracks(reading: nil).count == 1)
        #expect(TransportStreamTracks(bytes, isAll: true)?.defaultNumber == 1)
    }

    @Test("Codecs are named by stream type and descriptors")
    func codecs() throws {
        func registration(_ text: String) -> [UInt8] { [5, 4] + Array(text.utf8) }
        let streams = [
            Stream(0x110, type: 0x11), Stream(0x111, type: 4), Stream(0x112, type: 0x81), Stream(0x113, type: 6, registration("AC-3")),
            Stream(0x114, type: 6, [0x6A, 1, 0]), Stream(0x115, type: 6, [0x7A, 1, 0]), Stream(0x116, type: 0x87),
            Stream(0x117, type: 6, [0x7B, 1, 0]), Stream(0x118, type: 6, [0x56, 1, 0]), Stream(0x119, type: 6, registration("Opus")),
        ]
        let list = try #require(TransportStreamTracks(Self.association([1]) + Self.map(1, streams), isAll: true))
        let names = ["AAC", "MPEG audio", "AC-3", "AC-3", "AC-3", "E-AC-3", "E-AC-3", "DTS", "Opus"]
        #expect(list.tracks(reading: nil).map(\.codecName) == names)
        #expect(list.tracks(reading: nil).map(\.isSupported) == [true, true] + [Bool](repeating: false, count: 7))
        let disc = [Stream(0x110, type: 0x83), Stream(0x111, type: 0x80), Stream(0x112, type: 0x86)]
        for (descriptors, names) in [(registration("HDMV"), ["TrueHD", "PCM", "DTS"]), ([], [])] {
            let bytes = Self.association([1]) + Self.map(1, disc, programDescriptors: descriptors)
            #expect(TransportStreamTracks(bytes, isAll: true)?.tracks(reading: nil).map(\.codecName) == names)
        }
    }
}
