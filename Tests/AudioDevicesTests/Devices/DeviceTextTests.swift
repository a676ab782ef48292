// SPDX-License-Identifier: Apache-2.0

import AudioDevices
import AudioPrimitives
import TestSupport
import Testing

@Suite struct DeviceTextTests {
    @Test("Every route change reason has a description")
    func reasons() {
        #expect(RouteChangeReason.allCases.map(\.rawValue) == [0, 1, 2, 3, 4, 6, 7, 8])
        #expect(
            RouteChangeReason.allCases.map(\.description) == [
                "The reason for the change is unknown.",
                "A preferred new audio output path is now available.",
                "The previous audio output path is no longer available.",
                "The category of the session object changed.",
                "The output route was overridden by the app.",
                "The route changed when the device woke up from sleep.",
                "The route changed because no suitable route is now available for the specified category.",
                "The configuration of the current route changed.",
            ])
    }

    @Test("Describes every failed step of every system with its code", arguments: DeviceStep.allCases)
    func steps(step: DeviceStep) {
        for backend in AudioBackendKind.allCases {
            let text = DeviceError.failed(step, backend, code: -22).description
            #expect(text.contains(step.rawValue) && text.contains("-22"), "\(text)")
        }
        let apple = DeviceError.failed(step, .coreAudio, code: 1_718_449_215).description
        #expect(apple == "Core Audio failed to \(step.rawValue): 'fmt?' (1718449215)")
    }

    @Test("Errors suggest a remedy")
    func wayOut() {
        #expect(DeviceError.libraryMissing(.pulseAudio).description == "libpulse.so.0 is not installed; install the package libpulse0")
        #expect(DeviceError.noServer(.pulseAudio, code: 6).description.contains("start pulseaudio or pipewire-pulse, or set PULSE_SERVER"))
        #expect(DeviceError.noDevice(.alsa, .input).description.contains("connect a microphone"))
        #expect(DeviceError.deviceNotFound("x", available: ["a", "b"]).description == "unknown device “x”; available devices: a, b")
        #expect(DeviceError.file(path: "f", code: 2).description == "f: No such file or directory (2)")
        #expect(DeviceError.permissionDenied.description.hasSuffix("in the system settings under Privacy & Security, Microphone"))
        #expect(DeviceError.unsupportedSetting(.sampleRate(7)).description == "a sample rate of 7 Hz is not supported")
    }

    @Test("Systems without permissions grant recording")
    func permission() async {
        #expect(RecordPermission.current == .granted)
        #expect(await RecordPermission.request() == .granted)
    }

    @Test("Out-of-range settings throw before a device is opened")
    func settings() async {
        func refused(_ change: (inout CaptureConfiguration) -> Void) async -> DeviceError? {
            let backend = ScriptedBackend()
            let capture = AudioCapture.scripted(backend, change)
            let error = await #expect(throws: DeviceError.self) { try await capture.start { _ in } }
            #expect(backend.starts == 0)
            return error
        }
        #expect(await refused { $0.sampleRate = 10 } == .unsupportedSetting(.sampleRate(10)))
        #expect(await refused { $0.channelCount = 0 } == .unsupportedSetting(.channelCount(0)))
        #expect(await refused { $0.selectedChannels = [-1] } == .unsupportedSetting(.selectedChannels([-1])))
        #expect(await refused { $0.sampleFormat = .float64 } == .unsupportedSetting(.sampleFormat(.float64)))
        #expect(await refused { $0.bufferDuration = .zero } == .unsupportedSetting(.bufferDuration(.zero)))
        #expect(await refused { $0.queueDuration = .seconds(1000) } == .unsupportedSetting(.queueDuration(.seconds(1000))))
        #expect(await refused { $0.gain = .infinity } == .unsupportedSetting(.gain(.infinity)))
    }

    @Test func `Errors compare by description`() {
        struct Opaque: Error { var number = 0 }
        let errors: [DeviceError] = (0..<2).flatMap { _ in
            [
                .cancelled, .notRecording, .file(path: "a", code: 2), .file(path: "a", code: 3), .noBackend([.cancelled]),
                .encoding(Opaque(number: 1)), .encoding(Opaque(number: 2)), .sinkFailed(name: "a", underlying: Opaque(number: 1)),
            ]
        }
        let violations = ValueLaws.hashViolations(errors)
        #expect(violations.isEmpty, "\(violations.prefix(3))")
        #expect(DeviceError.encoding(Opaque(number: 1)) != .encoding(Opaque(number: 2)))
    }
}
