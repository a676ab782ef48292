// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives

/// The next step of a stream that is received.
package enum RTPStep: Hashable, Sendable {
    /// An access unit to be decoded.
    case unit(RTPUnit)
    /// An access unit that is missing: as much audio as the one before had is to be concealed.
    case missing
    /// Nothing is due before a time, or before another packet arrives; nil if only a packet can change that.
    case wait(until: Duration?)
    /// The stream has ended.
    case ended
}

/// Puts the packets of a stream in order, and says which audio is due and what is missing: a pure value, to which all times are told.
///
/// Packets wait until they are next in order, or their audio is due. The audio keeps the time of the stream: where time stamps leave a gap, as
/// many units are missing as fill it.
package struct RTPReception: Sendable {
    /// A packet that waits.
    private struct Waiting {
        var packet: RTPPacket
        var number: Int64
        var time: Int64
        /// Whether the time stamps start anew with it.
        var startsAnew: Bool
    }

    /// The most packets and bytes that wait; beyond them the first one counts as due.
    private static let (mostPackets, mostBytes) = (1024, 4_000_000)

    private let description: SessionDescription
    /// Whether audio that does not arrive is missing as soon as it is due, as for playback; else when a later packet shows it.
    private let isPaced: Bool
    /// The time without packets after which the stream counts as ended.
    private let silenceLimit: Duration
    private var sequence = RTPSequence()
    private var clock: RTPPlayoutClock
    private var depacketizer: RTPDepacketizer
    private var waiting: [Waiting] = []
    private var waitingByteCount = 0
    /// The number of the packet that is next in order.
    private var nextNumber: Int64?
    /// The rest of the units of the packet that has had its turn.
    private var units: ArraySlice<RTPUnit> = []
    /// Whether the time starts anew with the first of them, and whether the packet was found late.
    private var (startsAnew, isLate) = (false, false)
    /// Whether the packet is the next one after that of the last unit, and no audio between them was concealed.
    private var isNext = false
    /// The time at which the next unit has to begin, and the duration of the last one.
    private var expected: Int64?
    private var unitDuration = 0
    /// Whether audio was concealed since the last unit.
    private var hasConcealed = false
    private var latestTime: Int64?
    private var latestArrival: Duration?
    private var source: UInt32?
    private var hasEnded = false
    /// The time at which a stream ends whose sender has said so: what it overtook may arrive until then.
    private var endTime: Duration?
    private var counts = RTPStatistics()

    /// Creates the state before the first packet.
    ///
    /// - Parameters:
    ///   - description: The stream.
    ///   - latency: The time that a packet may be later than the fastest ones.
    ///   - isPaced: Whether audio is given out when it is due, rather than as soon as it is in order.
    ///   - silenceLimit: The time without packets after which the stream counts as ended.
    package init(_ description: SessionDescription, latency: Duration, isPaced: Bool, silenceLimit: Duration) {
        self.description = description
        self.isPaced = isPaced
        self.silenceLimit = silenceLimit
        clock = RTPPlayoutClock(latency: latency, clockRate: description.clockRate)
        depacketizer = RTPDepacketizer(description)
    }

    /// The counts so far, without those of the decoder.
    package var statistics: RTPStatistics {
        var result = counts
        result.receivedPacketCount = sequence.receivedCount
        result.lostPacketCount = sequence.lostCount
        result.duplicatePacketCount = sequence.duplicateCount
        result.malformedPacketCount += depacketizer.malformedCount
        return result
    }

    /// Whether a packet of the stream has arrived.
    package var hasBegun: Bool { latestArrival != nil }

    // MARK: Arrival

    /// Takes a datagram of the stream.
    package mutating func receive(_ datagram: [UInt8], at arrival: Duration) {
        guard let packet = RTPPacket(parsing: datagram), packet.payloadType == description.payloadType else {
            counts.malformedPacketCount += 1
            return
        }
        guard case .new(let number, let isNewStart) = sequence.take(source: packet.source, number: packet.sequenceNumber) else { return }
        source = packet.source
        latestArrival = max(arrival, latestArrival ?? arrival)
        let time = extended(packet.timestamp, startsAnew: isNewStart)
        if isNewStart { latestTime = time } else { latestTime = max(time, latestTime ?? time) }
        let startsAnew = clock.take(time, arrival: arrival) || isNewStart
        if startsAnew, expected != nil { counts.restartCount += 1 }
        if let nextNumber, number < nextNumber {
            counts.latePacketCount += 1
            return
        }
        let index = waiting.lastIndex { $0.number < number }.map { $0 + 1 } ?? 0
        waiting.insert(Waiting(packet: packet, number: number, time: time, startsAnew: startsAnew), at: index)
        waitingByteCount += packet.payload.count
    }

    /// Takes a datagram of reports.
    package mutating func receiveControl(_ datagram: [UInt8], at arrival: Duration) {
        guard let source, RTCPPacket.endedSources(in: datagram).contains(source) else { return }
        endTime = endTime ?? arrival + clock.latency
    }

    /// Returns a time stamp counted without wrapping.
    private func extended(_ timestamp: UInt32, startsAnew: Bool) -> Int64 {
        guard let latestTime else { return Int64(timestamp) }
        return latestTime + Int64(Int32(bitPattern: timestamp &- UInt32(truncatingIfNeeded: latestTime)))
    }

    // MARK: Playout

    /// Returns the next step at a time.
    package mutating func next(at now: Duration) -> RTPStep {
        if let latestArrival, now - latestArrival >= silenceLimit { hasEnded = true }
        if let endTime, now >= endTime { hasEnded = true }
        while true {
            if let step = stepOfUnits() { return step }
            guard let head = waiting.first else { break }
            let isInOrder = !isPaced && head.number == nextNumber
            let isFull = waiting.count > Self.mostPackets || waitingByteCount > Self.mostBytes
            guard isInOrder || isFull || hasEnded || clock.due(head.time).map({ $0 <= now }) ?? true else { break }
            waiting.removeFirst()
            waitingByteCount -= head.packet.payload.count
            isNext = head.number == nextNumber && !hasConcealed
            nextNumber = head.number + 1
            units =
                depacketizer.units(
                    of: head.packet.payload, marker: head.packet.marker, number: head.number, time: head.time)[...]
            // A unit of several packets begins with the first of them.
            startsAnew = startsAnew || head.startsAnew
            isLate = false
        }
        if hasEnded { return .ended }
        var times = waiting.first.flatMap { clock.due($0.time) }.map { [$0] } ?? []
        if let endTime { times.append(endTime) }
        // After the end nothing is missing.
        if isPaced, endTime == nil, let expected, let due = clock.due(expected) {
            if due <= now { return missingUnit() }
            times.append(due)
        }
        return .wait(until: times.min())
    }

    /// Returns the step of the units whose packets have had their turn; nil without one.
    private mutating func stepOfUnits() -> RTPStep? {
        while let unit = units.first {
            if startsAnew { expected = unit.time }
            startsAnew = false
            var start = expected ?? unit.time
            let difference = unit.time - start
            if 2 * difference >= Int64(max(unitDuration, 1)), unitDuration > 0 { return missingUnit() }
            units.removeFirst()
            if 2 * difference <= -Int64(unit.duration) {
                // Of a unit that an edit list cuts, GStreamer counts the rest only: the next packet then comes as if a part of it were filled.
                guard isNext, difference > -Int64(unit.duration) else {
                    // Its time is filled already.
                    if !isLate { counts.latePacketCount += 1 }
                    isLate = true
                    continue
                }
                start = unit.time
            }
            unitDuration = unit.duration
            hasConcealed = false
            expected = start + Int64(unit.duration)
            counts.unitCount += 1
            return .unit(unit)
        }
        return nil
    }

    /// Returns the step of a missing unit.
    private mutating func missingUnit() -> RTPStep {
        expected = (expected ?? 0) + Int64(max(1, unitDuration))
        hasConcealed = true
        counts.concealedUnitCount += 1
        return .missing
    }
}
