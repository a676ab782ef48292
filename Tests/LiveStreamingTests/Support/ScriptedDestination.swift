// SPDX-License-Identifier: Apache-2.0

import AudioPrimitives
import LiveAudio
import LiveStreaming
import Synchronization

/// A destination controlled by a test.
final class ScriptedDestination: ServerDestination {
    /// The behaviour of one connection.
    struct Connection {
        /// The error of the connection attempt; `nil` for success.
        var failure: StreamingError?
        /// The duration of the connection attempt, which cannot be aborted.
        var connectionDelay = Duration.zero
        /// The number of accepted access units.
        ///
        /// The next one fails with `closedByPeer`.
        var unitLimit = Int.max
        /// The number of latest accepted access units that do not arrive if the connection fails.
        var unconfirmedCount = 0
        /// Whether each access unit blocks until the stream ends.
        var isStuck = false
        /// Whether each access unit takes some milliseconds, as on a slow disk, even after the end was requested.
        var isSlow = false
    }

    /// The values that tests read.
    struct Record {
        /// The numbers of the access units that arrived, in order.
        var arrived: [UInt32] = []
        var titles: [String] = []
        /// Whether each connection was closed completely.
        var closings: [Bool] = []
    }

    let name = "scripted"
    let rules: DeliveryRules
    let record = Mutex(Record())
    private let script: Mutex<[Connection]>

    /// Creates a destination whose connections follow the script.
    ///
    /// The last one repeats.
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
    private var accessUnitCount = 0
    private(set) var unconfirmedUnitCount = 0

    init(_ script: ScriptedDestination.Connection, record destination: ScriptedDestination, abort: ConnectionAbort) {
        self.script = script
        self.destination = destination
        self.abort = abort
    }

    func send(_ accessUnit: AccessUnit) throws(StreamingError) {
        unconfirmedUnitCount += 1
        if script.isStuck {
            while !abort.isRequested { usleepForAMoment() }
            throw .aborted
        }
        if script.isSlow { for _ in 0..<20 { usleepForAMoment() } }
        guard accessUnitCount < script.unitLimit else { throw .closedByPeer }
        accessUnitCount += 1
        accepted.append(accessUnit.number)
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
    /// Creates an access unit of 1024 frames at 48 kHz that carries a number.
    init(number: Int) {
        self.init(
            payload: (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) },
            presentationTime: MediaTime(value: Int64(number) * 1024, timescale: 48_000), duration: 1024)
    }

    /// The carried number.
    var number: UInt32 { payload.prefix(4).reduce(0) { $0 << 8 | UInt32($1) } }
}
