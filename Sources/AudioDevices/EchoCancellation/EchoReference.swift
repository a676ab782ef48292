// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

#if os(Linux)
internal import AudioPrimitives
internal import Dispatch
internal import Synchronization

/// The recording of what is played; it goes along to another output when that becomes the default.
///
/// Opened and closed by the thread of the backend's user, moved by the mixer's.
final class EchoReference: Sendable {
    /// What was opened.
    struct Opened {
        var input: CaptureInput
        /// The output that is heard; nil where the device was named.
        var output: String?
    }

    private let backend: any CaptureBackend
    private let configuration: CaptureConfiguration
    /// Whether nobody named the device: then it is the monitor of the default output.
    let followsDefault: Bool
    private let wake: DispatchSemaphore
    private let isClosing = Atomic<Bool>(false)
    private let opening = Mutex<CaptureInput?>(nil)
    /// One of the two threads at a time; whether it is closed.
    private let gate = Mutex(false)

    /// Makes a reference for a recording of `configuration`, whose rate it shares.
    init(_ backend: any CaptureBackend, named name: String?, beside configuration: CaptureConfiguration, wake: DispatchSemaphore) {
        self.backend = backend
        self.wake = wake
        followsDefault = name == nil
        var configuration = configuration
        configuration.device = name
        configuration.selectedChannels = nil
        configuration.channelCount = 1
        configuration.staysOnDevice = true
        self.configuration = configuration
    }

    /// Opens the device, or opens another in place of the one before: the monitor of what is the default output now.
    func open() throws(DeviceError) -> Opened {
        let input = CaptureInput(queueDuration: configuration.queueDuration, wake: wake)
        opening.withLock { $0 = input }
        if isClosing.load(ordering: .acquiring) { input.cancel() }
        do {
            let output = try gate.withLock { isClosed -> String? in
                guard !isClosed else { throw DeviceError.cancelled }
                let output = followsDefault ? try Self.defaultOutput(among: backend.devices()) : nil
                var configuration = configuration
                if let output { configuration.device = output + ".monitor" }
                try backend.start(configuration, into: input)
                return output
            }
            return Opened(input: input, output: output)
        } catch {
            throw error as? DeviceError ?? .failed(.openDevice, backend.kind, code: 0)
        }
    }

    private static func defaultOutput(among devices: [AudioDevice]) throws(DeviceError) -> String {
        guard let output = devices.first(where: { $0.direction == .output && $0.isDefault }),
            devices.contains(where: { $0.isMonitor && $0.id == output.id + ".monitor" })
        else { throw .noDevice(devices.first?.backend ?? .pulseAudio, .output) }
        return output.id
    }

    /// Closes it for good; what is being opened gives up.
    func close() {
        isClosing.store(true, ordering: .releasing)
        opening.withLock { $0?.cancel() }
        gate.withLock { isClosed in
            isClosed = true
            backend.stop()
        }
    }
}
#endif
