// SPDX-License-Identifier: Apache-2.0

import AACCodec
import AudioConversion
import AudioDevices
import AudioFiles
import AudioPrimitives
import Foundation
import LiveAudio
import PCMFiles
import TestSupport
import Testing

/// Files of a recording that are cut at the same frames.
@Suite struct SplitFileTests {
    @Test("1000 files joined are the whole recording: samples of WAV, bytes of ADTS")
    func thousandFiles() async throws {
        let folder = try TemporaryFolder()
        let samples = SplitRecording.noise(1000 * 1200 - 77)
        var configuration = SplitRecording.configuration
        let whole = try await SplitRecording.record(samples, configuration, [.file(folder.path("whole.aac"))])
        configuration.splitting = .every(.milliseconds(25))
        let split = try await SplitRecording.record(samples, configuration, [.file(folder.path("a.wav")), .file(folder.path("b.aac"))])
        #expect(split.summary.sinkFailures.isEmpty && split.summary.frameCount == samples.count)
        #expect(try folder.contents.count == 2001)
        var position = 0
        var joined: [UInt8] = []
        for number in 1...1000 {
            let part = try SplitRecording.decoded(SplitRecording.path(folder, "a", number, "wav"))
            #expect(part == Array(samples[position..<min(position + 1200, samples.count)]), "file \(number)")
            position += part.count
            joined += try bytes(ofFile: SplitRecording.path(folder, "b", number, "aac"))
        }
        #expect(position == samples.count)
        #expect(try joined == bytes(ofFile: folder.path("whole.aac")))
        #expect(whole.summary.byteCount == split.summary.byteCount)
    }

    @Test("Decoded files joined are the decoded recording, sample for sample", arguments: ["m4a", "caf"])
    func exactFiles(ending: String) async throws {
        let folder = try TemporaryFolder()
        // The last file is shorter than an access unit.
        let samples = SplitRecording.noise(30 * 4800 + 11)
        var configuration = SplitRecording.configuration
        _ = try await SplitRecording.record(samples, configuration, [.file(folder.path("whole.\(ending)"))])
        configuration.splitting = .every(.milliseconds(100))
        _ = try await SplitRecording.record(samples, configuration, [.file(folder.path("part.\(ending)"))])
        #expect(try folder.contents.count == 32)
        let parts = try (1...31).map { try SplitRecording.decoded(SplitRecording.path(folder, "part", $0, ending)) }
        #expect(parts.map(\.count) == Array(repeating: 4800, count: 30) + [11])
        #expect(try parts.flatMap { $0 } == SplitRecording.decoded(folder.path("whole.\(ending)")))
    }

    @Test("Files of xHE-AAC start with an access point", arguments: ["m4a", "loas"])
    func accessPoints(ending: String) async throws {
        let folder = try TemporaryFolder()
        let samples = SplitRecording.noise(20 * 4800)
        var configuration = SplitRecording.configuration
        configuration.settings.profile = .extendedHighEfficiency
        configuration.settings.rateControl = .average(bitRate: 64_000)
        configuration.settings.accessPointInterval = 0.5
        configuration.settings.statedLoudness = -20
        _ = try await SplitRecording.record(samples, configuration, [.file(folder.path("whole.\(ending)"))])
        configuration.splitting = .every(.milliseconds(300))
        _ = try await SplitRecording.record(samples, configuration, [.file(folder.path("part.\(ending)"))])
        let whole = try SplitRecording.decoded(folder.path("whole.\(ending)"))
        let parts = try (1...7).map { try SplitRecording.decoded(SplitRecording.path(folder, "part", $0, ending)) }
        for number in 1...7 {
            let probe = try ProbeSummary(contentsOf: SplitRecording.path(folder, "part", number, ending), decodes: true)
            #expect(probe.isIntact, "part \(number)")
        }
        guard ending == "m4a" else { return }
        #expect(parts.flatMap { $0 } == whole)
    }

