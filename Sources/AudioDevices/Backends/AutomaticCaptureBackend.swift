// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// Captures through the first system that has an input, chosen at the first start.
package final class AutomaticCaptureBackend: SystemCaptureBackend {
    private let chosen = Mutex<(any CaptureBackend)?>(nil)

    /// Creates a backend; no system is asked yet.
    package init() {}

    /// The chosen system, or the preferred one before the first start.
    package var kind: AudioBackendKind {
        #if os(Linux)
        chosen.withLock { $0 }?.kind ?? .pulseAudio
        #else
        chosen.withLock { $0 }?.kind ?? .coreAudio
        #endif
    }

    /// Whether the chosen system has reliable arrival times.
    package var hasReliableArrivalTimes: Bool { chosen.withLock { $0 }?.revealsLoss ?? false }

    /// Returns the devices of the chosen system, or of the first one that has an input.
    package func devices() throws(DeviceError) -> [AudioDevice] { try backend().devices() }

    /// Chooses the system if this is the first start, and starts it.
    package func start(_ configuration: CaptureConfiguration, into input: CaptureInput) throws(DeviceError) {
        try backend(for: configuration.device).start(configuration, into: input)
    }

    /// Stops the chosen system.
    package func stop() { chosen.withLock { $0 }?.stop() }

    /// Suspends the chosen system.
    package func suspend() { chosen.withLock { $0 }?.stopForNow() }

    /// Returns the chosen system; chooses one that has the device first if necessary.
    private func backend(for device: String? = nil) throws(DeviceError) -> any CaptureBackend {
        if let backend = chosen.withLock({ $0 }) { return backend }
        let backend = try Self.automatic(device: device)
        return chosen.withLock { chosen in
            if let chosen { return chosen }
            chosen = backend
            return backend
        }
    }

    // MARK: Systems

    /// Returns one backend for each system of this platform, the preferred one first.
    package static func systems() -> [any CaptureBackend] {
        #if os(Linux)
        [PulseCaptureBackend(), ALSACaptureBackend()]
        #elseif canImport(Darwin)
        [CoreAudioCaptureBackend()]
        #else
        []
        #endif
    }

    /// Returns the first system that has the input that is named, else the first that has an input.
    ///
    /// Blocks while it asks the systems. Monitors of outputs are inputs only where they are named.
    ///
    /// - Parameter device: The identifier of an input, or of a monitor; nil for the default one.
    /// - Throws: ``DeviceError/noBackend(_:)`` with the error of each system if none has an input.
    package static func automatic(device: String?) throws(DeviceError) -> any CaptureBackend {
        let systems = systems()
        // A system without an alternative reports its own errors when it starts; that of iOS has no inputs before.
        return systems.count == 1 ? systems[0] : try automatic(device: device, among: systems)
    }

    /// Returns the first of some systems that has the input that is named, else the first that has an input.
    package static func automatic(device: String?, among backends: [any CaptureBackend]) throws(DeviceError) -> any CaptureBackend {
        var errors: [DeviceError] = []
        var first: (any CaptureBackend)?
        for backend in backends {
            do {
                let inputs = try backend.devices().filter { $0.direction == .input }
                if let device, inputs.contains(where: { $0.id == device }) { return backend }
                if inputs.contains(where: { !$0.isMonitor }) {
                    guard device != nil else { return backend }
                    first = first ?? backend
                    continue
                }
                errors.append(.noDevice(backend.kind, .input))
            } catch {
                errors.append(error)
            }
        }
        if let first { return first }
        throw .noBackend(errors)
    }
}
