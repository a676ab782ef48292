// SPDX-License-Identifier: Apache-2.0

import AACCodec
import AudioContainers
import AudioConversion
import AudioDevices
import AudioMetadata
import AudioPrimitives
import Dispatch
import Foundation
import LiveAudio
import OpusCodec
import PCMFiles
import TestSupport
import Testing

@Suite struct TrackSinkTests {
    /// An encoded signal of a few seconds.
    struct Signal {
        let format: RecordingFormat
        let accessUnits: [AccessUnit]
        let gapless: GaplessInfo
        let name: String

        init(_ configuration: AudioEncoderConfiguration, name: String, frameCount: Int, seed: UInt64) throws {
            let encoder = try configuration.makeEncoder()
            var buffer = PCMBuffer(
                sampleRate: encoder.sampleRate, channelCount: encoder.channelCount, frameCapacity: frameCount)
            buffer.frameCount = frameCount
            buffer.samples = ContiguousArray(TestSignal.changing(frameCount * encoder.channelCount, sampleRate: 48_000, seed: seed))
            var accessUnits = try encoder.encode(buffer)
            let tail = try encoder.finish()
            accessUnits += tail.accessUnits
            self.accessUnits = accessUnits
            gapless = tail.gapless
            format = RecordingFormat(
                sampleRate: encoder.sampleRate, channelCount: encoder.channelCount, configuration: encoder.codecConfiguration,
                framesPerUnit: encoder.framesPerPacket, primingFrames: encoder.primingFrames)
            self.name = name
        }

        /// Fragments hold half a second.
        var unitsPerFragment: Int { Int((24_000 / Double(format.framesPerUnit)).rounded()) }
    }

    static let frameCount = 3 * 48_000 + 77

    private static let encoded = Result { try encode() }

    /// Returns AAC-LC, HE-AAC and Opus.
    static func signals(_ count: Int = 3) throws -> [Signal] { Array(try encoded.get().prefix(count)) }

    private static func encode() throws -> [Signal] {
        var efficient = AACEncoderConfiguration(sampleRate: 48_000, channelCount: 1, rateControl: .constant(bitRate: 48_000))
        efficient.profile = .highEfficiency
        let plain = AACEncoderConfiguration(sampleRate: 48_000, channelCount: 2, effort: .fast)
        return [
            try Signal(.aac(plain), name: "microphone", frameCount: frameCount, seed: 1),
            try Signal(.aac(efficient), name: "système", frameCount: frameCount, seed: 2),
            try Signal(.opus(OpusEncoderConfiguration(channelCount: 1)), name: "opus", frameCount: frameCount, seed: 3),
        ]
    }

    static func sinks(_ path: String, _ signals: [Signal], overwrites: Bool = false) throws -> [TrackSink] {
        let sinks = TrackSink.sinks(
            path: path, container: AudioFileFormat(path: path), names: signals.map(\.name), overwrites: overwrites)
        for (sink, signal) in zip(sinks, signals) { try sink.begin(signal.format) }
        return sinks
    }

    /// Appends all access units in the order of their times.
    static func append(_ signals: [Signal], to sinks: [TrackSink]) throws {
        let all = zip(sinks, signals).flatMap { sink, signal in
            signal.accessUnits.enumerated().map { (time: $0 * signal.format.framesPerUnit, unit: $1, sink: sink) }
        }
        for item in all.sorted(by: { $0.time < $1.time }) { try item.sink.append(item.unit) }
    }

    static func accessUnits(_ bytes: [UInt8], track: Int) throws -> [AccessUnit] {
        var reader = try MP4Reader(MemorySource(bytes), audioTrack: track + 1)
        var accessUnits: [AccessUnit] = []
        while let event = try reader.nextEvent() { if case .accessUnit(let unit) = event { accessUnits.append(unit.accessUnit) } }
        return accessUnits
    }

