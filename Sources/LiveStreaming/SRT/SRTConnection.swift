// SPDX-License-Identifier: Apache-2.0

#if os(Linux)

internal import AudioContainers
internal import AudioPrimitives
internal import SystemLibrary

/// Sends access units as MPEG-TS over SRT.
final class SRTConnection: StreamingConnection {
    /// The most packets that wait for their acknowledgement.
    ///
    /// At 64 kb/s these are about 10 s, at 512 kb/s 2.5 s, and enough for a round trip of 2 s; more would hide from the queue that the
    /// network is slow.
    static let bufferedPacketCount = 128
    /// The bytes of a packet: seven of a transport stream, which is the limit of live mode for them.
    private static let packetSize = 7 * 188
    /// The time beyond the latency until a receiver has delivered the last packet: ten times its usual delay of a poll.
    private static let deliveryMargin = Duration.milliseconds(100)

    private let socket: SRTSocket
    private var writer: TransportStreamWriter<MemorySink>
    private let timeout: Duration
    private let abort: ConnectionAbort
    /// The number of packets sent.
    private var packetCount = 0
    /// The number of packets whose arrival is acknowledged.
    private var acknowledgedPacketCount = 0
    /// The number of packets sent up to the end of each unit whose arrival is not confirmed; `Int.max` for units not sent completely.
    private var unitEnds: [Int] = []

    /// Creates a connection.
    ///
    /// - Parameters:
    ///   - socket: A connected socket.
    ///   - writer: Makes the packets of the transport stream.
    ///   - timeout: The time for sending a packet, and for the last acknowledgement.
    ///   - abort: Ends all waiting.
    init(_ socket: SRTSocket, writer: TransportStreamWriter<MemorySink>, timeout: Duration, abort: ConnectionAbort) {
        self.socket = socket
        self.writer = writer
        self.timeout = timeout
        self.abort = abort
    }

    /// Adds a unit to the PES packet in preparation, and sends the one before when it is complete.
    ///
    /// A unit that ADTS can't hold, because it is empty or longer than 8184 bytes, is left out: every connection would fail at it.
    func send(_ unit: AccessUnit) throws(StreamingError) {
        unitEnds.append(.max)
        guard socket.isConnected else { throw .closedByPeer }
        do throws(ContainerError) {
            try writer.append(unit)
        } catch {
            unitEnds.removeLast()
            return
        }
        // The packets written do not have the latest unit.
        try sendPackets(completing: unitEnds.count - 1)
    }

    var unconfirmedUnitCount: Int {
        updateAcknowledgements()
        return unitEnds.count
    }

    /// Sends what is in preparation, and notices the end of the connection.
    func idle() throws(StreamingError) {
        // After the end of the connection the library does not know it any more.
        updateAcknowledgements()
        guard socket.isConnected else { throw .closedByPeer }
        try flush()
    }

    /// Waits until everything is acknowledged and delivered, and closes the connection.
    func close(isComplete: Bool) throws(StreamingError) {
        defer {
            updateAcknowledgements()
            socket.close()
        }
        guard isComplete else { return }
        try flush()
        try socket.waitForAcknowledgement(timeout: timeout, abort: abort)
        // A receiver discards the packets that it holds back for the latency when the connection ends.
        let end = ContinuousClock.now + socket.latency + Self.deliveryMargin
        while ContinuousClock.now < end, socket.isConnected, !abort.isRequested { usleep(10_000) }
    }

    /// Sends the PES packet in preparation.
    private func flush() throws(StreamingError) {
        // Writing to memory does not fail.
        try? writer.finish(nil)
        try sendPackets(completing: unitEnds.count)
    }

    /// Sends the packets of the transport stream that the writer has made.
    ///
    /// - Parameter count: The number of units, of those not confirmed, that these packets complete.
    private func sendPackets(completing count: Int) throws(StreamingError) {
        var rest = writer.sink.removeBytes()[...]
        guard !rest.isEmpty else { return }
        while !rest.isEmpty {
            try socket.send(rest.prefix(Self.packetSize), timeout: timeout, abort: abort)
            packetCount += 1
            rest = rest.dropFirst(Self.packetSize)
        }
        for index in unitEnds.indices.prefix(count) where unitEnds[index] == .max { unitEnds[index] = packetCount }
    }

    /// Asks which packets have arrived, as long as the library knows it.
    private func updateAcknowledgements() {
        if let count = socket.unacknowledgedPacketCount { acknowledgedPacketCount = max(acknowledgedPacketCount, packetCount - count) }
        let arrived = acknowledgedPacketCount
        unitEnds.removeAll { $0 <= arrived }
    }
}

#endif
