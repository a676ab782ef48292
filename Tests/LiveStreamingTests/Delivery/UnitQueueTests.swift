// SPDX-License-Identifier: Apache-2.0

import AudioPrimitives
import LiveStreaming
import TestSupport
import Testing

@Suite struct UnitQueueTests {
    @Test("Access units are dequeued in order")
    func order() {
        var queue = UnitQueue(limit: .seconds(10))
        for number in 0..<5 { #expect(queue.append(AccessUnit(number: number)) == 0) }
        #expect((0..<5).allSatisfy { queue.dequeue()?.number == UInt32($0) })
        #expect(queue.dequeue() == nil)
    }

    @Test("Discards and counts the oldest waiting access units above the limit")
    func limit() {
        // Ten access units last 213 ms.
        var queue = UnitQueue(limit: .milliseconds(214))
        let discarded = (0..<25).map { queue.append(AccessUnit(number: $0)) }.reduce(0, +)
        #expect(discarded == 15)
        #expect(queue.waitingCount == 10)
        #expect(queue.dequeue()?.number == 15)
    }

    @Test("Keeps an access unit longer than the limit")
    func longUnit() {
        var queue = UnitQueue(limit: .milliseconds(1))
        _ = queue.append(AccessUnit(number: 1))
        #expect(queue.append(AccessUnit(number: 2)) == 1)
        #expect(queue.dequeue()?.number == 2)
    }

    @Test("Every access unit is confirmed, discarded or queued, once and in order")
    func model() {
        for seed in UInt64(1)...50 {
            var random = SeededRandom(seed: seed)
            var queue = UnitQueue(limit: .milliseconds(300))
            var (appended, confirmed, discarded) = (0, 0, 0)
            var lastTaken = -1
            for _ in 0..<2000 {
                switch Int.random(in: 0..<10, using: &random) {
                case 0..<4:
                    discarded += queue.append(AccessUnit(number: appended))
                    appended += 1
                case 4..<7:
                    guard let accessUnit = queue.dequeue() else { continue }
                    #expect(Int(accessUnit.number) > lastTaken, "seed \(seed)")
                    lastTaken = Int(accessUnit.number)
                case 7..<9: confirmed += queue.confirm(allBut: Int.random(in: 0..<4, using: &random)).accessUnitCount
                default:
                    lastTaken = -1
                    discarded += queue.restoreUnconfirmed()
                }
                #expect(appended == confirmed + discarded + queue.unconfirmedCount + queue.waitingCount, "seed \(seed)")
                let count = queue.unconfirmedCount + queue.waitingCount
                #expect(queue.duration == .nanoseconds(21_333_333) * count, "seed \(seed)")
            }
        }
    }
}
