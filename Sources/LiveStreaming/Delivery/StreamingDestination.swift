// SPDX-License-Identifier: Apache-2.0

public import AudioPrimitives
public import LiveAudio

/// A server or folder that a live stream goes to, over connections that fail and are opened again.
///
/// A program adds a protocol of its own with two types: this one opens connections, which ``StreamingSink`` uses.
///
/// - *Threads.* A thread of the sink calls all functions of the destination and of its connections, one after the other. They may block:
///   neither the recording nor another destination waits for them, and at the end the sink waits for ``StreamingLimits/closing``.
/// - *Order.* After ``connect(_:)`` the connection gets the units in order, and is closed once. After a failure the next connection
///   gets the units that have not arrived, then those that came meanwhile. Presentation times continue over all connections; a gap in them
///   shows that units were discarded.
/// - *Errors.* Any error ends the connection, and another one follows after a pause. The stream fails if the first connection can't be opened
///   because of a ``StreamingError`` that ``StreamingError/isPermanent``.
///
/// What needs no connection is simpler as an ``/LiveAudio/AccessUnitSink``.
public protocol StreamingDestination: Sendable {
    /// The name to show in messages, without keys and passwords.
    var name: String { get }

    /// Opens a connection, and makes the server ready for access units.
    ///
    /// - Parameter format: The format of the stream.
    func connect(_ format: RecordingFormat) throws -> any StreamingConnection
}

/// An open connection of a destination.
public protocol StreamingConnection: AnyObject {
    /// Sends an access unit.
    func send(_ unit: AccessUnit) throws

    /// The number of the latest units of which the other side has not confirmed the arrival; 0 by default.
    ///
    /// After a failure they are sent again over the next connection, with the one that could not be sent. Also valid after
    /// ``close(isComplete:)``.
    var unconfirmedUnitCount: Int { get }

    /// Handles what the server has sent; called at least twice a second while no units come. Does nothing by default.
    func idle() throws

    /// Ends the stream properly, as far as the connection permits, and closes it.
    ///
    /// - Parameter isComplete: Whether the stream ends here; false after a failure, when another connection follows.
    /// - Throws: Any error if the end of the stream could not be sent or stored.
    func close(isComplete: Bool) throws
}

extension StreamingConnection {
    /// None.
    public var unconfirmedUnitCount: Int { 0 }

    /// Does nothing.
    public func idle() {}
}

/// The rules for the delivery to a destination.
package struct DeliveryRules: Sendable {
    /// The least duration of the queue that the destination can work with.
    var leastQueueDuration = Duration.zero
    /// Whether a queue that grows shows that the bit rate is too high, as with a network; false for folders.
    var limitsBitRate = true
    /// Whether each unit is sent when it comes.
    ///
    /// A destination that collects units anyway wakes its thread twice a second instead.
    var sendsAtOnce = true
    /// Whether the stream has failed if units are missing at its end, in place of going on without what it missed.
    package var needsAllUnits = false

    /// Creates the rules for servers.
    package init() {}
}

/// A destination of this module, whose waiting ends on request.
package protocol ServerDestination: StreamingDestination {
    /// The rules for the delivery.
    var rules: DeliveryRules { get }

    /// Opens a connection whose waiting ends with ``StreamingError/aborted`` when it is requested, also later.
    func connect(_ format: RecordingFormat, abort: ConnectionAbort) throws -> any StreamingConnection
}

extension ServerDestination {
    package var rules: DeliveryRules { DeliveryRules() }

    /// Opens a connection that nothing ends.
    package func connect(_ format: RecordingFormat) throws -> any StreamingConnection { try connect(format, abort: ConnectionAbort()) }
}

/// A connection that shows titles to listeners.
package protocol TitledConnection: StreamingConnection {
    /// Shows a title.
    func setTitle(_ title: String) throws
}
