// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

#if os(Linux)
internal import Synchronization

/// Recording through a sound server that speaks PulseAudio's protocol: PulseAudio itself, or PipeWire.
public final class PulseCaptureBackend: CaptureBackend {
    private let server: String?
    private let stream = Mutex<PulseCaptureStream?>(nil)

    /// Makes a backend; it connects when it is started, to the address `server`, or to where the system's settings say.
    public init(server: String? = nil) { self.server = server }

    /// PulseAudio's protocol.
    public var kind: AudioBackendKind { .pulseAudio }

    /// Whether the server runs on this machine; a network may be slower from some moment on, and lose nothing.
    public var arrivalsTellTime: Bool { stream.withLock { $0 }?.isLocal ?? false }

    /// Every source and sink of the server.
    public func devices() throws(DeviceError) -> [AudioDevice] {
        let connection = try PulseConnection(server: server)
        defer { connection.close() }
        return try connection.devices()
    }

    /// Connects to the server and records from a source.
    public func start(_ configuration: CaptureConfiguration, into input: CaptureInput) throws(DeviceError) {
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

    /// Ends the stream and the connection.
    public func stop() {
        let old = stream.withLock { stream in
            defer { stream = nil }
            return stream
        }
        old?.close()
    }
}
#endif
