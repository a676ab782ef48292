// SPDX-License-Identifier: Apache-2.0

import AudioDevices
import AudioPrimitives
import Foundation
import Testing

@Suite(.serialized) struct StartErrorTests {
    @Test("Missing server throws with a remedy instead of delivering silence")
    func noServer() async throws {
        let capture = AudioCapture(CaptureConfiguration(), source: .pulseAudio(server: "unix:/nowhere/native"))
        let error = await #expect(throws: DeviceError.self) { try await capture.start { _ in } }
        #expect(error == .noServer(.pulseAudio, code: 6))
        #expect(error.map { "\($0)" }?.contains("start pulseaudio") == true)
        #expect(error.map { capture.state == .failed($0) } == true)
        await capture.stop()
    }

    @Test("Unknown device throws with the available devices", arguments: SoundServer.Kind.available)
    func noSuchDevice(kind: SoundServer.Kind) async throws {
        let server = try SoundServer(kind)
        let capture = AudioCapture(CaptureConfiguration(device: "nothing"), source: .pulseAudio(server: server.address))
        let error = await #expect(throws: DeviceError.self) { try await capture.start { _ in } }
        guard case .deviceNotFound("nothing", let available) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(available.contains("vmic") && available.contains("vstereo"))
    }

    @Test("Server with only monitors has no input", arguments: SoundServer.Kind.available)
    func onlyMonitors(kind: SoundServer.Kind) async throws {
        let server = try SoundServer(kind)
        try await server.makeDefault("mic.monitor")
        let capture = AudioCapture(CaptureConfiguration(), source: .pulseAudio(server: server.address))
        await #expect(throws: DeviceError.noDevice(.pulseAudio, .input)) { try await capture.start { _ in } }
    }

    @Test("Reads back actual values; missing channels throw", arguments: SoundServer.Kind.available)
    func formats(kind: SoundServer.Kind) async throws {
        let server = try SoundServer(kind)
        var configuration = CaptureConfiguration(device: "vstereo", sampleRate: 44_100, channelCount: 1)
        let backend = PulseCaptureBackend(server: server.address)
        let capture = AudioCapture(configuration, source: .backend(backend))
        try await capture.start { _ in }
        #expect(capture.format?.sampleRate == 44_100)
        #expect(capture.format?.nativeSampleRate == 48_000)
        #expect(capture.format?.pcm.channelCount == 1)
        await capture.stop()
        configuration.selectedChannels = [1, 2]
        await #expect(throws: DeviceError.unsupportedSetting(.selectedChannels([2]))) {
            try await AudioCapture(configuration, source: .backend(backend)).start { _ in }
        }
        configuration.selectedChannels = [1]
        let second = AudioCapture(configuration, source: .backend(backend))
        try await second.start { _ in }
        #expect(second.format?.pcm.channelCount == 1)
        await second.stop()
    }

    @Test("Lists inputs and outputs with the defaults", arguments: SoundServer.Kind.available)
    func devices(kind: SoundServer.Kind) throws {
        let server = try SoundServer(kind)
        let devices = try PulseCaptureBackend(server: server.address).devices()
        let microphone = try #require(devices.first { $0.id == "vmic" })
        #expect(microphone.isDefault && !microphone.isMonitor && microphone.direction == .input)
        #expect(microphone.sampleRate == 48_000 && microphone.channelCount == 1)
        let monitor = try #require(devices.first { $0.id == "stereomic.monitor" })
        #expect(monitor.isMonitor && !monitor.isDefault && monitor.channelCount == 2)
        #expect(devices.contains { $0.id == "mic" && $0.direction == .output && $0.isDefault })
    }
}
