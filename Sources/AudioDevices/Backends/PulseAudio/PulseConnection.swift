// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
internal import CLinuxAudio
internal import Dispatch

/// A connection to a sound server that speaks the PulseAudio protocol, with a thread of its own.
///
/// Callbacks run on that thread, with the lock held; all other calls take the lock. Nothing waits inside a callback.
final class PulseConnection: @unchecked Sendable {
    /// The longest time that connecting may take, in nanoseconds.
    private static let connectTimeout: Int64 = 5_000_000_000
    /// The longest time that a reply may take, in nanoseconds.
    private static let replyTimeout: Int64 = 5_000_000_000

    /// The library.
    let pulse: UnsafePointer<LinnetPulseFunctions>
    /// The library's handle of the connection.
    let context: OpaquePointer
    private let mainloop: OpaquePointer
    private let stateChanged = DispatchSemaphore(value: 0)
    /// Whether ``close()`` was called.
    private(set) var isClosed = false

    /// A function called on the connection's thread when the server is lost after it was connected; set under the lock.
    var onLoss: (() -> Void)?

    /// Connects to a server; returns or throws within 5 s.
    ///
    /// - Parameters:
    ///   - server: The address of the server; nil for the one of the system's settings.
    ///   - isCancelled: Whether to give up.
    /// - Throws: ``DeviceError`` if the library is missing or no server answers.
    init(server: String?, isCancelled: () -> Bool = { false }) throws(DeviceError) {
        guard let pulse = linnet_pulse_functions() else { throw .libraryMissing(.pulseAudio) }
        guard let mainloop = pulse.pointee.pa_threaded_mainloop_new() else { throw .failed(.connect, .pulseAudio, code: 0) }
        let properties = pulse.pointee.pa_proplist_new()
        _ = pulse.pointee.pa_proplist_sets(properties, "application.name", "Linnet")
        _ = pulse.pointee.pa_proplist_sets(properties, "application.id", "org.linnet")
        let api = pulse.pointee.pa_threaded_mainloop_get_api(mainloop)
        let context = pulse.pointee.pa_context_new_with_proplist(api, nil, properties)
        pulse.pointee.pa_proplist_free(properties)
        guard let context else {
            pulse.pointee.pa_threaded_mainloop_free(mainloop)
            throw .failed(.connect, .pulseAudio, code: 0)
        }
        self.pulse = pulse
        self.mainloop = mainloop
        self.context = context
        do {
            try connect(to: server, isCancelled: isCancelled)
        } catch {
            close()
            throw error
        }
    }

    deinit { close() }

    /// Calls `body` under the connection's lock, while its thread runs no callbacks.
    func locked<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        pulse.pointee.pa_threaded_mainloop_lock(mainloop)
        defer { pulse.pointee.pa_threaded_mainloop_unlock(mainloop) }
        return try body()
    }

    /// Whether the server runs on this machine.
    var isLocal: Bool { locked { pulse.pointee.pa_context_is_local(context) > 0 } }

    /// The library's latest error code.
    var errorCode: Int32 { pulse.pointee.pa_context_errno(context) }

    /// Starts the connection's thread and connects.
    private func connect(to server: String?, isCancelled: () -> Bool) throws(DeviceError) {
        let pulse = pulse
        let this = Unmanaged.passUnretained(self).toOpaque()
        pulse.pointee.pa_context_set_state_callback(
            context,
            { @Sendable _, this in
                guard let this else { return }
                Unmanaged<PulseConnection>.fromOpaque(this).takeUnretainedValue().contextStateChanged()
            }, this)
        guard pulse.pointee.pa_threaded_mainloop_start(mainloop) >= 0 else { throw .failed(.connect, .pulseAudio, code: 0) }
        let status = locked { pulse.pointee.pa_context_connect(context, server, PA_CONTEXT_NOFLAGS, nil) }
        guard status >= 0 else { throw .noServer(.pulseAudio, code: locked { errorCode }) }
        let deadline = HostClock.now + Self.connectTimeout
        while true {
            switch locked({ pulse.pointee.pa_context_get_state(context) }) {
            case PA_CONTEXT_READY: return
            case PA_CONTEXT_FAILED, PA_CONTEXT_TERMINATED: throw .noServer(.pulseAudio, code: locked { errorCode })
            default: break
            }
            if isCancelled() { throw .cancelled }
            if HostClock.now > deadline { throw .timedOut(.connect, .pulseAudio) }
            _ = stateChanged.wait(timeout: .now() + 0.1)
        }
    }

    /// Handles a change of the connection's state.
    private func contextStateChanged() {
        stateChanged.signal()
        if pulse.pointee.pa_context_get_state(context) == PA_CONTEXT_FAILED { onLoss?() }
    }

    /// Sends a request to the server and waits for the reply.
    ///
    /// - Parameters:
    ///   - step: The step to name in errors.
    ///   - reply: The reply, which the callbacks of the operation fill and finish.
    ///   - ask: Starts the operation with the reply as its user data; called under the lock.
    /// - Returns: The value of the reply.
    /// - Throws: ``DeviceError`` if the server is lost or doesn't reply within 5 s.
    func wait<Value>(_ step: DeviceStep, _ reply: PulseReply<Value>, _ ask: (UnsafeMutableRawPointer) -> OpaquePointer?) throws(DeviceError)
        -> Value
    {
        let operation = locked { ask(Unmanaged.passUnretained(reply).toOpaque()) }
        guard let operation else { throw .failed(step, .pulseAudio, code: locked { errorCode }) }
        defer {
            // A cancelled operation never calls back: the reply may be released.
            locked {
                pulse.pointee.pa_operation_cancel(operation)
                pulse.pointee.pa_operation_unref(operation)
            }
        }
        let deadline = HostClock.now + Self.replyTimeout
        while reply.finished.wait(timeout: .now() + 0.1) == .timedOut {
            if locked({ pulse.pointee.pa_context_get_state(context) }) != PA_CONTEXT_READY {
                throw .noServer(.pulseAudio, code: locked { errorCode })
            }
            if HostClock.now > deadline { throw .timedOut(step, .pulseAudio) }
        }
        return reply.value
    }

    /// Ends the connection; no callback runs after the return.
    ///
    /// Not to be called on the connection's own thread.
    func close() {
        guard !isClosed else { return }
        isClosed = true
        locked {
            onLoss = nil
            pulse.pointee.pa_context_set_state_callback(context, nil, nil)
            pulse.pointee.pa_context_set_subscribe_callback(context, nil, nil)
            pulse.pointee.pa_context_disconnect(context)
        }
        pulse.pointee.pa_threaded_mainloop_stop(mainloop)
        pulse.pointee.pa_context_unref(context)
        pulse.pointee.pa_threaded_mainloop_free(mainloop)
    }
}

/// The reply to a request, filled by callbacks on the connection's thread until they finish it.
final class PulseReply<Value>: @unchecked Sendable {
    /// The value received so far.
    var value: Value
    /// Signalled by the last callback.
    let finished = DispatchSemaphore(value: 0)

    /// Creates a reply with an initial value.
    init(_ value: Value) { self.value = value }

    /// Returns the reply from a callback's user data.
    static func from(_ pointer: UnsafeMutableRawPointer?) -> PulseReply<Value>? {
        pointer.map { Unmanaged<PulseReply<Value>>.fromOpaque($0).takeUnretainedValue() }
    }
}
#endif