    @Test("Files shorter than an access unit are exact")
    func shortFiles() async throws {
        let folder = try TemporaryFolder()
        let samples = SplitRecording.noise(9000)
        var configuration = SplitRecording.configuration
        _ = try await SplitRecording.record(samples, configuration, [.file(folder.path("whole.m4a"))])
        configuration.splitting = .every(.milliseconds(5))
        _ = try await SplitRecording.record(samples, configuration, [.file(folder.path("part.m4a")), .file(folder.path("part.aac"))])
        let parts = try (1...38).map { try SplitRecording.decoded(SplitRecording.path(folder, "part", $0, "m4a")) }
        #expect(try parts.flatMap { $0 } == SplitRecording.decoded(folder.path("whole.m4a")))
        #expect(parts.map(\.count) == Array(repeating: 240, count: 37) + [120])
        // ADTS files have at least one access unit each.
        for name in try folder.contents where name.hasSuffix("aac") { #expect(try !bytes(ofFile: folder.path(name)).isEmpty) }
    }

    @Test("Files of codecs with memory have exact lengths", arguments: [true, false])
    func lengths(isOpus: Bool) async throws {
        let folder = try TemporaryFolder()
        let samples = SplitRecording.noise(48_000)
        var configuration = SplitRecording.configuration
        configuration.settings.profile = .highEfficiency
        configuration.settings.rateControl = .average(bitRate: 40_000)
        if isOpus { configuration.codec = .opus(OpusParameters()) }
        configuration.splitting = .every(.milliseconds(250))
        let ending = isOpus ? "opus" : "m4a"
        let path = folder.path("part.\(ending)")
        let sink = RecorderSink.accessUnits(to: ContainerFileSink(path: path, container: isOpus ? .oggOpus : .m4a))
        let recording = try await SplitRecording.record(samples, configuration, [sink])
        #expect(recording.summary.sinkFailures.isEmpty)
        for number in 1...4 {
            #expect(try SplitRecording.decoded(SplitRecording.path(folder, "part", number, ending)).count == 12_000)
        }
    }

    @Test("A file is complete and reported before the next one is")
    func events() async throws {
        let folder = try TemporaryFolder()
        var configuration = SplitRecording.configuration
        configuration.splitting = .every(.milliseconds(500))
        let recording = try await SplitRecording.record(SplitRecording.noise(60_000), configuration, [.file(folder.path("a.m4a"))])
        var lines: [String] = []
        for event in recording.events {
            switch event {
            case .fileStarted(let path, _): lines.append("+ \(path)")
            case .fileFinished(let path, let start, let duration): lines.append("- \(path) \(start) \(duration)")
            default: break
            }
        }
        let paths = ["a.m4a", "a-2.m4a", "a-3.m4a"].map { folder.path($0) }
        let spans = ["0.0 seconds 0.5 seconds", "0.5 seconds 0.5 seconds", "1.0 seconds 0.25 seconds"]
        #expect(lines == zip(paths, spans).flatMap { ["+ \($0)", "- \($0) \($1)"] })
    }

    @Test("An existing later file is kept, and the next number is used")
    func existingFiles() async throws {
        let folder = try TemporaryFolder()
        let other = try folder.write([1, 2, 3], to: "a-2.wav")
        var configuration = SplitRecording.configuration
        configuration.splitting = .every(.milliseconds(100))
        let samples = SplitRecording.noise(9600)
        _ = try await SplitRecording.record(samples, configuration, [.file(folder.path("a.wav"))])
        #expect(try bytes(ofFile: other) == [1, 2, 3])
        #expect(try folder.contents == ["a-2.wav", "a-3.wav", "a.wav"])
        let error = await #expect(throws: DeviceError.self) {
            _ = try await SplitRecording.record(samples, configuration, [.file(folder.path("a.wav"))])
        }
        #expect(error?.underlyingError as? AudioFileError == AudioFileError(.outputExists, path: folder.path("a.wav")))
        _ = try await SplitRecording.record(samples, configuration, [.file(folder.path("a.wav"), overwrites: true)])
        #expect(try folder.contents == ["a-2.wav", "a-3.wav", "a.wav"])
        #expect(try SplitRecording.decoded(other) == Array(samples[4800...]))
    }

