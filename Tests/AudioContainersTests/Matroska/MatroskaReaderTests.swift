// SPDX-License-Identifier: Apache-2.0

import AudioContainers
import AudioMetadata
import AudioPrimitives
import Foundation
import MPEG4Audio
import TestSupport
import Testing

@Suite struct MatroskaReaderTests {
    static let packets = MatroskaFile.packets([40, 300, 3, 55, 55, 55, 260, 1, 90, 17])

    /// A file with all kinds of blocks, in two clusters.
    static func file(sizes hasSizes: Bool = true) -> MatroskaFile {
        var file = MatroskaFile()
        file.hasSegmentSize = hasSizes
        file.tracks.append(MatroskaFile.track(2, codec: "A_AC3"))
        let other = MatroskaFile.simpleBlock([[1, 2, 3]], track: 2)
        file.clusters = [
            MatroskaFile.cluster(
                [
                    MatroskaFile.simpleBlock([packets[0]]), other,
                    MatroskaFile.simpleBlock([packets[1], packets[2]], time: 20, lacing: .xiph),
                    EBML.element(0xEC, [UInt8](repeating: 0xA3, count: 30)),
                ], hasSize: hasSizes),
            MatroskaFile.cluster(
                [
                    EBML.element(0xBF, [1, 2, 3, 4]), MatroskaFile.simpleBlock(Array(packets[3...5]), lacing: .fixed),
                    MatroskaFile.group(Array(packets[6...8]), time: 60, padding: 0, lacing: .ebml),
                    MatroskaFile.group([packets[9]], time: 120, padding: 5_000_000),
                ], time: 60, hasSize: hasSizes),
        ]
        return file
    }

    @Test("Reads all kinds of lacing, with and without sizes of segment and clusters", arguments: [true, false])
    func lacing(hasSizes: Bool) throws {
        let bytes = Self.file(sizes: hasSizes).bytes
        let (events, metadata) = try matroskaEvents(bytes)
        #expect(events.skips.isEmpty)
        #expect(events.accessUnits.map(\.accessUnit.payload) == Self.packets)
        for (index, unit) in events.accessUnits.enumerated() {
            #expect(unit.accessUnit.presentationTime == MediaTime(value: Int64(index * 960), timescale: 48_000))
            #expect(unit.accessUnit.duration == 960 && Array(bytes[unit.byteRange]) == unit.accessUnit.payload)
        }
        #expect(metadata.accessUnitCount == 10 && metadata.otherTracksByteCount == 7)
        #expect(metadata.gaplessInfo == GaplessInfo(primingFrames: 312, validFrames: 9600 - 312 - 240, remainderFrames: 240))
        #expect(events.accessUnits.last?.trim.trailing == 240)
    }

    @Test("Padding inside the signal is omitted")
    func innerPadding() throws {
        var file = MatroskaFile()
        file.clusters = [
            MatroskaFile.cluster([
                MatroskaFile.group([Self.packets[0]], padding: 5_000_000),
                MatroskaFile.group([Self.packets[1]], time: 15, padding: -2_500_000),
                MatroskaFile.simpleBlock([Self.packets[2]], time: 35),
            ])
        ]
        let metadata = try matroskaEvents(file.bytes).metadata
        #expect(metadata.omittedRanges == [720..<960, 960..<1080])
        #expect(metadata.gaplessInfo == GaplessInfo(primingFrames: 312, validFrames: 2880 - 312, remainderFrames: 0))
    }

    @Test("A codec delay is the priming of AAC, whose configuration can follow from the codec's name")
    func aac() throws {
        let config = AudioSpecificConfig(sampleRate: 44_100, channelConfiguration: ChannelConfiguration(channelCount: 2))
        let delay = EBML.unsigned(0x56AA, 23_219_955)
        for (codec, privateBytes) in [("A_AAC", config.serialized()), ("A_AAC/MPEG4/LC", nil)] {
            var file = MatroskaFile(track: MatroskaFile.track(codec: codec, privateBytes: privateBytes, rate: 44_100, fields: delay))
            file.clusters = [
                MatroskaFile.cluster([
                    MatroskaFile.simpleBlock([[1], [2], [3]], lacing: .fixed), MatroskaFile.group([[4]], padding: 10_000_000),
                ])
            ]
            let (events, metadata) = try matroskaEvents(file.bytes)
            #expect(events.first == .configuration(.aac(config)))
            #expect(events.accessUnits.map(\.accessUnit.duration) == [1024, 1024, 1024, 1024])
            #expect(metadata.gaplessInfo == GaplessInfo(primingFrames: 1024, validFrames: 4096 - 1024 - 441, remainderFrames: 441))
        }
        let old = MatroskaFile(track: MatroskaFile.track(codec: "A_AAC/MPEG4/LC/SBR", rate: 24_000))
        let reader = try MatroskaReader(MemorySource(old.bytes))
        #expect(reader.configuration.sampleRate == 48_000 && reader.configuration.framesPerUnit == 2048)
    }

