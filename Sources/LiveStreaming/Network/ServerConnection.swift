// SPDX-License-Identifier: Apache-2.0

/// A plain or encrypted connection to a server, whose operations have timeouts.
///
/// Must be used by one thread at a time.
package protocol ServerConnection: AnyObject {
    /// The number of bytes passed to the system so far, including encryption overhead where known.
    var sentByteCount: Int { get }

    /// The number of these bytes that the peer's system has not acknowledged. Valid also after a failure and after ``close()``.
    var unconfirmedByteCount: Int { get }

    func send(_ bytes: [UInt8], timeout: Duration) throws(StreamingError)

    /// Returns the next received bytes; empty after the timeout.
    func receive(timeout: Duration) throws(StreamingError) -> [UInt8]

    /// Closes the sending direction and waits until the server has received everything.
    func finish(timeout: Duration) throws(StreamingError)

    func close()
}

extension ServerConnection {
    /// The time to wait for a server that has acknowledged everything: a quarter of the time for ending a stream.
    private var closingSilence: Duration { .seconds(1) }

    /// Waits until the peer has received everything, after the sending direction was closed.
    ///
    /// Returns once everything is acknowledged and the server has been silent for ``closingSilence``, because some servers never close.
    func waitForEnd(timeout: Duration) throws(StreamingError) {
        let deadline = ContinuousClock.now + timeout
        let silence = min(timeout, closingSilence)
        while ContinuousClock.now < deadline {
            do throws(StreamingError) {
                if try receive(timeout: silence).isEmpty, unconfirmedByteCount == 0 { return }
            } catch StreamingError.closedByPeer {
                return
            }
        }
        throw .timedOut(.send, after: timeout)
    }
}
