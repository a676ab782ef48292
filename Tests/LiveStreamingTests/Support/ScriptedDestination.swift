// SPDX-License-Identifier: Apache-2.0

import AudioPrimitives
import LiveAudio
import LiveStreaming
import Synchronization

/// A destination that does what a test tells it.
final class ScriptedDestination: ServerDestination {
    /// The behaviour of one connection.
    struct Connection {
        /// The error of the attempt to connect; nil for success.
        var failure: StreamingError?
        /// The time of the attempt to connect, which nothing ends.
        var connectionDelay = Duration.zero
        /// The number of units that are accepted; the next one fails with `closedByPeer`.
        var unitLimit = Int.max
        /// The number of the latest accepted units that do not arrive if the connection fails.
        var unconfirmedCount = 0
        /// Whether each unit waits until the stream ends.
        var isStuck = false
        /// Whether each unit takes some milliseconds, as on a slow disk, also after the end was requested.
        var isSlow = false
    }

    /// The values that the tests read.
    struct Record {
        /// The values of the units that arrived, in order.
        var arrived: [UInt32] = []
        /// The titles that were set.
        var titles: [String] = []
        /// Whether each connection was closed completely.
        var closings: [Bool] = []
    }

    let name = "scripted"
    let rules: DeliveryRules
    let record = Mutex(Record())
    private let script: Mutex<[Connection]>

    /// Creates a destination whose connections follow the script; the last one is repeated.
    init(_ script: [Connection], needsAllUnits: Bool = false) {
        self.script = Mutex(script)
        var rules = DeliveryRules()
        rules.needsAllUnits = needsAllUnits
        self.rules = rules
    }

    func connect(_ format: RecordingFormat, abort: ConnectionAbort) throws(StreamingError) -> any StreamingConnection {
        let connection = script.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] }
        let start = ContinuousClock.now
        while ContinuousClock.now - start < connection.connectionDelay { usleepForAMoment() }
        if let failure = connection.failure { throw failure }
        return ScriptedConnection(connection, record: self, abort: abort)
    }
}

/// A connection of a ``ScriptedDestination``.
private final class ScriptedConnection: TitledConnection {
    private let script: ScriptedDestination.Connection
    private let destination: ScriptedDestination
    private let abort: ConnectionAbort
    private var accepted: [UInt32] = []
    private var unitCount = 0
    private(set) var unconfirmedUnitCount = 0

    init(_ script: ScriptedDestination.Connection, record destination: ScriptedDestination, abort: ConnectionAbort) {
        self.script = script
        self.destination = destination
        self.abort = abort
    }

    func send(_ unit: AccessUnit) throws(StreamingError) {
        unconfirmedUnitCount += 1
        if script.isStuck {
            while !abort.isRequested { usleepForAMoment() }
            throw .aborted
        }
        if script.isSlow { for _ in 0..<20 { usleepForAMoment() } }
        guard unitCount < script.unitLimit else { throw .closedByPeer }
        unitCount += 1
        accepted.append(unit.number)
        unconfirmedUnitCount = min(unconfirmedUnitCount, script.unconfirmedCount)
        let arriving = accepted.prefix(accepted.count - unconfirmedUnitCount)
        destination.record.withLock { $0.arrived += arriving }
        accepted.removeFirst(arriving.count)
    }

    func setTitle(_ title: String) { destination.record.withLock { $0.titles.append(title) } }

    func close(isComplete: Bool) {
        if isComplete {
            destination.record.withLock { $0.arrived += accepted }
            unconfirmedUnitCount = 0
        }
        destination.record.withLock { $0.closings.append(isComplete) }
    }
}

extension AccessUnit {
    /// A unit of 1024 frames at 48 kHz that carries a number.
    init(number: Int) {
        self.init(
            payload: (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) },
            presentationTime: MediaTime(value: Int64(number) * 1024, timescale: 48_000), duration: 1024)
    }

    /// The number that the unit carries.
    var number: UInt32 { payload.prefix(4).reduce(0) { $0 << 8 | UInt32($1) } }
}
