// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
internal import AudioPrimitives
internal import Synchronization

/// A capture with its own connection.
protocol PulseCapture: AnyObject, Sendable {
    /// Whether the server runs on this machine.
    var isLocal: Bool { get }

    /// Opens the streams, which then write their audio to the input.
    func open(_ configuration: CaptureConfiguration) throws(DeviceError)

    /// Writes the received audio and ends the streams.
    ///
    /// No callback runs after the return.
    func close()
}

/// Captures through a sound server with the PulseAudio protocol: PulseAudio or PipeWire.
///
/// `system` captures what the default output plays, and follows changes of the default. `app:` with the name, the binary or the process ID of
/// a program captures only its streams, and waits while it plays nothing.
package final class PulseCaptureBackend: SystemCaptureBackend {
    private let server: String?
    private let stream = Mutex<(any PulseCapture)?>(nil)

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

    /// Returns the programs that have a playback stream, one per process.
    package func programs() throws(DeviceError) -> [AudioProgram] { try PulseConnection(server: server).programs() }

    /// Connects to the server and starts recording.
    package func start(_ configuration: CaptureConfiguration, into input: CaptureInput) throws(DeviceError) {
        stop()
        let connection = try PulseConnection(server: server, isCancelled: { input.isCancelled })
        let new: any PulseCapture =
            if let played = PlayedAudio(configuration.device) {
                PulseMonitorCapture(played, connection, input: input)
            } else {
                PulseCaptureStream(connection, input: input)
            }
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
