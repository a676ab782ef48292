// SPDX-License-Identifier: Apache-2.0

/// A connection to a server, encrypted or not, whose operations have time limits; used by one thread at a time.
package protocol ServerConnection: AnyObject {
    /// The number of bytes passed to the system so far, with what encryption adds.
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
