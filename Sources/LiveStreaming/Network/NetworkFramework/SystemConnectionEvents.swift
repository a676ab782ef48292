// SPDX-License-Identifier: Apache-2.0

#if canImport(Network)
internal import Dispatch
internal import Foundation
internal import Network
internal import Synchronization
internal import SystemLibrary

/// Events of an `NWConnection`, reported on its queue and awaited by a thread.
///
/// Does not refer to the connection, so that a late handler does not keep it alive.
final class SystemConnectionEvents: Sendable {
    private let state = Mutex(State())
    private let changed = DispatchSemaphore(value: 0)

    var current: State { state.withLock { $0 } }

    /// Applies a change and wakes the waiting thread.
    func update(_ change: (inout sending State) -> Void) {
        state.withLock { change(&$0) }
        changed.signal()
    }

    /// Waits until `result` returns a value.
    ///
    /// Returns `nil` at the deadline.
    func wait<Result: Sendable>(
        until deadline: ContinuousClock.Instant, _ abort: ConnectionAbort, for result: (inout sending State) -> Result?
    ) throws(StreamingError) -> Result? {
        while true {
            if abort.isRequested { throw .aborted }
            if let value = state.withLock({ result(&$0) }) { return value }
            let left = ContinuousClock.now.duration(to: deadline) / .milliseconds(1)
            guard left > 0 else { return nil }
            _ = changed.wait(timeout: .now() + .milliseconds(Int(min(left.rounded(.up), Double(ConnectionAbort.reactionTime)))))
        }
    }
}

extension SystemConnectionEvents {
    struct State: Sendable {
        /// Whether the connection can send and receive.
        private(set) var isReady = false
        /// Why the connection is not ready yet.
        ///
        /// It may still become ready.
        private(set) var waitingReason: NWError?
        /// The first fatal error.
        ///
        /// Later errors are less specific.
        private(set) var failure: NWError?
        /// Why the latest certificate is not trusted.
        var untrustedReason: String?
        /// Whether the server has closed its direction.
        private(set) var isEnded = false
        /// Received bytes that have not been read.
        var received: [UInt8] = []
        var isReceiving = false
        /// The number of pending sends, and their bytes.
        private(set) var sendCount = 0
        private(set) var unprocessedByteCount = 0

        /// Whether a new receive may be started.
        var canReceive: Bool { !isReceiving && received.isEmpty && !isEnded && failure == nil }

        mutating func take(_ state: NWConnection.State) {
            switch state {
            case .preparing: waitingReason = nil
            case .ready: isReady = true
            // A reconnected connection would be another stream.
            case .waiting(let error) where isReady || error.isLasting: fail(error)
            case .waiting(let error): waitingReason = error
            case .failed(let error): fail(error)
            case .cancelled: fail(.posix(.ECANCELED))
            default: break
            }
        }

        /// Applies the result of a receive: bytes, the end, both, or an error.
        mutating func take(_ content: Data?, isComplete: Bool, _ error: NWError?) {
            isReceiving = false
            if let content { received += content }
            if isComplete { isEnded = true }
            if let error { fail(error) }
        }

        /// Records a started send.
        mutating func startSending(_ byteCount: Int) {
            sendCount += 1
            unprocessedByteCount += byteCount
        }

        /// Records a completed send.
        mutating func endSending(_ byteCount: Int, _ error: NWError?) {
            if let error { return fail(error) }
            sendCount -= 1
            unprocessedByteCount -= byteCount
        }

        private mutating func fail(_ error: NWError) { if failure == nil { failure = error } }
    }
}
#endif
