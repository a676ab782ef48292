// SPDX-License-Identifier: Apache-2.0

import AudioContainers
import AudioPrimitives
import Foundation
import LiveAudio
import LiveStreaming
import MPEG4Audio
import TestSupport
import Testing

@Suite struct HLSStreamTests {
    /// A stream of a property test: the sent audio, and the audio seen in the folder.
    private struct RandomStream {
        let folder: HLSTestFolder
        let format: RecordingFormat
        var sent: [Int: [UInt8]] = [:]
        var shown: [Int: String] = [:]
        var latest: StrictPlaylist?

        /// Creates a stream with random settings.
        init(_ random: inout SeededRandom) throws {
            folder = try HLSTestFolder()
            folder.settings.segmentFormat = Bool.random(using: &random) ? .fragmentedMP4 : .packedAudio
            folder.settings.playlistKind = [.live, .live, .event][Int.random(in: 0..<3, using: &random)]
            folder.settings.segmentDuration = .milliseconds(Int.random(in: 300...2500, using: &random))
            folder.settings.windowLength = Int.random(in: 1...6, using: &random)
            if Bool.random(using: &random) {
                folder.settings.partDuration = folder.settings.segmentDuration / Double(Int.random(in: 2...4, using: &random))
            }
            format =
                Bool.random(using: &random)
                ? .stereo48() : .highEfficiency(44_100, hasParametricStereo: Bool.random(using: &random))
        }

