// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

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
