// SPDX-License-Identifier: Apache-2.0

import AudioDevices
import AudioPrimitives
import Foundation
import Synchronization
import TestSupport
import Testing

@Suite(.serialized) struct EchoCancellingBackendTests {
    /// Whether to check levels.
    ///
    /// Playback keeps its pace only if program and server do, not in a build that runs many times slower.
    private static let checksLevels = ProcessInfo.processInfo.environment["LINNET_SKIP_SOUND_LEVELS"] == nil

    @Test("Removes the echo on a real server", arguments: SoundServer.Kind.available)
    func live(kind: SoundServer.Kind) async throws {
        let server = try SoundServer(kind)
        let witness = SchedulingWitness(server.processes + [getpid()])
        // The signal of the loudspeaker `stereomic` returns at the microphone, later and attenuated.
        try await server.makeDefaultOutput("stereomic")
        try server.control("load-module", "module-loopback", "source=stereomic.monitor", "sink=mic", "latency_msec=60", "adjust_time=0")
        var configuration = CaptureConfiguration(device: "vmic", sampleRate: 48_000, channelCount: 1)
        configuration.bufferDuration = .milliseconds(10)
        let backend = EchoCancellingBackend(
            microphone: PulseCaptureBackend(server: server.address), monitor: PulseCaptureBackend(server: server.address))
        let capture = AudioCapture(configuration, source: .backend(backend))
        let record = CaptureRecord(capture)
        let started = Date.now
        try await capture.start { record.take($0) }
        let opening = Date.now.timeIntervalSince(started)
        #expect(capture.format?.pcm == PCMFormat(.float32, channelCount: 1))
        let room = EchoSimulation.voice(seconds: 9)
        let player = try server.play(room, to: "stereomic", channels: 1, rate: 16_000)
        #expect(await Wait.until { !player.isPlaying })
        let least = Date.now.timeIntervalSince(started) - opening
        #expect(await Wait.until { Double(record.frames) / 48_000 >= least })
        await capture.stop()
        let most = Date.now.timeIntervalSince(started)
        #expect(Double(record.frames) / 48_000 < most + 0.3)
        #expect(record.breaks == 0 && capture.statistics.lostFrames == 0)
        expectLevel(Self.levels(record.floats)[2], below: -40, witness, kind)
    }

    /// Expects a maximum level in decibels, provided that the threads of the server and of this program got a processor.
    ///
    /// A machine that keeps them waiting slows the server down for longer than the canceller can follow. Such a result is printed.
    private func expectLevel(_ level: Double, below limit: Double, _ witness: SchedulingWitness, _ kind: SoundServer.Kind) {
        let waited = witness.seconds
        if level >= limit { print("\(Test.current?.name ?? ""), \(kind): \(level) dB, \(waited) s waited for a processor") }
        #expect(level < limit || !Self.checksLevels || waited > 0.5)
    }

    /// The levels of the last five seconds in decibels, in ascending order.
    ///
    /// Without a reference, each second of the voice has -18 to -25 dB.
    private static func levels(_ samples: [Float]) -> [Double] {
        (0..<5).map { second in
            let part = samples.dropLast(second * 48_000).suffix(48_000)
            return 10 * log10(part.reduce(1e-12) { $0 + Double($1) * Double($1) } / Double(max(part.count, 1)))
        }.sorted()
    }