    /// Returns the mono samples that FFmpeg decodes from the tracks of a file.
    static func decoded(_ path: String, tracks: Int, in folder: TemporaryFolder) throws -> [[UInt8]] {
        let outputs = (0..<tracks).flatMap { ["-map", "0:a:\($0)", "-f", "s16le", folder.path("\($0).pcm")] }
        let run = try ProgramRun(ProgramRun.require("ffmpeg"), ["-v", "error", "-y", "-i", path] + outputs)
        try #require(run.exitCode == 0, "\(run.errorText)")
        return try (0..<tracks).map { try bytes(ofFile: folder.path("\($0).pcm")) }
    }

    @Test("Players find every track with its name, exact length and the samples of a file of its own")
    func players() throws {
        let folder = try TemporaryFolder()
        let signals = try Self.signals()
        let path = folder.path("tracks.m4a")
        let sinks = try Self.sinks(path, signals)
        // Each sink runs on its own thread.
        DispatchQueue.concurrentPerform(iterations: signals.count) { index in
            for unit in signals[index].accessUnits { try? sinks[index].append(unit) }
            try? sinks[index].finish(signals[index].gapless)
        }
        let file = try bytes(ofFile: path)
        let samples = try Self.decoded(path, tracks: signals.count, in: folder)
        for (index, signal) in signals.enumerated() {
            #expect(try Self.accessUnits(file, track: index).map(\.payload) == signal.accessUnits.map(\.payload))
            #expect(try MP4Reader(MemorySource(file), audioTrack: index + 1).metadata.gaplessInfo == signal.gapless)
            let own = folder.path("\(index).m4a")
            let sink = ContainerFileSink(path: own, container: .m4a)
            try sink.begin(signal.format)
            for unit in signal.accessUnits { try sink.append(unit) }
            try sink.finish(signal.gapless)
            #expect(signal.gapless.validFrames == Self.frameCount)
            #expect(try Self.decoded(own, tracks: 1, in: folder)[0] == samples[index], "\(signal.name)")
        }
        let report = try ProgramRun(ProgramRun.require("ffprobe"), ["-v", "error", "-show_streams", path]).text
        let lines = report.split(separator: "\n").map(String.init)
        #expect(lines.filter { $0.hasPrefix("TAG:handler_name=") } == signals.map { "TAG:handler_name=\($0.name)" })
        #expect(lines.count { $0 == "DISPOSITION:default=1" } == signals.count)
    }

    @Test("A killed recording has every track up to its last second, at any byte", arguments: [1, 2] as [UInt64])
    func killed(seed: UInt64) throws {
        let folder = try TemporaryFolder()
        let signals = try Self.signals()
        let path = folder.path("tracks.m4a")
        let sinks = try Self.sinks(path, signals)
        try Self.append(signals, to: sinks)
        let file = try bytes(ofFile: path)
        withExtendedLifetime(sinks) {}
        for (index, signal) in signals.enumerated() {
            #expect(try Self.accessUnits(file, track: index).count >= signal.accessUnits.count - signal.unitsPerFragment)
        }
        var random = SeededRandom(seed: seed)
        for round in 0..<10 {
            let cut = Array(file.prefix(Int.random(in: file.count / 2..<file.count, using: &random)))
            let counts = try signals.enumerated().map { index, signal in
                let found = try Self.accessUnits(cut, track: index).map(\.payload)
                #expect(found == signal.accessUnits.prefix(found.count).map(\.payload))
                return found.count
            }
            let seconds = zip(signals, counts).map { Double($0.format.framesPerUnit * $1) / 48_000 }
            #expect(try #require(seconds.max()) - #require(seconds.min()) <= 1, "seed \(seed): \(seconds)")
            guard round == 0 else { continue }
            let samples = try Self.decoded(folder.write(cut, to: "cut.m4a"), tracks: signals.count, in: folder)
            for (index, signal) in signals.enumerated() {
                let frames = counts[index] * signal.format.framesPerUnit - signal.format.primingFrames
                let decoded = samples[index].count / 2 / signal.format.channelCount
                // FFmpeg decodes the priming of unfinished files, and conceals a truncated access unit.
                let most = frames + signal.format.primingFrames + signal.format.framesPerUnit
                #expect((frames...most).contains(decoded), "\(signal.name): \(decoded), \(frames)")
            }
        }
    }