        /// Reads the playlist and compares everything new in it with the sent audio.
        mutating func check(_ date: Double) throws {
            guard FileManager.default.fileExists(atPath: folder.path("audio.m3u8")) else { return }
            let playlist = try folder.playlist()
            try latest?.checkSuccessor(playlist)
            latest = playlist
            let rate = Double(format.configuration.sampleRate)
            for segment in playlist.segments + [playlist.open] {
                for part in segment.parts {
                    let contents = try folder.contents(part.uri)
                    #expect(abs(Double(contents.payloads.count * unitDuration) / rate - part.duration) < 0.000_001)
                }
                guard !segment.uri.isEmpty else { continue }
                let contents = try folder.contents(segment.uri)
                #expect(abs(Double(contents.payloads.count * unitDuration) / rate - segment.duration) < 0.000_001)
                let ticks = folder.settings.segmentFormat == .packedAudio ? 90_000 : rate
                // The segment time minus the added second gives the presentation time and the date.
                let time = Double(try #require(contents.time)) / ticks - 1
                #expect(abs(try #require(segment.date).timeIntervalSince1970 - date - time) < 0.0015)
                let start = Int((time * rate / Double(unitDuration)).rounded())
                for (index, payload) in contents.payloads.enumerated() {
                    #expect(sent[start + index] == payload)
                    #expect(shown.updateValue(segment.uri, forKey: start + index) ?? segment.uri == segment.uri)
                }
                let isAfterGap = start > sent.keys.min() ?? 0 && sent[start - 1] == nil
                #expect(segment.isDiscontinuous == isAfterGap)
                if let map = segment.map { #expect(FileManager.default.fileExists(atPath: folder.path(map))) }
            }
        }

        var unitDuration: Int { format.configuration.sampleRate / format.configuration.coreSampleRate * 1024 }
    }

    @Test("Playlists of random streams always conform, and their segments contain the sent audio", arguments: 0..<12)
    func property(seed: UInt64) throws {
        var random = SeededRandom(seed: 4000 + seed)
        var stream = try RandomStream(&random)
        let folder = stream.folder
        let now = 1_700_000_000.125
        let destination = HLSDestination(folder.settings, clock: { now })
        let connection = try folder.connect(destination, stream.format)
        var number = 0
        var unwritten = 0
        for _ in 0..<Int.random(in: 200...600, using: &random) {
            // Some access units are missing.
            if Int.random(in: 0..<100, using: &random) == 0 { number += Int.random(in: 1...100, using: &random) }
            let payload = (0..<Int.random(in: 1...40, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
            let time = MediaTime(
                value: Int64(number * stream.unitDuration), timescale: Int32(stream.format.configuration.sampleRate))
            stream.sent[number] = payload
            number += 1
            try connection.send(AccessUnit(payload: payload, presentationTime: time, duration: stream.unitDuration))
            if connection.unconfirmedUnitCount <= unwritten { try stream.check(now) }
            unwritten = connection.unconfirmedUnitCount
        }
        try connection.close(isComplete: true)
        try stream.check(now)
        #expect(connection.unconfirmedUnitCount == 0)
        #expect(stream.latest?.isFinished == true)
        #expect(stream.shown.count == stream.sent.count, "seed \(4000 + seed)")
        // A live stream keeps at most the previous and the current window.
        if folder.settings.playlistKind == .live, folder.settings.partDuration == nil {
            let playlist = try #require(stream.latest)
            #expect(folder.names.count <= 2 * (playlist.segments.count + 8) + 4)
        }
    }

    @Test("Mean segment duration is nominal; boundaries of all profiles agree within one access unit")
    func borders() throws {
        let formats: [RecordingFormat] = [
            .stereo48(), .highEfficiency(48_000, hasParametricStereo: false), .highEfficiency(48_000, hasParametricStereo: true),
        ]
        var starts: [[Double]] = []
        var targets: Set<Int> = []
        for format in formats {
            let folder = try HLSTestFolder()
            folder.settings.playlistKind = .event
            let duration = format.configuration.sampleRate / format.configuration.coreSampleRate * 1024
            let accessUnits = (0..<(48_000 * 30 / duration)).map {
                AccessUnit(
                    payload: [1], presentationTime: MediaTime(value: Int64($0 * duration - format.primingFrames), timescale: 48_000),
                    duration: duration)
            }
            try folder.write(accessUnits, format)
            let playlist = try folder.playlist()
            targets.insert(playlist.targetDuration)
            let inner = playlist.segments.dropFirst().dropLast()
            #expect(abs(inner.reduce(0) { $0 + $1.duration } / Double(inner.count) - 1) < 0.002)
            starts.append(try playlist.segments.map { Double(try #require(try folder.contents($0.uri).time)) / 48_000 })
        }
        #expect(targets == [1])
        for index in 1..<29 {
            for other in starts { #expect(abs(other[index] - starts[0][index]) < 0.043) }
        }
    }

    @Test("Dates count samples from the first connection, even if the clock changes")
    func clock() throws {
        let folder = try HLSTestFolder()
        let times = Readings([1_600_000_000, 5, 2_000_000_000])
        let destination = HLSDestination(folder.settings, clock: { times.next() })
        for connection in 0..<3 {
            let open = try folder.connect(destination)
            for number in 0..<94 { try open.send(AccessUnit(number: 94 * connection + number)) }
            try open.close(isComplete: connection == 2)
        }
        let first = try #require(folder.playlist().segments.first)
        let time = Double(try #require(folder.contents(first.uri).time)) / 48_000 - 1
        #expect(abs(try #require(first.date).timeIntervalSince1970 - 1_600_000_000 - time) < 0.001)
        #expect(times.readCount == 1)
    }

    @Test("Packed audio timestamps have 33 bits and wrap around")
    func wrap() throws {
        let folder = try HLSTestFolder()
        folder.settings.segmentFormat = .packedAudio
        folder.settings.playlistKind = .event
        // Three seconds before 2^33 / 90000 s, including the added second.
        let start = (1 << 33) * 48_000 / 90_000 / 1024 - 4 * 47
        try folder.write((0..<300).map { AccessUnit(number: start + $0) })
        let playlist = try folder.playlist()
        let times = try playlist.segments.map { try #require(try folder.contents($0.uri).time) }
        #expect(times.contains { $0 > 1 << 32 })
        for (index, segment) in playlist.segments.enumerated().dropLast() {
            let step = (times[index + 1] - times[index] + (1 << 33)) % (1 << 33)
            #expect(abs(Double(step) / 90_000 - segment.duration) < 0.000_03)
        }
        #expect(times.last.map { $0 < 10 * 90_000 } == true)
    }

    @Test("Master playlist lists codecs and bit rates")
    func master() throws {
        let formats: [(RecordingFormat, String)] = [
            (.stereo48(), "mp4a.40.2"), (.highEfficiency(48_000, hasParametricStereo: false), "mp4a.40.5"),
            (.highEfficiency(48_000, hasParametricStereo: true), "mp4a.40.29"),
            (.with(.alac(ALACConfiguration(sampleRate: 48_000, channelCount: 2, bitDepth: 16)), framesPerUnit: 4096), "alac"),
        ]
        for (format, codec) in formats {
            let folder = try HLSTestFolder()
            try folder.write((0..<100).map { AccessUnit(number: $0) }, format)
            let text = try String(contentsOfFile: folder.path("master.m3u8"), encoding: .utf8)
            let bandwidth = try #require(format.bitRate) / 10 * 11
            #expect(text.contains("CODECS=\"\(codec)\"\naudio.m3u8\n"), "\(text)")
            #expect(text.contains("BANDWIDTH=\(bandwidth),AVERAGE-BANDWIDTH="), "\(text)")
        }
    }

    @Test("Segments do not store iLBC")
    func unsupportedCodec() throws {
        #expect(throws: StreamingError.self) { try HLSTestFolder().write([], .with(.ilbc(.milliseconds20), framesPerUnit: 160)) }
    }

    @Test("Target duration follows the nominal duration and is equal for all profiles")
    func targetDurations() {
        for (rate, expected) in [(48_000, 6), (44_100, 6), (24_000, 6), (16_000, 7)] {
            let lowComplexity = RecordingFormat(
                sampleRate: rate, channelCount: 2,
                configuration: .aac(AudioSpecificConfig(sampleRate: rate, channelConfiguration: ChannelConfiguration(channelCount: 2))),
                framesPerUnit: 1024, primingFrames: 2112)
            for format in [
                lowComplexity, .highEfficiency(rate, hasParametricStereo: false), .highEfficiency(rate, hasParametricStereo: true),
            ] {
                #expect(HLSTimeline(format, segmentDuration: .seconds(6), startDate: 0).targetDuration == expected)
            }
        }
    }

    @Test("Segment longer than the sink's queue loses nothing")
    func longSegments() async throws {
        let folder = try HLSTestFolder()
        folder.settings.segmentDuration = .seconds(12)
        let sink = StreamingSink(.hls(folder.settings))
        sink.begin(.stereo48())
        for number in 0..<1000 {
            try sink.append(AccessUnit(number: number))
            try await Task.sleep(for: .milliseconds(1))
        }
        try sink.finish(nil)
        #expect(sink.statistics.lostUnitCount == 0)
        #expect(sink.statistics.sentUnitCount == 1000)
        #expect(try folder.playlist().segments.count == 2)
    }

    @Test("Access units faster than real time all arrive if the source waits")
    func fastUnits() throws {
        let folder = try HLSTestFolder()
        let sink = StreamingSink(.hls(folder.settings))
        sink.begin(.stereo48())
        for number in 0..<20_000 {
            sink.waitForRoom()
            try sink.append(AccessUnit(number: number))
        }
        try sink.finish(nil)
        #expect(sink.statistics.lostUnitCount == 0 && sink.statistics.sentUnitCount == 20_000)
    }

    @Test("On-demand playlist appears at the end and lists all segments")
    func onDemand() throws {
        let folder = try HLSTestFolder()
        folder.settings.playlistKind = .onDemand
        let connection = try folder.connect(HLSDestination(folder.settings))
        for number in 0..<500 { try connection.send(AccessUnit(number: number)) }
        #expect(!folder.names.contains { $0.hasSuffix("m3u8") })
        try connection.close(isComplete: true)
        let playlist = try folder.playlist()
        #expect(playlist.type == "VOD" && playlist.isFinished && playlist.segments.count == 11)
        #expect(folder.names.contains("master.m3u8"))
    }
}

/// A scripted clock.
final class Readings: @unchecked Sendable {
    private let lock = NSLock()
    private var values: [Double]
    private(set) var readCount = 0

    init(_ values: [Double]) { self.values = values }

    func next() -> Double {
        lock.withLock {
            readCount += 1
            return values.count > 1 ? values.removeFirst() : values[0]
        }
    }
}