    @Test("Follows the default output", arguments: SoundServer.Kind.available)
    func followsDefaultOutput(kind: SoundServer.Kind) async throws {
        let server = try SoundServer(kind)
        let witness = SchedulingWitness(server.processes + [getpid()])
        try server.control("load-module", "module-null-sink", "sink_name=second", "rate=48000", "channels=1", "channel_map=mono")
        try await server.makeDefaultOutput("stereomic")
        for output in ["stereomic", "second"] {
            try server.control("load-module", "module-loopback", "source=\(output).monitor", "sink=mic", "latency_msec=60", "adjust_time=0")
        }
        let backend = EchoCancellingBackend(
            microphone: PulseCaptureBackend(server: server.address), monitor: PulseCaptureBackend(server: server.address))
        let capture = AudioCapture(CaptureConfiguration(device: "vmic", sampleRate: 48_000, channelCount: 1), source: .backend(backend))
        let record = CaptureRecord(capture)
        try await capture.start { record.take($0) }
        #expect(await Wait.until { record.frames > 24_000 })
        try await server.makeDefaultOutput("second")
        try await expectFollowed(["second"], record)
        let player = try server.play(EchoSimulation.voice(seconds: 9), to: "second", channels: 1, rate: 16_000)
        #expect(await Wait.until { !player.isPlaying })
        // Removing the current default output makes the server choose another one.
        let module = try #require(
            try server.control("list", "short", "modules").split(separator: "\n").first { $0.contains("sink_name=second") })
        let frames = record.frames
        try server.control("unload-module", String(module.prefix { $0.isNumber }))
        try await expectFollowed(["mic", "stereomic"], record)
        #expect(await Wait.until { record.frames > frames + 48_000 })
        await capture.stop()
        #expect(record.breaks == 0 && record.filledFrames == 0 && capture.statistics.openings == 1, "\(record.events)")
        // A reference that is not followed would cancel nothing.
        expectLevel(Self.levels(Array(record.floats[..<frames]))[2], below: -40, witness, kind)
    }

    private func expectFollowed(_ outputs: [String], _ record: CaptureRecord) async throws {
        let changes = outputs.map {
            CaptureEvent.routeChanged(RouteChange(reason: .routeConfigurationChange, old: "vmic", new: "vmic", subject: $0))
        }
        try await record.wait(for: "\(changes)") { changes.contains($0) }
    }

    @Test("Cancels a reference that arrives late", arguments: [0, 30, 80])
    func lateReference(milliseconds: Int) async throws {
        let rate = EchoSimulation.rate
        let played = EchoSimulation.voice(seconds: 6).map { Float($0) / 32_768 }
        let opening = ScriptedBackend.Opening(sampleRate: rate)
        let (microphone, monitor) = (ScriptedBackend([opening]), ScriptedBackend([opening]))
        let backend = EchoCancellingBackend(
            microphone: microphone, monitor: monitor, options: EchoCancellationOptions(reference: "monitor"))
        let capture = AudioCapture(CaptureConfiguration(sampleRate: rate, channelCount: 1), source: .backend(backend))
        let record = CaptureRecord(capture)
        try await capture.start { record.take($0) }
        let (near, far) = (try #require(microphone.input), try #require(monitor.input))
        // The echo arrives 60 ms after playback.
        let (chunk, echoDelay, lag) = (rate / 50, rate * 60 / 1000, rate * milliseconds / 1000)
        let start = (host: HostClock.now, clock: ContinuousClock.now)
        try await onThread {
            for first in stride(from: 0, to: played.count, by: chunk) {
                let due = start.clock + .seconds(Double(first + chunk) / Double(rate))
                Thread.sleep(forTimeInterval: max(0, ContinuousClock.now.duration(to: due) / .seconds(1)))
                for (input, delay, lag) in [(near, echoDelay, 0), (far, 0, lag)] {
                    let samples = (first..<first + chunk).map { $0 - lag < delay ? 0 : played[$0 - lag - delay] }
                    let time = start.host + Int64(first - lag) * 1_000_000_000 / Int64(rate)
                    input.write(samples.span.bytes, hostTime: time)
                }
            }
        }
        await capture.stop()
        #expect(record.frames == played.count && record.breaks == 0)
        let last = record.floats.suffix(2 * rate)
        let level = 10 * log10(last.reduce(1e-12) { $0 + Double($1) * Double($1) } / Double(last.count))
        #expect(level < -40 || !Self.checksLevels, "\(level) dB")
    }

    @Test("Missing reference throws", arguments: SoundServer.Kind.available)
    func noReference(kind: SoundServer.Kind) async throws {
        let server = try SoundServer(kind)
        let backend = EchoCancellingBackend(
            microphone: PulseCaptureBackend(server: server.address), monitor: PulseCaptureBackend(server: server.address),
            options: EchoCancellationOptions(reference: "nothing"))
        let capture = AudioCapture(CaptureConfiguration(), source: .backend(backend))
        let error = await #expect(throws: DeviceError.self) { try await capture.start { _ in } }
        guard case .deviceNotFound("nothing", _) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }
}
