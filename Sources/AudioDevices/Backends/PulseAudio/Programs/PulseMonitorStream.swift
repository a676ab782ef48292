// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
internal import CLinuxAudio

/// A record stream of an output's monitor or of one playback stream, on the connection of a ``PulseMonitorCapture``.
///
/// All methods must be called under the connection's lock.
final class PulseMonitorStream: PulseUserData, @unchecked Sendable {
    /// The recorded audio.
    enum Target: Hashable {
        case source(String)
        /// The playback stream with this index.
        case program(UInt32)
    }

    let target: Target
    /// The number of the stream in the mixer.
    let number: Int
    /// The index of the output that the playback stream plays to; `UInt32.max` if unknown.
    var sink: UInt32
    private(set) var wasOpened = false
    private(set) var handle: OpaquePointer?
    private unowned let capture: PulseMonitorCapture

    /// Describes an unopened stream.
    init(_ target: Target, number: Int, sink: UInt32 = .max, _ capture: PulseMonitorCapture) {
        self.target = target
        self.number = number
        self.sink = sink
        self.capture = capture
    }

    private var pulse: UnsafePointer<LinnetPulseFunctions> { capture.connection.pulse }

    /// Whether the system has suspended the output.
    var isSuspended: Bool { handle.map { wasOpened && pulse.pointee.pa_stream_is_suspended($0) > 0 } ?? false }

    /// Requests the stream from the server, which opens it later.
    ///
    /// PipeWire opens the record stream of a paused playback stream when that continues.
    func open(_ configuration: CaptureConfiguration, spec: pa_sample_spec, map: pa_channel_map) throws(DeviceError) {
        var (spec, map) = (spec, map)
        let connection = capture.connection
        guard let handle = pulse.pointee.pa_stream_new_with_proplist(connection.context, "Recording", &spec, &map, nil) else {
            throw .failed(.openDevice, .pulseAudio, code: connection.errorCode)
        }
        self.handle = handle
        pulse.pointee.pa_stream_set_state_callback(
            handle, { @Sendable _, this in PulseMonitorStream.from(this)?.stateChanged() }, userData)
        pulse.pointee.pa_stream_set_read_callback(handle, { @Sendable _, _, this in PulseMonitorStream.from(this)?.read() }, userData)
        pulse.pointee.pa_stream_set_suspended_callback(
            handle, { @Sendable _, this in PulseMonitorStream.from(this)?.capture.updatePause() }, userData)
        var device: String?
        switch target {
        case .source(let name): device = name
        case .program(let index): _ = pulse.pointee.pa_stream_set_monitor_stream(handle, index)
        }
        // Otherwise the server would continue with another source, such as the microphone, when the output or the program ends.
        try connection.connectRecord(handle, to: device, configuration, spec: spec, staysOnDevice: true)
    }

    private func stateChanged() {
        guard let handle else { return }
        switch pulse.pointee.pa_stream_get_state(handle) {
        case PA_STREAM_CREATING: break
        case PA_STREAM_READY:
            wasOpened = true
            capture.didOpen(self)
        default: capture.didEnd(self)
        }
    }

    /// Passes all received audio to the capture.
    func read() {
        if let handle, wasOpened, capture.isLive {
            capture.connection.read(handle) { capture.accept(self, $0, byteCount: $1, hostTime: $2) }
        }
    }

    /// Ends the stream, which then calls nothing.
    func close() {
        if let handle { capture.connection.end(handle) }
        handle = nil
    }
}
#endif
