// SPDX-License-Identifier: Apache-2.0

#if !os(Linux)
/// A backend for a source that this system does not support: the start throws.
final class UnavailableCaptureBackend: CaptureBackend {
    private let error: DeviceError

    init(_ error: DeviceError) { self.error = error }

    var kind: AudioBackendKind { .coreAudio }

    func devices() throws(DeviceError) -> [AudioDevice] { throw error }

    func start(_ configuration: CaptureConfiguration, into input: CaptureInput) throws(DeviceError) { throw error }

    func stop() {}
}
#endif
