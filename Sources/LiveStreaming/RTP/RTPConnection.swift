// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives
internal import SystemLibrary

/// Sends access units in RTP packets, with RTCP sender reports.
///
/// Must be used by one thread.
final class RTPConnection: StreamingConnection {
    /// The time between two reports (RFC 3550, 6.2).
    private static let reportInterval = Duration.seconds(5)
    /// The seconds from 1900 to 1970.
    private static let secondsTo1970: UInt64 = 2_208_988_800
    /// The bytes of the packet header and of the encryption overhead.
    private static let overhead = RTPPacket.headerLength + 10

    private let description: SessionDescription
    private let stream: UDPSocket
    private let control: UDPSocket
    private let encryption: SRTPSession?
    private let packetizer: RTPPacketizer
    private let unitsPerPacket: Int
    /// Access units waiting for others in the same packet.
    private var pending: [AccessUnit] = []
    private let source: UInt32
    private let firstTimestamp: UInt32
    private var sequenceNumber: UInt16
    private var (packetCount, byteCount): (UInt32, UInt32) = (0, 0)
    private var latestTimestamp: UInt32 = 0
    private var latestReport: ContinuousClock.Instant?

    /// Creates a connection with random initial numbers, as RFC 3550 requires.
    init(
        _ description: SessionDescription, stream: UDPSocket, control: UDPSocket, encryption: SRTPSession?, unitsPerPacket: Int,
        packetSize: Int
    ) {
        self.description = description
        self.stream = stream
        self.control = control
        self.encryption = encryption
        self.unitsPerPacket = unitsPerPacket
        packetizer = RTPPacketizer(description.format, limit: packetSize - Self.overhead)
        source = .random(in: 1...UInt32.max)
        firstTimestamp = .random(in: 0...UInt32.max)
        sequenceNumber = .random(in: 0...UInt16.max)
    }

    var unconfirmedUnitCount: Int { pending.count }

    /// Sends an access unit, or holds it for a packet with the following ones.
    func send(_ accessUnit: AccessUnit) throws(StreamingError) {
        let follows = pending.last.map { $0.presentationTime.advanced(byFrames: $0.duration) == accessUnit.presentationTime } ?? true
        // First, so that it is also unconfirmed after an error.
        pending.append(accessUnit)
        if !follows { try flush(pending.count - 1) }
        if pending.count >= unitsPerPacket { try flush() }
    }

    /// Sends access units that have no successor yet.
    func idle() throws(StreamingError) { try flush() }

    /// Sends the remaining access units and the end of the stream.
    func close(isComplete: Bool) throws(StreamingError) {
        guard isComplete else { return }
        try flush()
        try sendControl(reports() + [.goodbye(sources: [source])])
    }

    /// Sends all pending access units.
    private func flush() throws(StreamingError) { try flush(pending.count) }

    /// Sends the first pending access units, which remain pending after an error.
    ///
    /// Skips an access unit that the format cannot contain, such as an empty one, because it would fail on every connection.
    private func flush(_ count: Int) throws(StreamingError) {
        guard count > 0 else { return }
        let accessUnits = pending[..<count].filter { packetizer.payloads(for: [$0.payload]) != nil }
        for payload in packetizer.payloads(for: accessUnits.map(\.payload)) ?? [] {
            latestTimestamp = timestamp(of: accessUnits[payload.accessUnit])
            let marksUnit = if case .opus = description.format { false } else { payload.endsUnit }
            let packet = RTPPacket(
                marker: marksUnit, payloadType: description.payloadType, sequenceNumber: sequenceNumber, timestamp: latestTimestamp,
                source: source, payload: payload.bytes)
            sequenceNumber &+= 1
            packetCount &+= 1
            byteCount &+= UInt32(payload.bytes.count)
            try send(packet.serialized, to: stream, isControl: false)
        }
        pending.removeFirst(count)
        if latestReport.map({ ContinuousClock.now - $0 >= Self.reportInterval }) ?? true {
            latestReport = .now
            try sendControl(reports())
        }
    }

    private func timestamp(of accessUnit: AccessUnit) -> UInt32 {
        let time = accessUnit.presentationTime
        let (quotient, remainder) = time.value.quotientAndRemainder(dividingBy: Int64(time.timescale))
        let rate = Int64(description.clockRate)
        let ticks = quotient &* rate &+ remainder * rate / Int64(time.timescale)
        return firstTimestamp &+ UInt32(truncatingIfNeeded: ticks)
    }

    /// Returns a sender report and the sender's name.
    private func reports() -> [RTCPPacket] {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        let seconds = UInt64(truncatingIfNeeded: now.tv_sec) &+ Self.secondsTo1970
        let fraction = UInt64(truncatingIfNeeded: now.tv_nsec) << 32 / 1_000_000_000
        return [
            .senderReport(
                source: source, clockTime: seconds << 32 | fraction, timestamp: latestTimestamp, packetCount: packetCount,
                byteCount: byteCount),
            // A name that reveals nothing about the machine (RFC 7022).
            .name(source: source, name: "linnet-\(String(source, radix: 16))"),
        ]
    }

    private func sendControl(_ packets: [RTCPPacket]) throws(StreamingError) {
        try send(RTCPPacket.serialize(packets), to: control, isControl: true)
    }

    /// Sends a datagram, encrypted if the stream is encrypted.
    private func send(_ bytes: [UInt8], to socket: UDPSocket, isControl: Bool) throws(StreamingError) {
        var datagram = bytes
        if let encryption {
            guard let encrypted = encryption.protect(bytes, isControl: isControl) else {
                throw .encryptionFailed(reason: "cannot encrypt a packet")
            }
            datagram = encrypted
        }
        try socket.send(datagram)
    }
}
