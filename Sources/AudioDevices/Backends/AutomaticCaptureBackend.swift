// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// Captures through the first system that has an input, chosen at the first start.
public final class AutomaticCaptureBackend: CaptureBackend {
    private let chosen = Mutex<(any CaptureBackend)?>(nil)

    /// Creates a backend; no system is asked yet.
    public init() {}

    /// The chosen system, or the preferred one before the first start.
    public var kind: AudioBackendKind {
        #if os(Linux)
        chosen.withLock { $0 }?.kind ?? .pulseAudio
        #else
        chosen.withLock { $0 }?.kind ?? .coreAudio
        #endif
    }

    /// Whether the chosen system has reliable arrival times.
    public var hasReliableArrivalTimes: Bool { chosen.withLock { $0 }?.hasReliableArrivalTimes ?? false }

    /// Returns the devices of the chosen system, or of the first one that has an input.
    public func devices() throws(DeviceError) -> [AudioDevice] { try backend().devices() }

    /// Chooses the system if this is the first start, and starts it.
    public func start(_ configuration: CaptureConfiguration, into input: CaptureInput) throws(DeviceError) {
        try backend(for: configuration.device).start(configuration, into: input)
    }

    /// Stops the chosen system.
    public func stop() { chosen.withLock { $0 }?.stop() }

    /// Suspends the chosen system.
    public func suspend() { chosen.withLock { $0 }?.suspend() }

    /// Returns the chosen system; chooses one that has the device first if necessary.
    private func backend(for device: String? = nil) throws(DeviceError) -> any CaptureBackend {
        if let backend = chosen.withLock({ $0 }) { return backend }
        let backend = try CaptureBackends.automatic(device: device)
        return chosen.withLock { chosen in
            if let chosen { return chosen }
            chosen = backend
            return backend
        }
    }
}
