// SPDX-License-Identifier: Apache-2.0

import LiveStreaming
import MPEG4Audio
import TestSupport
import Testing

/// The jitter buffer as a pure value: the network is a list of arrivals.
@Suite struct RTPReceptionTests {
    /// The arrival of a numbered datagram.
    struct Arrival {
        var number: Int
        var time: Duration
        /// The access units by which the timestamp deviates.
        var jump = 0
    }

    /// The duration of an access unit of 1024 frames at 48 kHz.
    static let accessUnit = Duration.seconds(1024.0 / 48_000)

    /// An AAC-LC stream.
    private static let description = SessionDescription(
        host: "h", port: 2, clockRate: 48_000, channelCount: 2,
        format: .headers(
            AudioSpecificConfig(sampleRate: 48_000, channelConfiguration: ChannelConfiguration(channelCount: 2)), .highBitRate))

    /// Returns the packet of an access unit whose payload is its number.
    ///
    /// Sequence numbers and timestamps soon wrap around.
    private static func packet(_ number: Int, jump: Int = 0) -> [UInt8] {
        let accessUnit = [UInt8(number >> 8 & 0xFF), UInt8(number & 0xFF)]
        return RTPPacket(
            marker: true, payloadType: 97, sequenceNumber: UInt16(truncatingIfNeeded: 65_500 + number),
            timestamp: UInt32(truncatingIfNeeded: Int(UInt32.max) - 20_000 + (number + jump) * 1024), source: 77,
            payload: AUHeaderSection.serialize(sizes: [2], .highBitRate) + accessUnit
        ).serialized
    }

    /// Returns the access unit numbers of received packets in output order, with -1 for missing ones, and the output times.
    private func receive(
        _ arrivals: [Arrival], isPaced: Bool, latency: Duration = .milliseconds(60)
    ) -> (numbers: [Int], times: [Duration], statistics: RTPStatistics) {
        var reception = RTPReception(Self.description, latency: latency, isPaced: isPaced, silenceLimit: .seconds(2))
        var (numbers, times): ([Int], [Duration]) = ([], [])
        var rest = arrivals[...]
        var now = Duration.zero
        while true {
            while let next = rest.first, next.time <= now {
                reception.receive(Self.packet(next.number, jump: next.jump), at: next.time)
                rest = rest.dropFirst()
            }
            switch reception.next(at: now) {
            case .accessUnit(let accessUnit):
                numbers.append(Int(accessUnit.payload[0]) << 8 | Int(accessUnit.payload[1]))
                times.append(now)
            case .missing:
                numbers.append(-1)
                times.append(now)
            case .wait(let time):
                let candidates = [time, rest.first?.time].compactMap { $0 }
                guard let next = candidates.min() else { now += .milliseconds(500); continue }
                now = max(next, now + .microseconds(1))
            case .ended: return (numbers, times, reception.statistics)
            }
        }
    }

