// SPDX-License-Identifier: Apache-2.0

import AudioContainers
import AudioPrimitives
import MPEG4Audio
import Testing

/// Tracks with several sample entries.
@Suite struct SampleDescriptionTests {
    /// The boxes around the sample entries.
    private static let path = ["moov", "trak", "mdia", "minf", "stbl", "stsd"]

    private static func number(_ bytes: [UInt8], at offset: Int) -> Int { bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) } }

    private static func set(_ value: Int, _ bytes: inout [UInt8], at offset: Int) {
        for index in 0..<4 { bytes[offset + index] = UInt8(truncatingIfNeeded: value >> (24 - 8 * index)) }
    }

    /// Returns the offset of a box, which is one that `bytes` contain once.
    private static func offset(of type: String, in bytes: [UInt8]) throws -> Int {
        let found = (4..<bytes.count - 4).first { bytes[$0..<$0 + 4].elementsEqual(type.utf8) }
        return try #require(found) - 4
    }

    /// Adds a copy of the sample entry with the given audio configuration to a file whose index is at its end.
    private static func adding(_ config: [UInt8], to bytes: [UInt8]) throws -> [UInt8] {
        var bytes = bytes
        let start = try offset(of: "stsd", in: bytes) + 16
        let end = start + number(bytes, at: start)
        var entry = Array(bytes[start..<end])
        let old = MP4Tests.config.serialized()
        let place = try #require((0..<entry.count - 1).first { entry[$0..<$0 + old.count].elementsEqual(old) })
        entry.replaceSubrange(place..<place + old.count, with: config)
        for type in path {
            let box = try offset(of: type, in: bytes)
            set(number(bytes, at: box) + entry.count, &bytes, at: box)
        }
        set(2, &bytes, at: start - 4)
        bytes.insert(contentsOf: entry, at: end)
        return bytes
    }

    /// Returns the number of access units read, and the reasons for which others are skipped.
    private static func outcome(_ bytes: [UInt8]) throws -> (readCount: Int, reasons: [SkippedBytes.Reason]) {
        let events = try MP4Tests.read(bytes).events
        return (events.accessUnits.count, events.skips.map { $0.reason })
    }

    private static let other = AudioSpecificConfig(sampleRate: 44_100, channelConfiguration: ChannelConfiguration(channelCount: 2))
    private static let unsupported = SkippedBytes.Reason.unsupportedConfiguration(.unsupportedCodec(nil))

    @Test("Reports access units of another sample entry, unless its configuration is the same", arguments: [false, true], [0, 1])
    func otherEntry(isSame: Bool, run: Int) throws {
        let config = isSame ? MP4Tests.config : Self.other
        // Two chunks, each a run of its own.
        var bytes = try Self.adding(config.serialized(), to: try MP4Tests.write(MP4Tests.accessUnits(60)))
        var found = try Self.outcome(bytes)
        #expect(found.readCount == 60 && found.reasons.isEmpty)
        let runs = try Self.offset(of: "stsc", in: bytes) + 12
        try #require(Self.number(bytes, at: runs) == 2)
        let first = Self.number(bytes, at: runs + 4 + 4)
        Self.set(2, &bytes, at: runs + 4 + 12 * run + 8)
        found = try Self.outcome(bytes)
        if isSame {
            #expect(found.readCount == 60 && found.reasons.isEmpty)
        } else if run == 0 {
            #expect(found.readCount == 60 - first && found.reasons == [.missing(unitCount: first)])
        } else {
            #expect(found.readCount == first && found.reasons == [Self.unsupported])
        }
    }

    @Test("Reports fragments of another sample entry")
    func otherEntryInFragments() throws {
        let options = MP4WriterOptions(layout: .fragmented(unitsPerFragment: 10, priming: 0))
        var bytes = try Self.adding(Self.other.serialized(), to: MP4Tests.write(MP4Tests.accessUnits(35), MP4Tests.config, options))
        #expect(try Self.outcome(bytes).readCount == 35)
        Self.set(2, &bytes, at: try Self.offset(of: "trex", in: bytes) + 16)
        let found = try Self.outcome(bytes)
        #expect(found.readCount == 0 && found.reasons == [Self.unsupported])
    }

    @Test("The sample entry describes MPEG-2 AAC without an AudioSpecificConfig", arguments: [(0x66, 1), (0x67, 2)] as [(UInt8, Int)])
    func mpeg2(indication: UInt8, objectType: Int) throws {
        var bytes = try MP4Tests.write(MP4Tests.accessUnits(5))
        let box = try Self.offset(of: "esds", in: bytes)
        // Type and length of the decoder configuration, and the type of the AudioSpecificConfig, which becomes another descriptor.
        let indicated = try #require(bytes[box...].indices.first { bytes[$0] == 0x40 })
        let specific = try #require(bytes[indicated...].indices.first { bytes[$0] == 5 && bytes[$0 + 1] == 0x80 })
        (bytes[indicated], bytes[specific]) = (indication, 0x13)
        let expected = AudioSpecificConfig(
            objectType: AudioObjectType(rawValue: objectType), sampleRate: 48_000,
            channelConfiguration: ChannelConfiguration(channelCount: 2))
        let (reader, events) = try MP4Tests.read(bytes)
        #expect(reader.configuration == .aac(expected))
        #expect(events.accessUnits.count == 5)
    }
}
