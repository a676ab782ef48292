// SPDX-License-Identifier: Apache-2.0

public import AudioPrimitives
public import LiveAudio

/// A server or folder that receives a live stream over connections that can fail and be reopened.
///
/// To add a protocol, a program implements two types: this one, which opens connections, and ``StreamingConnection``.
/// ``StreamingSink`` uses both.
///
/// - *Threads.* One thread of the sink calls all functions of the destination and of its connections, one at a time. They may block:
///   neither the recording nor another destination waits for them. At the end the sink waits up to ``StreamingLimits/closing``.
/// - *Order.* After ``connect(_:)`` the connection receives the access units in order and is closed once. After a failure the next
///   connection first receives the access units that were not delivered, then those queued meanwhile. Presentation times continue across
///   connections; a gap in them means that access units were discarded.
/// - *Errors.* Any error ends the connection, and the sink reconnects after a pause. The stream fails if the first connection fails with a
///   ``StreamingError`` that ``StreamingError/isPermanent``.
///
/// A destination that needs no connection can conform to ``/LiveAudio/AccessUnitSink`` instead.
public protocol StreamingDestination: Sendable {
    /// The display name, without keys and passwords.
    var name: String { get }

    /// Opens a connection and prepares the server for access units.
    ///
    /// - Parameter format: The stream's format.
    func connect(_ format: RecordingFormat) throws -> any StreamingConnection
}

/// An open connection to a destination.
public protocol StreamingConnection: AnyObject {
    /// Sends an access unit.
    func send(_ accessUnit: AccessUnit) throws

    /// The number of latest access units whose delivery is not confirmed. The default is 0.
    ///
    /// After a failure the next connection sends them again, together with the access unit that could not be sent. Must remain valid after
    /// ``close(isComplete:)``.
    var unconfirmedUnitCount: Int { get }

    /// Handles data that the server has sent. Called at least twice per second while no access units arrive. Does nothing by default.
    func idle() throws

    /// Ends the stream as cleanly as the connection permits, and closes the connection.
    ///
    /// - Parameter isComplete: Whether the stream ends here; false after a failure, when another connection follows.
    /// - Throws: Any error if the end of the stream could not be sent or stored.
    func close(isComplete: Bool) throws
}

extension StreamingConnection {
    /// Zero: every sent access unit counts as delivered.
    public var unconfirmedUnitCount: Int { 0 }

    /// Does nothing.
    public func idle() {}
}

package struct DeliveryRules: Sendable {
    var minimumQueueDuration = Duration.zero
    /// Whether a growing queue means that the bit rate is too high, as on a network; false for folders.
    var limitsBitRate = true
    /// The maximum time between access units at which decoding can start; `nil` for no limit.
    var accessPointInterval: Duration?
    /// Whether each access unit is sent as soon as it arrives.
    ///
    /// A destination that collects access units wakes its thread twice per second instead.
    var sendsAtOnce = true
    /// Whether lost access units are a failure of the whole stream: true for folders, false for networks.
    package var needsAllUnits = false

    /// Creates the rules for servers.
    package init() {}
}

/// A destination of this module, whose blocking calls can be aborted.
package protocol ServerDestination: StreamingDestination {
    var rules: DeliveryRules { get }

    /// Checks whether the address suits the codec, before anything is opened.
    ///
    /// - Parameter isOpus: Whether the stream is Opus instead of AAC.
    func check(isOpus: Bool) throws(StreamingError)

    /// Opens a connection. After an abort request, pending and later calls throw ``StreamingError/aborted``.
    func connect(_ format: RecordingFormat, abort: ConnectionAbort) throws -> any StreamingConnection
}

extension ServerDestination {
    package var rules: DeliveryRules { DeliveryRules() }

    package func check(isOpus: Bool) {}

    /// Opens a connection that cannot be aborted.
    package func connect(_ format: RecordingFormat) throws -> any StreamingConnection { try connect(format, abort: ConnectionAbort()) }
}

/// A connection that can show titles to listeners.
package protocol TitledConnection: StreamingConnection {
    func setTitle(_ title: String) throws
}
