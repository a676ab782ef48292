// SPDX-License-Identifier: Apache-2.0

#if canImport(Network)
internal import Dispatch
internal import Foundation
internal import Network
internal import Synchronization
internal import SystemLibrary

/// The reports of an `NWConnection` on its queue, for which a thread waits.
///
/// They refer to no connection, so that a late handler keeps none.
final class SystemConnectionEvents: Sendable {
    private let state = Mutex(State())
    private let changed = DispatchSemaphore(value: 0)

    /// The state that was reported.
    var current: State { state.withLock { $0 } }

    /// Takes a report.
    func update(_ change: (inout sending State) -> Void) {
        state.withLock { change(&$0) }
        changed.signal()
    }

    /// Waits until a function has a result; returns nil at the deadline.
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
    /// The state of a connection.
    struct State: Sendable {
        /// Whether bytes can be sent and received.
        private(set) var isReady = false
        /// Why it is not ready yet; it may still become ready.
        private(set) var waitingReason: NWError?
        /// The first error that ends the connection; errors after it say less.
        private(set) var failure: NWError?
        /// Why the latest certificate can't be trusted.
        var untrustedReason: String?
        /// Whether the server has ended its direction.
        private(set) var isEnded = false
        /// The bytes that have arrived and were not taken.
        var received: [UInt8] = []
        /// Whether bytes were asked for.
        var isReceiving = false
        /// The number of contents whose completion has not come, and of their bytes.
        private(set) var sendCount = 0
        private(set) var unprocessedByteCount = 0

        /// Whether more bytes can be asked for.
        var canReceive: Bool { !isReceiving && received.isEmpty && !isEnded && failure == nil }

        /// Takes a state of the connection.
        mutating func take(_ state: NWConnection.State) {
            switch state {
            case .preparing: waitingReason = nil
            case .ready: isReady = true
            // A stream that has to be opened again is another stream.
            case .waiting(let error) where isReady || error.isLasting: fail(error)
            case .waiting(let error): waitingReason = error
            case .failed(let error): fail(error)
            case .cancelled: fail(.posix(.ECANCELED))
            default: break
            }
        }

        /// Takes the outcome of receiving: bytes, the end, both, or an error.
        mutating func take(_ content: Data?, isComplete: Bool, _ error: NWError?) {
            isReceiving = false
            if let content { received += content }
            if isComplete { isEnded = true }
            if let error { fail(error) }
        }

        /// Notes that content was passed to the connection.
        mutating func beginSending(_ byteCount: Int) {
            sendCount += 1
            unprocessedByteCount += byteCount
        }

        /// Takes the completion of content.
        mutating func endSending(_ byteCount: Int, _ error: NWError?) {
            if let error { return fail(error) }
            sendCount -= 1
            unprocessedByteCount -= byteCount
        }

        /// Keeps the first error.
        private mutating func fail(_ error: NWError) { if failure == nil { failure = error } }
    }
}
#endif
