// SPDX-License-Identifier: Apache-2.0

internal import AudioPrimitives

/// The next action of a receiver.
package enum RTPStep: Hashable, Sendable {
    case accessUnit(RTPUnit)
    /// Conceal a missing access unit with the duration of the previous one.
    case missing
    /// Wait until a time or until another packet arrives; `nil` waits only for a packet.
    case wait(until: Duration?)
    case ended
}

/// A jitter buffer that orders packets and determines which audio is due or missing.
///
/// A pure value: callers pass all times. Packets wait until they are next in order or their audio is due. The output keeps the stream's
/// timeline: gaps between timestamps become missing access units.
package struct RTPReception: Sendable {
    private struct PendingPacket {
        var packet: RTPPacket
        var number: Int64
        var time: Int64
        /// Whether the timestamps restart with this packet.
        var isDiscontinuous: Bool
        /// When the audio is due, if the clock has restarted since.
        var due: Duration?
    }

    /// The maximum numbers of queued packets and bytes.
    ///
    /// Beyond them, the first packet counts as due, and arriving ones are lost.
    private static let (mostPackets, mostBytes) = (1024, 4_000_000)

    private let description: SessionDescription
    /// Whether audio counts as missing when it is due, as for playback; otherwise when a later packet reveals the loss.
    private let isPaced: Bool
    /// The time without packets after which the stream has ended.
    private let silenceLimit: Duration
    private var sequence = RTPSequence()
    private var clock: RTPPlayoutClock
    private var depacketizer: RTPDepacketizer
    private var waiting: [PendingPacket] = []
    private var waitingByteCount = 0
    /// The number of the next packet in order.
    private var nextNumber: Int64?
    /// The remaining access units of the current packet.
    private var accessUnits: ArraySlice<RTPUnit> = []
    /// Whether the timeline restarts with the first remaining access unit, and whether the packet was counted as late.
    private var (isDiscontinuous, isLate) = (false, false)
    /// Whether the packet directly follows the last access unit's packet, with no audio concealed between them.
    private var isNext = false
    /// The expected start of the next access unit, and the duration of the last one.
    private var expected: Int64?
    private var unitDuration = 0
    /// Whether audio was concealed since the last access unit.
    private var hasConcealed = false
    private var latestArrival: Duration?
    private var source: UInt32?
    private var hasEnded = false
    /// When the stream ends after the sender's BYE.
    ///
    /// Packets that the BYE overtook may arrive until then.
    private var endTime: Duration?
    private var counts = RTPStatistics()

    /// Creates the state before the first packet.
    ///
    /// - Parameters:
    ///   - latency: The maximum delay of a packet relative to the fastest packets.
    ///   - isPaced: Whether audio is output when it is due, instead of as soon as it is in order.
    ///   - silenceLimit: The time without packets after which the stream has ended.
    package init(_ description: SessionDescription, latency: Duration, isPaced: Bool, silenceLimit: Duration) {
        self.description = description
        self.isPaced = isPaced
        self.silenceLimit = silenceLimit
        clock = RTPPlayoutClock(latency: latency, clockRate: description.clockRate)
        depacketizer = RTPDepacketizer(description)
    }

    /// The counts so far, except decoder damage.
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

    package mutating func receive(_ datagram: [UInt8], at arrival: Duration) {
        guard let packet = RTPPacket(parsing: datagram), packet.payloadType == description.payloadType else {
            counts.malformedPacketCount += 1
            return
        }
        guard !isFull else {
            if packet.source == source { latestArrival = max(arrival, latestArrival ?? arrival) }
            return
        }
        guard case .new(let number, let isNewStart) = sequence.take(source: packet.source, number: packet.sequenceNumber) else { return }
        source = packet.source
        latestArrival = max(arrival, latestArrival ?? arrival)
        let time = clock.extended(packet.timestamp)
        var isDiscontinuous = isNewStart || !clock.continues(time, arrival: arrival)
        let index = waiting.lastIndex { $0.number < number }.map { $0 + 1 } ?? 0
        // A packet from before a restart does not restart the stream again.
        if number < nextNumber ?? number || (isDiscontinuous && index < waiting.count) {
            counts.latePacketCount += 1
            return
        }
        if isDiscontinuous {
            for index in waiting.indices { waiting[index].due = due(waiting[index]) }
            clock.start(time, arrival: arrival)
        } else {
            // Without pacing, no audio was filled in for late packets.
            isDiscontinuous = clock.take(time, arrival: arrival) && isPaced
        }
        if isDiscontinuous, expected != nil { counts.restartCount += 1 }
        if index < waiting.count, waiting[index].isDiscontinuous {
            // This packet precedes the one that arrived first after the restart.
            waiting[index].isDiscontinuous = false
            isDiscontinuous = true
        }
        waiting.insert(PendingPacket(packet: packet, number: number, time: time, isDiscontinuous: isDiscontinuous), at: index)
        waitingByteCount += packet.payload.count
    }

    /// Processes a received RTCP datagram.
    package mutating func receiveControl(_ datagram: [UInt8], at arrival: Duration) {
        guard let source, RTCPPacket.endedSources(in: datagram).contains(source) else { return }
        endTime = endTime ?? arrival + clock.latency
    }

    // MARK: Playout

    private var isFull: Bool { waiting.count > Self.mostPackets || waitingByteCount > Self.mostBytes }

    private func due(_ packet: PendingPacket) -> Duration? { packet.due ?? clock.due(packet.time) }

    package mutating func next(at now: Duration) -> RTPStep {
        if let latestArrival, now - latestArrival >= silenceLimit { hasEnded = true }
        if let endTime, now >= endTime { hasEnded = true }
        while true {
            if let step = stepOfUnits() { return step }
            guard let head = waiting.first else { break }
            let isInOrder = !isPaced && head.number == nextNumber
            guard isInOrder || isFull || hasEnded || due(head).map({ $0 <= now }) ?? true else { break }
            waiting.removeFirst()
            waitingByteCount -= head.packet.payload.count
            isNext = head.number == nextNumber && !hasConcealed
            nextNumber = head.number + 1
            accessUnits =
                depacketizer.accessUnits(
                    of: head.packet.payload, marker: head.packet.marker, number: head.number, time: head.time)[...]
            // A fragmented access unit starts with the first of its packets.
            isDiscontinuous = isDiscontinuous || head.isDiscontinuous
            isLate = false
        }
        if hasEnded { return .ended }
        var times = waiting.first.flatMap { due($0) }.map { [$0] } ?? []
        if let endTime { times.append(endTime) }
        // After the end of the stream nothing is missing. With a restart in the queue, the clock already follows the new timestamps.
        let isRestarting = isDiscontinuous || waiting.contains { $0.isDiscontinuous }
        if isPaced, endTime == nil, !isRestarting, let expected, let due = clock.due(expected) {
            if due <= now { return missingUnit() }
            times.append(due)
        }
        return .wait(until: times.min())
    }

    /// Returns the action for the remaining access units of the current packet, if any.
    private mutating func stepOfUnits() -> RTPStep? {
        while let accessUnit = accessUnits.first {
            if isDiscontinuous { expected = accessUnit.time }
            isDiscontinuous = false
            var start = expected ?? accessUnit.time
            let difference = accessUnit.time - start
            if 2 * difference >= Int64(max(unitDuration, 1)), unitDuration > 0 { return missingUnit() }
            accessUnits.removeFirst()
            if 2 * difference <= -Int64(accessUnit.duration) {
                // GStreamer counts only the remaining part of an access unit that an edit list cuts. The next packet then seems to overlap.
                guard isNext, difference > -Int64(accessUnit.duration) else {
                    // Its time has already been filled.
                    if !isLate { counts.latePacketCount += 1 }
                    isLate = true
                    continue
                }
                start = accessUnit.time
            }
            unitDuration = accessUnit.duration
            hasConcealed = false
            expected = start + Int64(accessUnit.duration)
            counts.accessUnitCount += 1
            return .accessUnit(accessUnit)
        }
        return nil
    }

    /// Advances by a missing access unit.
    private mutating func missingUnit() -> RTPStep {
        expected = (expected ?? 0) + Int64(max(1, unitDuration))
        hasConcealed = true
        counts.concealedUnitCount += 1
        return .missing
    }
}
