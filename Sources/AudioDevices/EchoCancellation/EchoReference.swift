// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
internal import AudioPrimitives
internal import Dispatch
internal import Synchronization

/// The capture of the reference signal, which follows the default output.
///
/// The backend user's thread opens and closes it, the mixer's thread reopens it.
final class EchoReference: Sendable {
    /// A monitor's input, and its output's identifier if it follows the default output.
    typealias OpenedDevices = (input: CaptureInput, output: String?)

    private let backend: any CaptureBackend
    private let configuration: CaptureConfiguration
    /// Whether the reference is the default output's monitor, because no device was named.
    let followsDefault: Bool
    private let wake: DispatchSemaphore
    private let isClosing = Atomic<Bool>(false)
    private let opening = Mutex<CaptureInput?>(nil)
    /// Mutual exclusion of the two threads.
    private let gate = Mutex(())

    /// Creates an unopened reference.
    ///
    /// - Parameters:
    ///   - backend: The system to capture through.
    ///   - name: The monitor's identifier; `nil` selects the default output's monitor.
    ///   - configuration: The microphone's configuration, for the common sample rate.
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

    /// Opens the named monitor or the current default output's monitor, and replaces an open one.
    ///
    /// - Throws: ``DeviceError``; ``DeviceError/cancelled`` if the reference is closed.
    func open() throws(DeviceError) -> OpenedDevices {
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

    /// Returns the default output's identifier, if the output has a monitor.
    private static func defaultOutput(among devices: [AudioDevice]) throws(DeviceError) -> String {
        guard let output = devices.first(where: { $0.direction == .output && $0.isDefault }),
            devices.contains(where: { $0.isMonitor && $0.id == output.id + ".monitor" })
        else { throw .noDevice(devices.first?.backend ?? .pulseAudio, .output) }
        return output.id
    }

    /// Closes the reference permanently, and cancels an opening in progress.
    func close() {
        isClosing.store(true, ordering: .releasing)
        opening.withLock { $0?.cancel() }
        gate.withLock { _ in backend.stop() }
    }
}
#endif
