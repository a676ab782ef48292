// SPDX-License-Identifier: Apache-2.0

package import AudioPrimitives
package import LiveAudio

/// A server or folder that a live stream goes to, over connections that fail and are opened again.
///
/// A destination without confirmations, as of RTP, counts each unit as arrived when it is sent. What needs no queue either is an
/// ``/LiveAudio/AccessUnitSink``, a public protocol of four functions, which a program can implement too.
package protocol StreamingDestination: Sendable {
    /// The name to show in messages, without keys and passwords.
    var name: String { get }

    /// The least duration of the queue that the destination can work with; zero by default.
    var leastQueueDuration: Duration { get }

    /// Whether a queue that grows shows that the bit rate is too high, as with a network; false for folders.
    var limitsBitRate: Bool { get }

    /// Whether each unit is sent when it comes. A destination that collects units anyway wakes its thread twice a second instead.
    var sendsAtOnce: Bool { get }

    /// Whether the stream has failed if units are missing at its end; false by default, since live streams go on without what they missed.
    var needsAllUnits: Bool { get }

    /// Opens a connection, and makes the server ready for access units.
    ///
    /// Called by one thread, for the first connection of a stream and after each failure. Presentation times continue over all connections.
    ///
    /// - Parameters:
    ///   - format: The format of the stream.
    ///   - abort: Ends all waiting of the connection, also later, with ``StreamingError/aborted``.
    /// - Throws: ``StreamingError``.
    func connect(_ format: RecordingFormat, abort: ConnectionAbort) throws(StreamingError) -> any StreamingConnection
}

extension StreamingDestination {
    /// No least duration.
    package var leastQueueDuration: Duration { .zero }

    /// True.
    package var limitsBitRate: Bool { true }

    /// True.
    package var sendsAtOnce: Bool { true }

    /// False.
    package var needsAllUnits: Bool { false }
}

/// An open connection of a destination; used by one thread.
package protocol StreamingConnection: AnyObject {
    /// Sends an access unit; its presentation time shows whether units are missing before it.
    ///
    /// - Throws: ``StreamingError``; the connection is then closed, and another one opened.
    func send(_ unit: AccessUnit) throws(StreamingError)

    /// The number of the latest units passed to ``send(_:)`` of which the other side has not confirmed the arrival, with that of a call that
    /// threw.
    ///
    /// After a failure they are sent again over the next connection. Also valid after ``close(isComplete:)``.
    var unconfirmedUnitCount: Int { get }

    /// Handles what the server has sent; called at least twice a second while no units come.
    func idle() throws(StreamingError)

    /// Shows a title to listeners, where the protocol has one.
    func setTitle(_ title: String) throws(StreamingError)

    /// Ends the stream properly, as far as the connection permits, and closes it.
    ///
    /// - Parameter isComplete: Whether the stream ends here; false after a failure, when another connection follows.
    /// - Throws: ``StreamingError`` if the end of the stream could not be sent or stored.
    func close(isComplete: Bool) throws(StreamingError)
}

extension StreamingConnection {
    /// Does nothing.
    package func idle() {}

    /// Does nothing.
    package func setTitle(_ title: String) {}
}