    @Test("A silent or slow track does not delay the others")
    func slowTrack() throws {
        let folder = try TemporaryFolder()
        let signals = try Self.signals(2)
        let path = folder.path("tracks.m4a")
        let sinks = try Self.sinks(path, signals)
        for unit in signals[0].accessUnits { try sinks[0].append(unit) }
        let count = try Self.accessUnits(bytes(ofFile: path), track: 0).count
        #expect(count >= signals[0].accessUnits.count - signals[0].unitsPerFragment)
        try sinks[0].finish(signals[0].gapless)
        #expect(try Self.accessUnits(bytes(ofFile: path), track: 0).count == signals[0].accessUnits.count)
        try sinks[1].finish(nil)
        #expect(try MP4Reader(MemorySource(bytes(ofFile: path))).metadata.gaplessInfo == signals[0].gapless)
        #expect(try Self.accessUnits(bytes(ofFile: path), track: 1).isEmpty)
    }

    @Test("Releasing a sink ends its track, and the file is completed")
    func releasedSink() throws {
        let folder = try TemporaryFolder()
        let signals = try Self.signals(2)
        let path = folder.path("tracks.m4a")
        var sinks = try Self.sinks(path, signals)
        try Self.append(signals, to: sinks)
        sinks.removeLast()
        try sinks[0].finish(signals[0].gapless)
        let file = try bytes(ofFile: path)
        for (index, signal) in signals.enumerated() {
            #expect(try Self.accessUnits(file, track: index).count == signal.accessUnits.count)
            #expect(
                try MP4Reader(MemorySource(file), audioTrack: index + 1).metadata.gaplessInfo?.primingFrames == signal.format.primingFrames)
        }
        #expect(throws: DeviceError.notRecording) { try sinks[0].append(signals[0].accessUnits[0]) }
    }

    @Test("The start fails without a trace if the file exists, has another format, or another sink fails")
    func refusals() throws {
        let folder = try TemporaryFolder()
        let signals = try Self.signals(2)
        let path = try folder.write([1, 2, 3], to: "tracks.m4a")
        let error = #expect(throws: DeviceError.self) { try Self.sinks(path, signals) }
        #expect(error?.underlyingError as? AudioFileError == AudioFileError(.outputExists, path: path))
        #expect(try bytes(ofFile: path) == [1, 2, 3])
        #expect(throws: DeviceError.unsupportedFileExtension(path: folder.path("tracks.caf"))) {
            try Self.sinks(folder.path("tracks.caf"), signals)
        }
        // The first sink has begun, the second has not.
        let half = TrackSink.sinks(path: folder.path("half.m4a"), container: .m4a, names: ["a", "b"])
        try half[0].begin(signals[0].format)
        #expect(throws: DeviceError.notRecording) { try half[0].append(signals[0].accessUnits[0]) }
        try half[0].discard()
        for sink in try Self.sinks(folder.path("whole.m4a"), signals) { try sink.discard() }
        #expect(try folder.contents == ["tracks.m4a"])
        for sink in try Self.sinks(path, signals, overwrites: true) { try sink.finish(nil) }
        #expect(try MP4Reader(MemorySource(bytes(ofFile: path))).metadata.audioTracks.count == 2)
    }

    @Test("A write error reaches every track, and ends the file after the last whole fragment")
    func fullDevice() throws {
        let signals = try Self.signals(2)
        let sinks = TrackSink.sinks(path: "/dev/full", container: .m4a, names: signals.map(\.name))
        for (sink, signal) in zip(sinks, signals) { try sink.begin(signal.format) }
        #expect(throws: AudioFileError.self) { try sinks[0].append(signals[0].accessUnits[0]) }
        #expect(throws: AudioFileError.self) { try sinks[1].append(signals[1].accessUnits[0]) }
        for sink in sinks { #expect(throws: AudioFileError.self) { try sink.finish(nil) } }
    }
}