    @Test("Names contain the local start time of each file, across midnight, and folders are created")
    func datedNames() async throws {
        let folder = try TemporaryFolder()
        var configuration = SplitRecording.configuration
        configuration.splitting = RecordingSplit()
        let time = try #require(DayTime("00:00"))
        configuration.splitting?.times = [time]
        // The recording starts up to a minute before midnight.
        let now = WallClock().time(at: HostClock.now)
        let midnight = try #require(WallClock.next([time], after: now))
        configuration.wallClock.shift = .seconds(midnight - now - 60)
        let sink = PCMFileSink(path: folder.path("%Y/%m-%d/%H.wav"), isPattern: true)
        let recording = try await SplitRecording.record(
            [Float](repeating: 0.5, count: 960_000), sampleRate: 8000, configuration, [.samples(to: sink)])
        #expect(recording.summary.sinkFailures.isEmpty)
        let first = folder.path(WallClock.text("%Y/%m-%d", at: midnight - 1)) + "/23.wav"
        let second = folder.path(WallClock.text("%Y/%m-%d", at: midnight)) + "/00.wav"
        let counts = try [first, second].map { path in try AudioFile(path: path).frameCount ?? 0 }
        #expect(counts.reduce(0, +) == 960_000)
        let starts = recording.events.compactMap { if case .fileStarted(_, let time) = $0 { time } else { nil } }
        #expect(starts.count == 2 && starts.last == .seconds(midnight))
    }

    @Test("Files that start in the same second get numbers")
    func equalNames() async throws {
        let folder = try TemporaryFolder()
        var configuration = SplitRecording.configuration
        configuration.splitting = .every(.milliseconds(100))
        let sink = PCMFileSink(path: folder.path("take %%%Y.wav"), overwrites: true, isPattern: true)
        let recording = try await SplitRecording.record(SplitRecording.noise(14_400), configuration, [.samples(to: sink)])
        let year = WallClock.text("%Y", at: WallClock().time(at: HostClock.now))
        #expect(try folder.contents == ["take %\(year)-2.wav", "take %\(year)-3.wav", "take %\(year).wav"])
        #expect(recording.summary.sinkFailures.isEmpty)
    }

    @Test("An error in a later file leaves the earlier files complete and other outputs whole")
    func laterError() async throws {
        let folder = try TemporaryFolder()
        var configuration = SplitRecording.configuration
        configuration.splitting = .every(.milliseconds(100))
        let samples = SplitRecording.noise(14_400)
        try FileManager.default.createSymbolicLink(atPath: folder.path("full-2.wav"), withDestinationPath: "/dev/full")
        let sinks: [RecorderSink] = [.file(folder.path("full.wav"), overwrites: true), .file(folder.path("good.wav"))]
        let recording = try await SplitRecording.record(samples, configuration, sinks)
        #expect(recording.summary.sinkFailures.keys.sorted() == [folder.path("full.wav")])
        let failure = recording.summary.sinkFailures[folder.path("full.wav")]
        #expect((failure?.underlyingError as? AudioFileError)?.code == .noSpace)
        #expect(try SplitRecording.decoded(folder.path("full.wav")) == Array(samples[..<4800]))
        let parts = try (1...3).map { try SplitRecording.decoded(SplitRecording.path(folder, "good", $0, "wav")) }
        #expect(parts.flatMap { $0 } == samples)
    }

    @Test("No file exceeds the size at which the recording continues in another", arguments: ["m4a", "aac", "wav"])
    func sizes(ending: String) async throws {
        let folder = try TemporaryFolder()
        var configuration = SplitRecording.configuration
        configuration.settings.rateControl = .constant(bitRate: 64_000)
        configuration.splitting = RecordingSplit()
        configuration.splitting?.byteCount = 30_000
        let recording = try await SplitRecording.record(SplitRecording.noise(400_000), configuration, [.file(folder.path("a.\(ending)"))])
        #expect(recording.summary.sinkFailures.isEmpty)
        let sizes = try folder.contents.map { try bytes(ofFile: folder.path($0)).count }.sorted()
        #expect(sizes.count > 2 && sizes.dropFirst().allSatisfy { (20_000...30_000).contains($0) }, "\(sizes)")
    }
}
