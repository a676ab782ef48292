// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
internal import CLinuxAudio
internal import Dispatch

/// A connection to a sound server with the PulseAudio protocol, and its thread.
///
/// Callbacks run on that thread with the lock held. All other calls take the lock. Callbacks never wait.
final class PulseConnection: PulseUserData, @unchecked Sendable {
    /// The timeout of each step, in nanoseconds.
    private static let timeout: Int64 = 5_000_000_000

    let pulse: UnsafePointer<LinnetPulseFunctions>
    /// The `pa_context` handle.
    let context: OpaquePointer
    private let mainloop: OpaquePointer
    private let stateChanged = DispatchSemaphore(value: 0)
    private(set) var isClosed = false

    /// Called on the connection's thread when an established connection is lost.
    ///
    /// Set under the lock.
    var onLoss: (() -> Void)?

    /// Connects to a server.
    ///
    /// Returns or throws within 5 s.
    ///
    /// - Parameters:
    ///   - server: The server address; `nil` uses the system's settings.
    ///   - isCancelled: Whether to give up.
    /// - Throws: ``DeviceError`` if the library is missing or no server responds.
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

    /// Calls `body` under the connection's lock, so that no callbacks run meanwhile.
    func locked<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        pulse.pointee.pa_threaded_mainloop_lock(mainloop)
        defer { pulse.pointee.pa_threaded_mainloop_unlock(mainloop) }
        return try body()
    }

    /// Whether the server runs on this machine.
    var isLocal: Bool { locked { pulse.pointee.pa_context_is_local(context) > 0 } }

    /// Whether the connection is established.
    ///
    /// Read under the lock.
    var isReady: Bool { pulse.pointee.pa_context_get_state(context) == PA_CONTEXT_READY }

    var errorCode: Int32 { pulse.pointee.pa_context_errno(context) }

    private func connect(to server: String?, isCancelled: () -> Bool) throws(DeviceError) {
        pulse.pointee.pa_context_set_state_callback(
            context, { @Sendable _, this in PulseConnection.from(this)?.contextStateChanged() }, userData)
        guard pulse.pointee.pa_threaded_mainloop_start(mainloop) >= 0 else { throw .failed(.connect, .pulseAudio, code: 0) }
        let status = locked { pulse.pointee.pa_context_connect(context, server, PA_CONTEXT_NOFLAGS, nil) }
        guard status >= 0 else { throw .noServer(.pulseAudio, code: locked { errorCode }) }
        try wait(.connect, for: stateChanged, isCancelled: isCancelled) { () throws(DeviceError) in
            switch locked({ pulse.pointee.pa_context_get_state(context) }) {
            case PA_CONTEXT_READY: true
            case PA_CONTEXT_FAILED, PA_CONTEXT_TERMINATED: throw .noServer(.pulseAudio, code: locked { errorCode })
            default: false
            }
        }
    }

    /// Waits until a step is done.
    ///
    /// - Parameters:
    ///   - step: The step to name in errors.
    ///   - changed: A semaphore signalled when the step may be done.
    ///   - isCancelled: Whether to give up.
    ///   - isDone: Whether the step is done. Called without the lock.
    /// - Throws: ``DeviceError`` if `isDone` fails, the step takes longer than 5 s, or the wait is cancelled.
    func wait(
        _ step: DeviceStep, for changed: DispatchSemaphore, isCancelled: () -> Bool, until isDone: () throws(DeviceError) -> Bool
    ) throws(DeviceError) {
        let deadline = HostClock.now + Self.timeout
        while try !isDone() {
            if isCancelled() { throw .cancelled }
            if HostClock.now > deadline { throw .timedOut(step, .pulseAudio) }
            _ = changed.wait(timeout: .now() + 0.1)
        }
    }

    private func contextStateChanged() {
        stateChanged.signal()
        if pulse.pointee.pa_context_get_state(context) == PA_CONTEXT_FAILED { onLoss?() }
    }

    /// Sends a request to the server and waits for the reply.
    ///
    /// - Parameters:
    ///   - step: The step to name in errors.
    ///   - reply: The reply, filled and finished by the operation's callbacks.
    ///   - ask: Starts the operation with the reply as its user data. Called under the lock.
    /// - Throws: ``DeviceError`` if the server is lost or does not reply within 5 s.
    func wait<Value>(_ step: DeviceStep, _ reply: PulseReply<Value>, _ ask: (UnsafeMutableRawPointer) -> OpaquePointer?) throws(DeviceError)
        -> Value
    {
        let operation = locked { ask(reply.userData) }
        guard let operation else { throw .failed(step, .pulseAudio, code: locked { errorCode }) }
        defer { cancel(operation) }
        let deadline = HostClock.now + Self.timeout
        while reply.finished.wait(timeout: .now() + 0.1) == .timedOut {
            if !locked({ isReady }) {
                throw .noServer(.pulseAudio, code: locked { errorCode })
            }
            if HostClock.now > deadline { throw .timedOut(step, .pulseAudio) }
        }
        return reply.value
    }

    /// Cancels and releases an operation.
    ///
    /// It never calls back, so its reply may be released.
    func cancel(_ operation: OpaquePointer) {
        locked {
            pulse.pointee.pa_operation_cancel(operation)
            pulse.pointee.pa_operation_unref(operation)
        }
    }

    /// Closes the connection.
    ///
    /// No callback runs after the return. Must not be called on the connection's own thread.
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

/// The reply to a request, filled by callbacks on the connection's thread.
final class PulseReply<Value>: PulseUserData, @unchecked Sendable {
    var value: Value
    /// Signalled by the last callback.
    let finished = DispatchSemaphore(value: 0)

    init(_ value: Value) { self.value = value }
}

/// An object that library callbacks receive as their user data.
protocol PulseUserData: AnyObject {}

extension PulseUserData {
    /// The object as user data, not retained.
    var userData: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    /// Returns the object from a callback's user data.
    static func from(_ userData: UnsafeMutableRawPointer?) -> Self? {
        userData.map { Unmanaged<Self>.fromOpaque($0).takeUnretainedValue() }
    }
}
#endif
