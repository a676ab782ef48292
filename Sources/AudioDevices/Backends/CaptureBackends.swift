// SPDX-License-Identifier: Apache-2.0

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

    /// Returns the first system that has the input that is named, else the first that has an input.
    ///
    /// Blocks while it asks the systems. Monitors of outputs are inputs only where they are named.
    ///
    /// - Parameter device: The identifier of an input, or of a monitor; nil for the default one.
    /// - Throws: ``DeviceError/noBackend(_:)`` with the error of each system if none has an input.
    public static func automatic(device: String? = nil) throws(DeviceError) -> any CaptureBackend {
        let backends = all()
        // A system without an alternative reports its own errors when it starts; that of iOS has no inputs before.
        return backends.count == 1 ? backends[0] : try automatic(device: device, among: backends)
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
