// SPDX-License-Identifier: Apache-2.0

import AudioDevices
import AudioPrimitives
import Foundation
import TestSupport
import Testing

/// Captures of one program, by its name, binary, identifier or process ID.
@Suite(.serialized) struct ProgramCaptureTests {
    private static let frequencies = (own: 1000.0, other: 2700.0)
    private static let waiting = CaptureEvent.interrupted(.programNotPlaying)

    @Test("One of two programs is captured, the other at least 80 dB down and both unchanged", arguments: SoundServer.Kind.available)
    func separation(kind: SoundServer.Kind) async throws {
        let server = try SoundServer(kind)
        let first = try Self.play(Self.frequencies.own, as: "First", on: server)
        let second = try Self.play(Self.frequencies.other, as: "Second", on: server)
        defer { for program in [first, second] { program.end() } }
        let before = try await Self.routes(server)
        let (capture, record) = try await Self.capture("app:FIRST", on: server)
        #expect(await Wait.until { record.frames >= 72_000 })
        #expect(try await Self.routes(server) == before)
        await capture.stop()
        #expect(try await Self.routes(server) == before)
        let own = Self.level(Self.frequencies.own, record.floats.suffix(96_000))
        let other = Self.level(Self.frequencies.other, record.floats.suffix(96_000))
        #expect(abs(own + 12.04) < 0.1 && other < own - 80, "\(own) dB and \(other) dB")
        let programs = try PulseCaptureBackend(server: server.address).programs()
        #expect(Set(programs.map(\.id)).isSuperset(of: ["app:First", "app:Second"]))
        let listed = try #require(programs.first { $0.id == "app:First" })
        #expect(listed.binary == "pacat" && listed.processID != nil && listed.outputs == ["stereomic"] && !listed.isCorked)
    }

    @Test("Streams of one program are added up while they run", arguments: SoundServer.Kind.available)
    func sum(kind: SoundServer.Kind) async throws {
        let server = try SoundServer(kind)
        let first = try Self.play(Self.frequencies.own, as: "Twin", on: server)
        defer { first.end() }
        #expect(try await Wait.until { try PulseCaptureBackend(server: server.address).programs().contains { $0.id == "app:Twin" } })
        let (capture, record) = try await Self.capture("app:twin", on: server)
        #expect(await Wait.until { record.frames >= 24_000 })
        let second = try Self.play(Self.frequencies.other, as: "Twin", on: server)
        func levels() -> (Double, Double) {
            let latest = record.floats.suffix(48_000)
            return (Self.level(Self.frequencies.own, latest), Self.level(Self.frequencies.other, latest))
        }
        #expect(await Wait.until { levels().0 > -12.2 && levels().1 > -12.2 }, "\(levels())")
        second.end()
        #expect(await Wait.until { levels().0 > -12.2 && levels().1 < -80 }, "\(levels())")
        await capture.stop()
        #expect(!record.events.contains(Self.waiting))
        #expect(kind == .pipewire || capture.statistics.discontinuities == 0)
    }

    @Test("Waiting for a program is silence of the right length", arguments: SoundServer.Kind.available)
    func lateStart(kind: SoundServer.Kind) async throws {
        let server = try SoundServer(kind)
        let (capture, record) = try await Self.capture("app:late", on: server)
        try await record.wait(for: "waiting") { $0 == Self.waiting }
        let start = HostClock.now
        #expect(capture.state == .interrupted(.programNotPlaying))
        try await Task.sleep(for: .seconds(1))
        let program = try Self.play(Self.frequencies.own, as: "Late", on: server)
        defer { program.end() }
        try await record.wait(for: "resumed") { $0 == .resumed }
        let heard = record.filledFrames + 48_000
        #expect(await Wait.until { record.frames > heard && record.frames > 96_000 })
        await capture.stop()
        #expect(record.breaks == 0 && record.filledFrames > 40_000)
        // The timeline starts when the capture reports the wait, and each frame arrives at its time on it, after the server's delay.
        let end = try #require(record.fillings.last?.upperBound)
        let lag = try #require(record.minimumLag(in: end..<record.frames))
        #expect((-60_000_000..<300_000_000).contains(lag - start), "\(Double(lag - start) / 1e6) ms")
    }

    @Test("Restarted program is captured again, and the pause has the right length", arguments: SoundServer.Kind.available)
    func restart(kind: SoundServer.Kind) async throws {
        let recording = try await ServerRecording(kind) { $0.device = "app:pacat" }
        await recording.listen(seconds: 1)
        recording.player.end()
        try await recording.record.wait(for: "waiting") { $0 == Self.waiting }
        try await Task.sleep(for: .seconds(1))
        let program = try recording.server.play(CountedSignal.long, to: "stereomic", channels: 2)
        defer { program.end() }
        try await recording.record.wait(for: "resumed") { $0 == .resumed }
        await recording.stopAndCompareClock()
        #expect(recording.capture.statistics.filledFrames > 40_000)
        #expect(recording.capture.statistics.openings == 1)
    }

