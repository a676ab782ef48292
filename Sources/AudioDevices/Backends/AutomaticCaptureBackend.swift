// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// A backend that uses the first system with an input, chosen at the first start.
package final class AutomaticCaptureBackend: SystemCaptureBackend {
    private let chosen = Mutex<(any CaptureBackend)?>(nil)

    /// Creates a backend.
    ///
    /// Queries no system yet.
    package init() {}

    /// The chosen system, or the preferred one before the first start.
    package var kind: AudioBackendKind {
        #if os(Linux)
        chosen.withLock { $0 }?.kind ?? .pulseAudio
        #else
        chosen.withLock { $0 }?.kind ?? .coreAudio
        #endif
    }

    package var hasReliableArrivalTimes: Bool { chosen.withLock { $0 }?.revealsLoss ?? false }

    /// Returns the devices of the chosen system, or of the first system with an input.
    package func devices() throws(DeviceError) -> [AudioDevice] { try backend().devices() }

    /// Chooses a system at the first start, and starts it.
    package func start(_ configuration: CaptureConfiguration, into input: CaptureInput) throws(DeviceError) {
        try backend(for: configuration.device).start(configuration, into: input)
    }

    package func stop() { chosen.withLock { $0 }?.stop() }

    package func suspend() { chosen.withLock { $0 }?.stopForNow() }

    /// Returns the chosen system.
    ///
    /// Chooses one first if necessary, preferably one with the device.
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

    /// Returns one backend per system of this platform, in order of preference.
    package static func systems() -> [any CaptureBackend] {
        #if os(Linux)
        [PulseCaptureBackend(), ALSACaptureBackend()]
        #elseif canImport(Darwin)
        [CoreAudioCaptureBackend()]
        #else
        []
        #endif
    }

    /// Returns the first backend with the named input, otherwise the first backend with any input.
    ///
    /// Blocks. Monitors of outputs count as inputs only if named.
    ///
    /// - Parameter device: The identifier of an input or monitor; `nil` for the default input. On Linux only a sound server captures what
    ///   programs play.
    /// - Throws: ``DeviceError/noBackend(_:)`` with the error of each system if none has an input.
    package static func automatic(device: String?) throws(DeviceError) -> any CaptureBackend {
        #if os(Linux)
        if PlayedAudio(device) != nil { return PulseCaptureBackend() }
        #endif
        let systems = systems()
        // A single system reports its own errors when it starts. On iOS it has no inputs before that.
        return systems.count == 1 ? systems[0] : try automatic(device: device, among: systems)
    }

    /// Returns the first of some backends with the named input, otherwise the first backend with any input.
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
