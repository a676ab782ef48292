// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

#if os(Linux)
internal import CLinuxAudio
internal import Dispatch

/// What recording and playing streams have in common: how they begin and end.
extension PulseConnection {
    private static let openTimeout: Int64 = 5_000_000_000

    /// Waits until the server has opened a stream; `stream` is called under the lock, `changed` is signalled with each of its states.
    func waitUntilReady(
        _ stream: () -> OpaquePointer?, changed: DispatchSemaphore, isCancelled: () -> Bool = { false }
    ) throws(DeviceError) {
        let deadline = HostClock.now + Self.openTimeout
        while true {
            let (state, code) = locked { (stream().map { pulse.pointee.pa_stream_get_state($0) }, errorCode) }
            if state == PA_STREAM_READY { return }
            if state != PA_STREAM_CREATING { throw .failed(.openDevice, .pulseAudio, code: code) }
            if isCancelled() { throw .cancelled }
            if HostClock.now > deadline { throw .timedOut(.openDevice, .pulseAudio) }
            _ = changed.wait(timeout: .now() + 0.1)
        }
    }

    /// Lets go of an operation that nobody waits for.
    func release(_ operation: OpaquePointer?) {
        if let operation { pulse.pointee.pa_operation_unref(operation) }
    }

    /// Ends a stream and lets it go, under the lock; none of its callbacks comes any more.
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
