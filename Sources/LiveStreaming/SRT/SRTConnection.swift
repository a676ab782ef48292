// SPDX-License-Identifier: Apache-2.0

#if os(Linux)

internal import AudioContainers
internal import AudioPrimitives
internal import SystemLibrary

/// Sends access units as MPEG-TS over SRT.
final class SRTConnection: StreamingConnection {
    /// The maximum number of unacknowledged packets.
    ///
    /// This is about 10 s at 64 kbit/s and 2.5 s at 512 kbit/s, enough for a round trip of 2 s. A larger buffer would hide a slow network
    /// from the queue.
    static let bufferedPacketCount = 128
    /// The bytes per SRT packet: seven transport stream packets, the limit of live mode.
    private static let packetSize = 7 * 188
    /// The time beyond the latency until a receiver has delivered the last packet: ten times its usual polling delay.
    private static let deliveryMargin = Duration.milliseconds(100)

    private let socket: SRTSocket
    private var writer: TransportStreamWriter<MemorySink>
    private let heldUnitCount: Int
    private let timeout: Duration
    private let abort: ConnectionAbort
    private var packetCount = 0
    private var acknowledgedPacketCount = 0
    /// For each unconfirmed access unit, the number of packets sent up to its end; `Int.max` until it is completely sent.
    private var unitEnds: [Int] = []

    /// - Parameters:
    ///   - socket: A connected socket.
    ///   - heldUnitCount: The number of the latest access units that the writer has not written.
    ///   - timeout: The time limit for sending a packet and for the final acknowledgement.
    ///   - abort: Ends all waiting.
    init(
        _ socket: SRTSocket, writer: TransportStreamWriter<MemorySink>, heldUnitCount: Int, timeout: Duration, abort: ConnectionAbort
    ) {
        self.socket = socket
        self.writer = writer
        self.heldUnitCount = heldUnitCount
        self.timeout = timeout
        self.abort = abort
    }

    /// Adds an access unit to the pending PES packet, and sends the previous PES packet once complete.
    ///
    /// Skips an access unit that ADTS cannot contain (empty or longer than 8184 bytes), because it would fail on every connection.
    func send(_ accessUnit: AccessUnit) throws(StreamingError) {
        unitEnds.append(.max)
        guard socket.isConnected else { throw .closedByPeer }
        do throws(ContainerError) {
            try writer.append(accessUnit)
        } catch {
            unitEnds.removeLast()
            return
        }
        // The written packets do not contain the latest access unit, with Opus the latest two.
        try sendPackets(completing: max(0, unitEnds.count - heldUnitCount))
    }

    var unconfirmedUnitCount: Int {
        updateAcknowledgements()
        return unitEnds.count
    }

    /// Sends the pending PES packet, and detects the end of the connection.
    func idle() throws(StreamingError) {
        // After the end of the connection libsrt no longer reports acknowledgements.
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
        // When the connection ends, a receiver discards the packets that it still delays by the latency.
        let end = ContinuousClock.now + socket.latency + Self.deliveryMargin
        while ContinuousClock.now < end, socket.isConnected, !abort.isRequested { usleep(10_000) }
    }

    /// Sends the pending PES packet.
    private func flush() throws(StreamingError) {
        // Writing to memory cannot fail.
        try? writer.finish(nil)
        try sendPackets(completing: unitEnds.count)
    }

    /// Sends the transport stream packets written so far.
    ///
    /// - Parameter count: The number of unconfirmed access units that these packets complete.
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

    /// Updates the acknowledged packets, as long as libsrt reports them.
    private func updateAcknowledgements() {
        if let count = socket.unacknowledgedPacketCount { acknowledgedPacketCount = max(acknowledgedPacketCount, packetCount - count) }
        let arrived = acknowledgedPacketCount
        unitEnds.removeAll { $0 <= arrived }
    }
}

#endif
