// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
internal import AudioPrimitives
internal import Synchronization

/// Captures through a sound server with the PulseAudio protocol: PulseAudio or PipeWire.
package final class PulseCaptureBackend: SystemCaptureBackend {
    private let server: String?
    private let stream = Mutex<PulseCaptureStream?>(nil)

    /// Creates a backend.
    ///
    /// It connects when started.
    ///
    /// - Parameter server: The server address; `nil` uses the system's settings.
    package init(server: String? = nil) { self.server = server }

    package var kind: AudioBackendKind { .pulseAudio }

    /// Whether the server runs on this machine.
    ///
    /// A network may become slower without a loss.
    package var hasReliableArrivalTimes: Bool { stream.withLock { $0 }?.isLocal ?? false }

    /// Returns the server's sources and sinks.
    package func devices() throws(DeviceError) -> [AudioDevice] {
        let connection = try PulseConnection(server: server)
        defer { connection.close() }
        return try connection.devices()
    }

    /// Connects to the server and starts a record stream.
    package func start(_ configuration: CaptureConfiguration, into input: CaptureInput) throws(DeviceError) {
        stop()
        let connection = try PulseConnection(server: server, isCancelled: { input.isCancelled })
        let new = PulseCaptureStream(connection, input: input)
        do {
            try new.open(configuration)
        } catch {
            new.close()
            throw error
        }
        stream.withLock { $0 = new }
    }

    package func stop() { stream.removeValue()?.close() }
}
#endif
