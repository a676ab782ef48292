// SPDX-License-Identifier: Apache-2.0

/// A connection to a server, encrypted or not, whose operations have time limits; used by one thread at a time.
package protocol ServerConnection: AnyObject {
    /// The number of bytes passed to the system so far, with what encryption adds where that is known.
    var sentByteCount: Int { get }

    /// The number of these bytes whose arrival the other system has not confirmed; also valid after a failure and after ``close()``.
    var unconfirmedByteCount: Int { get }

    /// Sends all bytes.
    func send(_ bytes: [UInt8], timeout: Duration) throws(StreamingError)

    /// Returns the next bytes that arrive; empty if none do within the time.
    func receive(timeout: Duration) throws(StreamingError) -> [UInt8]

    /// Tells the other side that nothing more is sent, and waits until it has received everything.
    func finish(timeout: Duration) throws(StreamingError)

    /// Closes the connection.
    func close()
}

extension ServerConnection {
    /// The time after which a server that has confirmed everything is not waited for; a quarter of the time for the end of a stream.
    private var closingSilence: Duration { .seconds(1) }

    /// Waits until the other side has received everything, after the end was sent.
    ///
    /// Ends once the other system has confirmed everything and has not closed within the longest silence: some servers never close.
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