    @Test("Stream is followed to other outputs, and its timeline too", arguments: SoundServer.Kind.available)
    func move(kind: SoundServer.Kind) async throws {
        let recording = try await ServerRecording(kind) { $0.device = "app:pacat" }
        try await recording.server.addOutput("second")
        await recording.listen(seconds: 1)
        let waiting = recording.record.filledFrames
        let stream = try recording.server.playbackStream("application.name = \"pacat\"")
        // PipeWire disconnects record streams only if the number of channels changes. After some such moves it can deliver only zeros.
        let outputs = ["mic", "second", "mic", "stereomic", "mic", "second"]
        for output in outputs {
            try recording.server.control("move-sink-input", stream, output)
            await recording.listen(seconds: 0.5)
        }
        await recording.stopAndCompareNumbers()
        #expect(recording.capture.statistics.filledFrames - waiting < outputs.count * 12_000)
        #expect(!recording.record.events.contains { if case .stalled = $0 { true } else { false } })
        #expect(recording.capture.statistics.openings == 1)
    }

    @Test("Paused program interrupts the capture, and the timeline continues")
    func corked() async throws {
        // Only PulseAudio has a module that pauses programs. The program is this one.
        let server = try SoundServer(.pulseaudio)
        try server.control("load-module", "module-role-cork")
        let device = try PulsePlaybackBackend(
            PlaybackConfiguration(device: "stereomic", sampleRate: 48_000, channelCount: 2), server: server.address)
        defer { device.close() }
        let (capture, record) = try await Self.capture("app:org.linnet", on: server)
        let start = HostClock.now
        let sound = [Float](repeating: 0.25, count: 96_000)
        func play() throws { _ = try device.write(sound.span.bytes, timeout: .milliseconds(100)) }
        #expect(
            try await Wait.until {
                try play(); return record.floats.last == 0.25
            })
        let call = try server.play(
            [Int16](repeating: 0, count: 96_000 * 60), to: "stereomic", channels: 2, properties: ["media.role=phone"])
        try await record.wait(for: "waiting") { $0 == Self.waiting }
        #expect(await Wait.until { record.floats.last == 0 })
        let resumptions = record.events.count { $0 == .resumed }
        call.end()
        #expect(
            try await Wait.until {
                try play(); return record.floats.last == 0.25
            })
        #expect(record.events.count { $0 == .resumed } == resumptions + 1)
        await capture.stop()
        let elapsed = Double(HostClock.now - start) * 48_000 / 1e9
        #expect(abs(Double(record.frames) - elapsed) < 24_000 && record.breaks == 0, "\(record.frames) of \(elapsed)")
    }

    // MARK: Parts

    /// Plays a tone of 12 dB below full scale.
    private static func play(_ frequency: Double, as name: String, on server: SoundServer) throws -> PlayingProgram {
        let tone = (0..<48_000).map { Int16((8192 * sin(2 * .pi * frequency * Double($0) / 48_000)).rounded()) }
        var samples = tone.flatMap { [$0, $0] }
        // More than a minute.
        for _ in 0..<6 { samples += samples }
        return try server.play(samples, to: "stereomic", channels: 2, properties: ["application.name=\(name)"])
    }

    private static func capture(_ device: String, on server: SoundServer) async throws -> (AudioCapture, CaptureRecord) {
        let capture = AudioCapture(CaptureConfiguration(device: device), source: .pulseAudio(server: server.address))
        let record = CaptureRecord(capture)
        try await capture.start { record.take($0) }
        return (capture, record)
    }

    /// The level of a frequency in a second or less of interleaved stereo, in decibels of full scale.
    private static func level(_ frequency: Double, _ samples: ArraySlice<Float>) -> Double {
        var (real, imaginary) = (0.0, 0.0)
        for (frame, index) in stride(from: samples.startIndex, to: samples.endIndex, by: 2).enumerated() {
            let angle = 2 * .pi * frequency * Double(frame) / 48_000
            real += Double(samples[index]) * cos(angle)
            imaginary += Double(samples[index]) * sin(angle)
        }
        let frames = Double(max(samples.count / 2, 1))
        return 20 * log10(max(2 * (real * real + imaginary * imaginary).squareRoot() / frames, 1e-9))
    }

    /// Returns the outputs, volumes and mute states of all playback streams, once both programs play.
    private static func routes(_ server: SoundServer) async throws -> [String] {
        func lines() throws -> [String] {
            try server.control("list", "sink-inputs").split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
                .filter { line in ["Sink:", "Volume:", "Mute:", "Corked:"].contains { line.hasPrefix($0) } }
        }
        #expect(try await Wait.until { try lines().count >= 8 && !lines().contains("Sink: 4294967295") })
        return try lines()
    }
}