    @Test("Lost, duplicate and late packets are counted exactly, and time has no gap", arguments: [0.01, 0.05, 0.1], [false, true])
    func impairments(loss: Double, isPaced: Bool) {
        let seed = UInt64(loss * 1000)
        var random = SeededRandom(seed: seed)
        let count = 3000
        var arrivals: [Arrival] = []
        var (lost, doubled): (Set<Int>, Int) = ([], 0)
        for number in 0..<count {
            let sent = Self.accessUnit * number
            // The first and the last packet arrive, so that all numbers are known.
            if number > 0, number < count - 1, Double.random(in: 0..<1, using: &random) < loss {
                lost.insert(number)
                continue
            }
            // Up to two access units late, and therefore reordered.
            arrivals.append(Arrival(number: number, time: sent + .milliseconds(Int.random(in: 0...45, using: &random))))
            if Double.random(in: 0..<1, using: &random) < loss {
                doubled += 1
                arrivals.append(Arrival(number: number, time: sent + .milliseconds(Int.random(in: 0...45, using: &random))))
            }
        }
        arrivals.sort { $0.time < $1.time }
        let (all, times, statistics) = receive(arrivals, isPaced: isPaced, latency: .milliseconds(110))
        let numbers = all.prefix(count)
        #expect(statistics.lostPacketCount == lost.count, "seed \(seed)")
        #expect(statistics.duplicatePacketCount == doubled && statistics.receivedPacketCount == count - lost.count)
        #expect(statistics.latePacketCount == 0 && statistics.malformedPacketCount == 0 && statistics.restartCount == 0)
        #expect(numbers.elementsEqual((0..<count).map { lost.contains($0) ? -1 : $0 }), "seed \(seed)")
        guard isPaced else { return #expect(all.count == count) }
        // Output at the stream's pace.
        let steps = zip(times.dropFirst(), times).prefix(count - 1).map { ($0 - $1) / .milliseconds(1) }
        #expect(steps.allSatisfy { abs($0 - 64 / 3.0) < 1.1 }, "seed \(seed)")
    }

    @Test("Without loss only the first packet waits for the latency")
    func order() {
        let arrivals = (0..<50).map { Arrival(number: $0, time: Self.accessUnit * $0) }
        let (numbers, times, _) = receive(arrivals, isPaced: false)
        #expect(numbers == Array(0..<50))
        #expect(times[0] == .milliseconds(60) && (5..<50).allSatisfy { times[$0] == arrivals[$0].time })
    }

    @Test("Late packet is counted, and its audio concealed once")
    func late() {
        var arrivals = (0..<100).map { Arrival(number: $0, time: Self.accessUnit * $0) }
        arrivals[40].time += .milliseconds(200)
        arrivals.sort { $0.time < $1.time }
        for isPaced in [false, true] {
            let (numbers, _, statistics) = receive(arrivals, isPaced: isPaced)
            #expect(numbers.prefix(100).elementsEqual((0..<100).map { $0 == 40 ? -1 : $0 }))
            #expect(statistics.latePacketCount == 1 && statistics.lostPacketCount == 0)
        }
    }

    @Test("Access units after a cut first one all arrive")
    func cutUnit() {
        for isPaced in [false, true] {
            var reception = RTPReception(Self.description, latency: .milliseconds(60), isPaced: isPaced, silenceLimit: .seconds(1))
            var accessUnits = 0
            for number in 0..<20 {
                var packet = RTPPacket(parsing: Self.packet(number))
                if number > 0 { packet?.timestamp &-= 545 }
                reception.receive(packet?.serialized ?? [], at: Self.accessUnit * number)
                while case .accessUnit = reception.next(at: Self.accessUnit * number) { accessUnits += 1 }
            }
            while accessUnits < 20, case .accessUnit = reception.next(at: .milliseconds(480)) { accessUnits += 1 }
            #expect(accessUnits == 20 && reception.statistics.latePacketCount == 0 && reception.statistics.concealedUnitCount == 0)
        }
    }

    @Test("Playout follows a sender clock that is off by 200 ppm", arguments: [-0.0002, 0.0002])
    func clock(error: Double) {
        let arrivals = (0..<20_000).map { Arrival(number: $0, time: Self.accessUnit * (Double($0) * (1 + error))) }
        let (numbers, times, statistics) = receive(arrivals, isPaced: true)
        #expect(numbers.prefix(20_000).elementsEqual((0..<20_000).map { $0 & 0xFFFF }) && statistics.latePacketCount == 0)
        let delays = zip(times, arrivals).map { ($0 - $1.time) / .milliseconds(1) }
        #expect(delays.allSatisfy { (57...63).contains($0) }, "\(delays.min() ?? 0) to \(delays.max() ?? 0) ms")
    }

    @Test("Restarted sender is followed from its second packet")
    func restart() {
        var reception = RTPReception(Self.description, latency: .milliseconds(20), isPaced: false, silenceLimit: .seconds(1))
        var accessUnits = 0
        for step in 0..<20 {
            let now = Self.accessUnit * step
            var packet =
                RTPPacket(parsing: Self.packet(step))
                ?? RTPPacket(
                    marker: false, payloadType: 0, sequenceNumber: 0, timestamp: 0, source: 0, payload: [])
            if step >= 10 {
                packet.source = 5
                packet.sequenceNumber = UInt16(step) &+ 20_000
                packet.timestamp &+= 90_000_000
            }
            reception.receive(packet.serialized, at: now)
            while case .accessUnit = reception.next(at: now) { accessUnits += 1 }
        }
        while true {
            let step = reception.next(at: .seconds(3))
            if case .accessUnit = step { accessUnits += 1 }
            if step == .ended { break }
        }
        #expect(accessUnits == 19 && reception.statistics.restartCount == 1 && reception.statistics.lostPacketCount == 0)
        #expect(reception.statistics.concealedUnitCount == 0)
    }

    @Test("Paced playout follows a restart of the timestamps without delay", arguments: [-500, -50_000, 500])
    func timestampRestart(jump: Int) {
        var arrivals = (0..<200).map { Arrival(number: $0, time: Self.accessUnit * $0, jump: $0 < 100 ? 0 : jump) }
        // Neither a reordered packet from before the restart nor one from after it restarts the timeline again.
        (arrivals[99].time, arrivals[100].time) = (Self.accessUnit * 101.2, Self.accessUnit * 101.1)
        let first = arrivals[100].time
        arrivals.sort { $0.time < $1.time }
        let (numbers, times, statistics) = receive(arrivals, isPaced: true)
        #expect(numbers.filter { $0 >= 0 } == (0..<200).filter { $0 != 99 })
        #expect(statistics.restartCount == 1 && statistics.latePacketCount == 1)
        let due = zip(numbers, times).first { $0.0 == 100 }?.1 ?? .zero
        #expect(due < first + .milliseconds(60), "\(due)")
    }

    @Test("Packets of a network stall are late, and the stream continues", arguments: [false, true])
    func stall(isPaced: Bool) {
        let arrivals = (0..<400).map { Arrival(number: $0, time: Self.accessUnit * ((100..<180).contains($0) ? 180 : $0)) }
        let (numbers, times, statistics) = receive(arrivals, isPaced: isPaced)
        #expect(statistics.restartCount == 0 && statistics.lostPacketCount == 0)
        guard isPaced else { return #expect(numbers == Array(0..<400) && statistics.latePacketCount == 0) }
        // The last two arrive before they are due.
        #expect(numbers.prefix(400).elementsEqual((0..<400).map { (100..<178).contains($0) ? -1 : $0 }))
        let delays = zip(times, 0..<400).map { ($0 - Self.accessUnit * $1) / .milliseconds(1) }
        #expect(statistics.latePacketCount == 78 && delays.allSatisfy { (58...62).contains($0) })
    }

    @Test("Packet that is late by more than a second restarts nothing", arguments: [false, true])
    func veryLate(isPaced: Bool) {
        var arrivals = (0..<300).map { Arrival(number: $0, time: Self.accessUnit * $0) }
        arrivals[40].time += .seconds(2)
        arrivals.sort { $0.time < $1.time }
        let (numbers, _, statistics) = receive(arrivals, isPaced: isPaced)
        #expect(numbers.prefix(300).elementsEqual((0..<300).map { $0 == 40 ? -1 : $0 }))
        #expect(statistics.restartCount == 0 && statistics.latePacketCount == 1)
    }

    @Test("Lasting delay restarts paced playout after 250 ms, and recording loses nothing", arguments: [0.2, 1.5], [false, true])
    func lastingDelay(delay: Double, isPaced: Bool) {
        let arrivals = (0..<400).map { Arrival(number: $0, time: Self.accessUnit * $0 + .seconds($0 < 100 ? 0 : delay)) }
        let (numbers, _, statistics) = receive(arrivals, isPaced: isPaced)
        guard isPaced else { return #expect(numbers == Array(0..<400) && statistics.restartCount == 0) }
        #expect(numbers.filter { $0 >= 0 } == Array(0..<100) + Array(112..<400) && statistics.restartCount == 1)
    }

    @Test("A flood of packets is lost beyond the limit of the queue, and the stream continues")
    func flood() {
        let start = (0..<3000).map { Arrival(number: $0, time: .zero) }
        let (numbers, _, statistics) = receive(start + [Arrival(number: 3000, time: Self.accessUnit * 3000)], isPaced: false)
        #expect(numbers.filter { $0 >= 0 } == Array(0...1024) + [3000])
        #expect(statistics.receivedPacketCount == 1026 && statistics.lostPacketCount == 3000 - 1025)
    }

    @Test("Reported end takes effect after all received audio")
    func goodbye() {
        var reception = RTPReception(Self.description, latency: .seconds(1), isPaced: true, silenceLimit: .seconds(5))
        for number in 0..<5 { reception.receive(Self.packet(number), at: .zero) }
        reception.receiveControl(RTCPPacket.serialize([.goodbye(sources: [78])]), at: .zero)
        #expect(reception.next(at: .zero) == .wait(until: .seconds(1)))
        reception.receiveControl(RTCPPacket.serialize([.goodbye(sources: [77])]), at: .milliseconds(10))
        // BYE may have overtaken audio.
        reception.receive(Self.packet(5), at: .milliseconds(20))
        var count = 0
        while case .accessUnit = reception.next(at: .milliseconds(1010)) { count += 1 }
        #expect(count == 6 && reception.next(at: .milliseconds(1010)) == .ended)
    }
}