    @Test("Seeks to every access unit, and past the end")
    func seek() throws {
        let bytes = Self.file().bytes
        for frame in stride(from: 0, to: 9600, by: 311) {
            var reader = try MatroskaReader(MemorySource(bytes))
            let discarded = try reader.seek(toFrame: frame)
            guard case .configuration = try reader.nextEvent() else { Issue.record("no configuration"); continue }
            let unit = try #require(try reader.nextUnit())
            #expect(Int(unit.accessUnit.presentationTime.value) + discarded == frame, "frame \(frame)")
            // 80 ms of pre-roll.
            #expect(discarded >= min(frame, 3840))
            let index = Int(unit.accessUnit.presentationTime.value) / 960
            #expect(unit.accessUnit.payload == Self.packets[index])
        }
        var reader = try MatroskaReader(MemorySource(bytes))
        #expect(try reader.seek(toFrame: 9600) == 0)
        #expect(try reader.nextUnit() == nil)
    }

    @Test("Reads a track by its number, else the first enabled default one, and lists all")
    func tracks() throws {
        let notDefault =
            EBML.unsigned(0x88, 0) + EBML.text(0x22B59C, "fre") + EBML.text(0x22B59D, "fr-CA") + EBML.text(0x536E, "Commentaire")
        let german = EBML.text(0x22B59C, "ger") + EBML.text(0x22B59D, "de")
        var file = MatroskaFile()
        file.tracks = [
            MatroskaFile.track(1, codec: "A_AC3", fields: EBML.text(0x22B59C, "und")),
            MatroskaFile.track(4, codec: "A_OPUS", privateBytes: MatroskaFile.opusHead, fields: notDefault),
            MatroskaFile.track(7, codec: "A_OPUS", privateBytes: MatroskaFile.opusHead, fields: german),
        ]
        file.clusters = [MatroskaFile.cluster((1...7).map { MatroskaFile.simpleBlock([MatroskaFile.packets([$0 + 1])[0]], track: $0) })]
        #expect(try matroskaEvents(file.bytes).events.accessUnits.map(\.accessUnit.payload.count) == [8])
        let (events, metadata) = try matroskaEvents(file.bytes, audioTrack: 2)
        #expect(events.accessUnits.map(\.accessUnit.payload.count) == [5])
        #expect(metadata.audioTracks.map(\.description) == ["1 (AC-3)", "2 (Opus, fr-CA, Commentaire)", "3 (Opus, ger)"])
        #expect(metadata.audioTracks.map(\.isRead) == [false, true, false])
        #expect(metadata.audioTracks[1].name == "Commentaire")
        #expect(throws: ContainerError.unsupportedCodec("ac-3")) { try matroskaEvents(file.bytes, audioTrack: 1) }
        #expect(throws: ContainerError.unsupportedCodec(nil)) { try matroskaEvents(file.bytes, audioTrack: 4) }
    }

    @Test(
        "Refuses other codecs by name",
        arguments: [
            ("A_AC3", "AC-3"), ("A_EAC3", "E-AC-3"), ("A_DTS", "DTS"), ("A_TRUEHD", "TrueHD"), ("A_FLAC", "FLAC"), ("A_VORBIS", "Vorbis"),
            ("A_NEW/CODEC", "'NEW/'"), ("A_X", "'X   '"), ("", "'    '"), ("A_\u{1F600}", "'    '"), ("A_MS/ACM", "Microsoft ADPCM"),
        ])
    func unsupported(codec: String, name: String) throws {
        let file = MatroskaFile(track: MatroskaFile.track(codec: codec, privateBytes: [2, 0]))
        let error = try #require(throws: ContainerError.self) { try MatroskaReader(MemorySource(file.bytes)) }
        guard case .unsupportedCodec(let code?) = error else { Issue.record("\(error)"); return }
        #expect(code.codecName == name)
    }

    @Test("Refuses headers of later versions and other kinds of EBML")
    func header() throws {
        let changes = [
            EBML.unsigned(0x42F7, 2), EBML.unsigned(0x42F2, 5), EBML.unsigned(0x42F3, 9), EBML.unsigned(0x4285, 5),
            EBML.text(0x4282, "other"),
        ]
        for change in changes {
            var file = Self.file()
            file.header += change
            #expect(throws: ContainerError.invalidBox("EBML", offset: 0)) { try matroskaEvents(file.bytes) }
        }
        #expect(throws: ContainerError.noSyncword(offset: 0)) { try matroskaEvents([1, 2, 3]) }
        var file = Self.file()
        file.tracks = []
        #expect(throws: ContainerError.missingPart("Trks")) { try matroskaEvents(file.bytes) }
    }

    /// What Chromium recorded: 1.2 s in one file and with a canvas, and 2.4 s around a pause.
    @Test("Reads recordings of a browser", arguments: [("whole", 19), ("pieces-with-pause", 40), ("video", 19)])
    func recordings(name: String, count: Int) throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let bytes = [UInt8](try Data(contentsOf: folder.appending(path: "Vectors/MediaRecorder/\(name).webm")))
        let (events, metadata) = try matroskaEvents(bytes)
        #expect(events.skips.isEmpty)
        #expect(events.accessUnits.count == count && events.accessUnits.allSatisfy { $0.accessUnit.duration == 2880 })
        #expect(metadata.gaplessInfo == GaplessInfo(primingFrames: 0, validFrames: 2880 * count, remainderFrames: 0))
        #expect(metadata.tags.encoder == "Chrome")
    }
}
