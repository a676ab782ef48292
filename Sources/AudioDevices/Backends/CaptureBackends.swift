// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

internal import Synchronization

/// The systems that audio can be captured through on this machine.
public enum CaptureBackends {
    /// Returns one backend for each system of this platform, the preferred one first.
    public static func all() -> [any CaptureBackend] {
        #if os(Linux)
        [PulseCaptureBackend(), ALSACaptureBackend()]
        #elseif canImport(Darwin)
        [CoreAudioCaptureBackend()]
        #else
        []
        #endif
    }

    /// Returns the first system that has an input.
    ///
    /// Blocks while it asks the systems.
    ///
    /// - Throws: ``DeviceError/noBackend(_:)`` with the error of each system if none has an input.
    public static func automatic() throws(DeviceError) -> any CaptureBackend {
        var errors: [DeviceError] = []
        for backend in all() {
            do {
                if try backend.devices().contains(where: { $0.direction == .input && !$0.isMonitor }) { return backend }
                errors.append(.noDevice(backend.kind, .input))
            } catch {
                errors.append(error)
            }
        }
        throw .noBackend(errors)
    }
}

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
        try backend().start(configuration, into: input)
    }

    /// Stops the chosen system.
    public func stop() { chosen.withLock { $0 }?.stop() }

    /// Returns the chosen system; chooses it first if necessary.
    private func backend() throws(DeviceError) -> any CaptureBackend {
        if let backend = chosen.withLock({ $0 }) { return backend }
        let backend = try CaptureBackends.automatic()
        return chosen.withLock { chosen in
            if let chosen { return chosen }
            chosen = backend
            return backend
        }
    }
}
