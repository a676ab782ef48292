// SPDX-License-Identifier: Apache-2.0

import AudioDevices
import AudioPrimitives
import Testing

@Suite struct AutomaticCaptureBackendTests {
    private final class ListedBackend: CaptureBackend {
        let kind: AudioBackendKind
        private let listed: [AudioDevice]

        init(_ kind: AudioBackendKind, monitors: [String] = [], inputs: [String] = []) {
            self.kind = kind
            listed =
                monitors.map { AudioDevice(backend: kind, id: $0, name: $0, direction: .input, isMonitor: true) }
                + inputs.map { AudioDevice(backend: kind, id: $0, name: $0, direction: .input) }
                + [AudioDevice(backend: kind, id: "out", name: "out", direction: .output)]
        }

        func devices() -> [AudioDevice] { listed }
        func start(_ configuration: CaptureConfiguration, into input: CaptureInput) throws(DeviceError) {}
        func stop() {}
    }

    @Test("Named monitor selects its system; without a name, systems with only monitors are skipped")
    func namedMonitor() throws {
        let pulse = ListedBackend(.pulseAudio, monitors: ["nul.monitor"])
        let alsa = ListedBackend(.alsa, inputs: ["default"])
        let systems: [any CaptureBackend] = [pulse, alsa]
        #expect(try AutomaticCaptureBackend.automatic(device: "nul.monitor", among: systems).kind == .pulseAudio)
        #expect(try AutomaticCaptureBackend.automatic(device: nil, among: systems).kind == .alsa)
        #expect(try AutomaticCaptureBackend.automatic(device: "default", among: systems).kind == .alsa)
        // Without a match, the system that would be used without a name reports its devices.
        #expect(try AutomaticCaptureBackend.automatic(device: "other", among: systems).kind == .alsa)
        #expect(try AutomaticCaptureBackend.automatic(device: "nul.monitor", among: [pulse]).kind == .pulseAudio)
        #expect(throws: DeviceError.noBackend([.noDevice(.pulseAudio, .input)])) {
            try AutomaticCaptureBackend.automatic(device: "out", among: [pulse])
        }
    }

    /// A system that is not available.
    private final class MissingBackend: CaptureBackend {
        let kind = AudioBackendKind.pulseAudio

        func devices() throws(DeviceError) -> [AudioDevice] { throw .libraryMissing(.pulseAudio) }
        func start(_ configuration: CaptureConfiguration, into input: CaptureInput) throws(DeviceError) {}
        func stop() {}
    }

    @Test func `Missing system is an error only if no other system has devices`() throws {
        let alsa = ListedBackend(.alsa, inputs: ["default"])
        #expect(try AudioDevice.all([MissingBackend(), alsa]).map(\.id) == ["default", "out"])
        #expect(throws: DeviceError.noBackend([.libraryMissing(.pulseAudio)])) { try AudioDevice.all([MissingBackend()]) }
    }
}
