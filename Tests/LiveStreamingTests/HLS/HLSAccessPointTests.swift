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
    @Test("Segments of xHE-AAC start at immediate playout frames, with and without parts", arguments: [nil, 0.25] as [Double?])
    func accessPoints(partSeconds: Double?) throws {
        let folder = try HLSTestFolder()
        folder.settings.playlistKind = .event
        folder.settings.partDuration = partSeconds.map { .seconds($0) }
        let config = AudioSpecificConfig(USACConfig(sampleRate: 48_000, channelCount: 2, hasNoiseFilling: true))
        let format = RecordingFormat(
            sampleRate: 48_000, channelCount: 2, configuration: .aac(config), framesPerUnit: 1024, primingFrames: 1024, bitRate: 64_000)
        // One in 20 access units, and later one in 70, which is more than a segment of 47.
        let units = (0..<600).map { number in
            let first: UInt8 = number % (number < 400 ? 20 : 70) == 0 ? 0xC0 : 0
            return AccessUnit(
                payload: [first, 1, UInt8(number % 251)],
                presentationTime: MediaTime(value: Int64(1024 * (number - 1)), timescale: 48_000), duration: 1024)
        }
        try folder.write(units, format)
        let playlist = try folder.playlist()
        let segments = try playlist.segments.map { try folder.contents($0.uri).payloads }
        #expect(segments.flatMap { $0 } == units.map(\.payload))
        // 40 or 60 access units, while there are access points; 70 are too long for the target duration of 1 s.
        var first = 0
        for payloads in segments {
            if first < 400 { #expect(payloads[0][0] == 0xC0 && payloads.count <= 60, "from \(first)") }
            #expect((Double(payloads.count) * 1024 / 48_000).rounded() <= Double(playlist.targetDuration))
            first += payloads.count
        }
        // The mean duration is close to the nominal one.
        #expect((7...11).contains(segments.prefix { $0[0][0] == 0xC0 && $0.count <= 60 }.count))
        for part in playlist.segments.prefix(5).flatMap(\.parts) {
            let isIndependent = try folder.contents(part.uri).payloads.contains { $0[0] == 0xC0 }
            #expect(part.isIndependent == isIndependent)
        }
        let master = try String(contentsOfFile: folder.path("master.m3u8"), encoding: .utf8)
        #expect(master.contains(#"CODECS="mp4a.40.42""#))
    }
}
