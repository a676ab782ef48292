// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// The systems that sound can be recorded through on this machine.
public enum CaptureBackends {
    /// One of each kind that this platform has, the preferred one first.
    public static func all() -> [any CaptureBackend] {
        #if os(Linux)
        [PulseCaptureBackend(), ALSACaptureBackend()]
        #elseif canImport(Darwin)
        [CoreAudioCaptureBackend()]
        #else
        []
        #endif
    }

    /// The first system that has an input to record from.
    ///
    /// Throws what each of them said if there is none: never a source of silence.
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
