// SPDX-License-Identifier: Apache-2.0

import AudioContainers
import AudioPrimitives
import Foundation
import LiveAudio
import LiveStreaming
import MPEG4Audio
import TestSupport
import Testing

@Suite struct HLSAccessPointTests {
    private static let format = RecordingFormat(
        sampleRate: 48_000, channelCount: 2,
        configuration: .aac(AudioSpecificConfig(USACConfig(sampleRate: 48_000, channelCount: 2, hasNoiseFilling: true))),
        framesPerUnit: 1024, primingFrames: 1024, bitRate: 64_000)

    /// Returns an access unit, which is an access point or depends on the previous one.
    private static func unit(_ number: Int, isAccessPoint: Bool) -> AccessUnit {
        AccessUnit(
            payload: [isAccessPoint ? 0xC0 : 0, 1, UInt8(number % 251)],
            presentationTime: MediaTime(value: Int64(1024 * (number - 1)), timescale: 48_000), duration: 1024)
    }

    @Test("Segments of xHE-AAC start at immediate playout frames, with and without parts", arguments: [nil, 0.25] as [Double?])
    func accessPoints(partSeconds: Double?) throws {
        let folder = try HLSTestFolder()
        folder.settings.playlistKind = .event
        folder.settings.partDuration = partSeconds.map { .seconds($0) }
        let units = (0..<400).map { Self.unit($0, isAccessPoint: $0 % 20 == 0) }
        try folder.write(units, Self.format)
        let playlist = try folder.playlist()
        let segments = try playlist.segments.map { try folder.contents($0.uri).payloads }
        #expect(segments.flatMap { $0 } == units.map(\.payload))
        // A nominal segment has 47 access units.
        for payloads in segments {
            #expect(payloads[0][0] == 0xC0 && payloads.count <= 60)
            #expect((Double(payloads.count) * 1024 / 48_000).rounded() <= Double(playlist.targetDuration))
        }
        #expect((7...11).contains(segments.count))
        for part in playlist.segments.prefix(5).flatMap(\.parts) {
            let isIndependent = try folder.contents(part.uri).payloads.contains { $0[0] == 0xC0 }
            #expect(part.isIndependent == isIndependent)
        }
        let master = try String(contentsOfFile: folder.path("master.m3u8"), encoding: .utf8)
        #expect(master.contains(#"CODECS="mp4a.40.42""#))
    }

    @Test("A segment is never cut where decoding cannot start; a stream with rare access points is an error")
    func rareAccessPoints() throws {
        let folder = try HLSTestFolder()
        folder.settings.playlistKind = .event
        let connection = try folder.connect(HLSDestination(folder.settings), Self.format)
        // The target duration of 1 s permits 70 access units.
        let error = StreamingError.unsupportedFormat(
            reason: "the stream has no access point within 1 s, where the next HLS segment must start; use longer segments")
        var sentCount = 0
        #expect(throws: error) {
            for number in 0..<200 {
                try connection.send(Self.unit(number, isAccessPoint: [0, 40, 80].contains(number)))
                sentCount += 1
            }
        }
        #expect(sentCount == 150 && connection.unconfirmedUnitCount == 71)
        let segments = try folder.playlist().segments.map { try folder.contents($0.uri).payloads }
        #expect(segments.map(\.count) == [40, 40])
    }

    @Test("After a gap, a segment starts at the next access point")
    func gap() throws {
        let folder = try HLSTestFolder()
        folder.settings.playlistKind = .event
        let units = (0..<200).map { Self.unit($0, isAccessPoint: $0 % 40 == 0) }
        try folder.write(Array(units[..<50] + units[70...]), Self.format)
        let playlist = try folder.playlist()
        let segments = try playlist.segments.map { try folder.contents($0.uri).payloads }
        #expect(segments.flatMap { $0 } == (units[..<50] + units[80...]).map(\.payload))
        #expect(segments.allSatisfy { $0[0][0] == 0xC0 })
        #expect(playlist.segments.map(\.isDiscontinuous) == [false, false, true, false, false])
    }
}
