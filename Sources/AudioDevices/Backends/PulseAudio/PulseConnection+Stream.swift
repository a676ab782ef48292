// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
internal import AudioPrimitives
internal import CLinuxAudio
internal import Dispatch

/// Opening and closing of streams, for capture and playback.
extension PulseConnection {
    /// Waits until the server has opened a stream.
    ///
    /// - Parameters:
    ///   - stream: Returns the stream. Called under the lock.
    ///   - changed: A semaphore signalled at each change of the stream's state.
    ///   - isCancelled: Whether to give up.
    /// - Throws: ``DeviceError`` if the server refuses, does not respond within 5 s, or the wait is cancelled.
    func waitUntilReady(
        _ stream: () -> OpaquePointer?, changed: DispatchSemaphore, isCancelled: () -> Bool = { false }
    ) throws(DeviceError) {
        try wait(.openDevice, for: changed, isCancelled: isCancelled) { () throws(DeviceError) in
            let (state, code) = locked { (stream().map { pulse.pointee.pa_stream_get_state($0) }, errorCode) }
            if state != PA_STREAM_READY, state != PA_STREAM_CREATING { throw .failed(.openDevice, .pulseAudio, code: code) }
            return state == PA_STREAM_READY
        }
    }

    /// Connects a record stream with buffers of the configured duration, under the lock.
    ///
    /// - Parameters:
    ///   - device: The source; `nil` lets the server choose it.
    ///   - configuration: The buffer duration, and whether all channels are recorded unchanged.
    ///   - spec: The stream's format.
    ///   - staysOnDevice: Whether the stream ends when its device is removed.
    /// - Throws: ``DeviceError`` if the connection is lost. The server refuses later.
    func connectRecord(
        _ stream: OpaquePointer, to device: String?, _ configuration: CaptureConfiguration, spec: pa_sample_spec, staysOnDevice: Bool
    ) throws(DeviceError) {
        let fragment = configuration.bufferFrames(sampleRate: Double(spec.rate)) * configuration.sampleFormat.byteCount * Int(spec.channels)
        var buffer = pa_buffer_attr(
            maxlength: UInt32.max, tlength: UInt32.max, prebuf: UInt32.max, minreq: UInt32.max, fragsize: UInt32(max(fragment, 1)))
        var flags = PA_STREAM_ADJUST_LATENCY.rawValue | PA_STREAM_INTERPOLATE_TIMING.rawValue | PA_STREAM_AUTO_TIMING_UPDATE.rawValue
        if staysOnDevice { flags |= PA_STREAM_DONT_MOVE.rawValue }
        if configuration.selectedChannels != nil { flags |= PA_STREAM_NO_REMIX_CHANNELS.rawValue }
        let status = pulse.pointee.pa_stream_connect_record(stream, device, &buffer, pa_stream_flags_t(flags))
        guard status >= 0 else { throw .failed(.openDevice, .pulseAudio, code: errorCode) }
    }

    /// Reads all received audio of a record stream, under the lock.
    ///
    /// This is the real-time path.
    ///
    /// - Parameter receive: Receives the bytes, `nil` for a gap; their number; and the first frame's host time, 0 before the server has sent
    ///   timing information.
    func read(_ stream: OpaquePointer, _ receive: (UnsafeRawPointer?, Int, Int64) -> Void) {
        while pulse.pointee.pa_stream_readable_size(stream) > 0 {
            var data: UnsafeRawPointer?
            var byteCount = 0
            guard pulse.pointee.pa_stream_peek(stream, &data, &byteCount) >= 0, byteCount > 0 else { return }
            receive(data, byteCount, hostTime(ofNextIn: stream))
            _ = pulse.pointee.pa_stream_drop(stream)
        }
    }

    private func hostTime(ofNextIn stream: OpaquePointer) -> Int64 {
        var latency: pa_usec_t = 0
        var isNegative: Int32 = 0
        guard pulse.pointee.pa_stream_get_latency(stream, &latency, &isNegative) >= 0 else { return 0 }
        let age = Int64(clamping: latency).multipliedReportingOverflow(by: 1000).partialValue
        return isNegative != 0 ? HostClock.now : HostClock.now - age
    }

    /// Releases an operation whose result is not needed.
    func release(_ operation: OpaquePointer?) {
        if let operation { pulse.pointee.pa_operation_unref(operation) }
    }

    /// Ends a stream and the connection.
    ///
    /// None of their callbacks runs after the return. Does nothing if the connection is already closed. Must not be called on the
    /// connection's own thread.
    ///
    /// - Parameter detach: Clears and returns the stream to end, if any. Called under the lock.
    func close(ending detach: () -> OpaquePointer?) {
        guard !isClosed else { return }
        locked { if let stream = detach() { end(stream) } }
        close()
    }

    /// Ends and releases a stream, under the lock.
    ///
    /// None of its callbacks runs after the return.
    func end(_ stream: OpaquePointer) {
        pulse.pointee.pa_stream_set_state_callback(stream, nil, nil)
        pulse.pointee.pa_stream_set_read_callback(stream, nil, nil)
        pulse.pointee.pa_stream_set_write_callback(stream, nil, nil)
        pulse.pointee.pa_stream_set_suspended_callback(stream, nil, nil)
        pulse.pointee.pa_stream_set_moved_callback(stream, nil, nil)
        pulse.pointee.pa_stream_set_event_callback(stream, nil, nil)
        _ = pulse.pointee.pa_stream_disconnect(stream)
        pulse.pointee.pa_stream_unref(stream)
    }
}
#endif
