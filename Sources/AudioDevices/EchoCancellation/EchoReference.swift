// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
internal import AudioPrimitives
internal import Dispatch
internal import Synchronization

/// The capture of what is played; it changes to another output when that becomes the default.
///
/// Opened and closed by the thread of the backend's user, reopened by the mixer's thread.
final class EchoReference: Sendable {
    /// The input of a monitor, and the identifier of its output where that is the default one.
    typealias Opened = (input: CaptureInput, output: String?)

    private let backend: any CaptureBackend
    private let configuration: CaptureConfiguration
    /// Whether the reference is the monitor of the default output, because no device was named.
    let followsDefault: Bool
    private let wake: DispatchSemaphore
    private let isClosing = Atomic<Bool>(false)
    private let opening = Mutex<CaptureInput?>(nil)
    /// Excludes the two threads from each other.
    private let gate = Mutex(())

    /// Creates a reference that isn't open yet.
    ///
    /// - Parameters:
    ///   - backend: The system to capture through.
    ///   - name: The identifier of the monitor; nil for that of the default output.
    ///   - configuration: The configuration of the microphone, whose sample rate the reference shares.
    ///   - wake: Signalled when audio or notices arrive.
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

    /// Opens the named monitor or that of the current default output, in place of the one that is open.
    ///
    /// - Throws: ``DeviceError``; ``DeviceError/cancelled`` if the reference is closed.
    func open() throws(DeviceError) -> Opened {
        let input = CaptureInput(queueDuration: configuration.queueDuration, wake: wake)
        opening.withLock { $0 = input }
        if isClosing.load(ordering: .acquiring) { input.cancel() }
        let output = try gate.withLock { _ throws(DeviceError) -> String? in
            guard !isClosing.load(ordering: .acquiring) else { throw .cancelled }
            let output = followsDefault ? try Self.defaultOutput(among: backend.devices()) : nil
            var configuration = configuration
            if let output { configuration.device = output + ".monitor" }
            try backend.start(configuration, into: input)
            return output
        }
        return (input, output)
    }

    /// Returns the identifier of the default output, if it has a monitor.
    private static func defaultOutput(among devices: [AudioDevice]) throws(DeviceError) -> String {
        guard let output = devices.first(where: { $0.direction == .output && $0.isDefault }),
            devices.contains(where: { $0.isMonitor && $0.id == output.id + ".monitor" })
        else { throw .noDevice(devices.first?.backend ?? .pulseAudio, .output) }
        return output.id
    }

    /// Closes the reference permanently; an opening in progress is cancelled.
    func close() {
        isClosing.store(true, ordering: .releasing)
        opening.withLock { $0?.cancel() }
        gate.withLock { _ in backend.stop() }
    }
}
#endif
