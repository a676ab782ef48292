// SPDX-License-Identifier: Apache-2.0

import AudioDevices
import AudioPrimitives
import Testing

@Suite struct AutomaticCaptureBackendTests {
    /// A system with some devices.
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

    @Test("A monitor that is named is found on a system that has nothing but monitors; without a name that system is passed over")
    func namedMonitor() throws {
        let pulse = ListedBackend(.pulseAudio, monitors: ["nul.monitor"])
        let alsa = ListedBackend(.alsa, inputs: ["default"])
        let systems: [any CaptureBackend] = [pulse, alsa]
        #expect(try AutomaticCaptureBackend.automatic(device: "nul.monitor", among: systems).kind == .pulseAudio)
        #expect(try AutomaticCaptureBackend.automatic(device: nil, among: systems).kind == .alsa)
        #expect(try AutomaticCaptureBackend.automatic(device: "default", among: systems).kind == .alsa)
        // The system that would be used without a name tells which devices it has.
        #expect(try AutomaticCaptureBackend.automatic(device: "other", among: systems).kind == .alsa)
        #expect(try AutomaticCaptureBackend.automatic(device: "nul.monitor", among: [pulse]).kind == .pulseAudio)
        #expect(throws: DeviceError.noBackend([.noDevice(.pulseAudio, .input)])) {
            try AutomaticCaptureBackend.automatic(device: "out", among: [pulse])
        }
    }

    /// A system that isn't available.
    private final class MissingBackend: CaptureBackend {
        let kind = AudioBackendKind.pulseAudio

        func devices() throws(DeviceError) -> [AudioDevice] { throw .libraryMissing(.pulseAudio) }
        func start(_ configuration: CaptureConfiguration, into input: CaptureInput) throws(DeviceError) {}
        func stop() {}
    }

    @Test func `A system that is missing is an error only where no other has devices`() throws {
        let alsa = ListedBackend(.alsa, inputs: ["default"])
        #expect(try AudioDevice.all([MissingBackend(), alsa]).map(\.id) == ["default", "out"])
        #expect(throws: DeviceError.noBackend([.libraryMissing(.pulseAudio)])) { try AudioDevice.all([MissingBackend()]) }
    }
}
