// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
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
    private func end(_ stream: OpaquePointer) {
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
