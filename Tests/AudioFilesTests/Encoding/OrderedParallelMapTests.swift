// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import Foundation
import Synchronization
import TestSupport
import Testing

@Suite struct OrderedParallelMapTests {
    private struct Failure: Error, Equatable {
        let part: Int
    }

    @Test("Returns parts in order for any number of threads", arguments: [1, 2, 3, 8, 40])
    func order(threadCount: Int) throws {
        let work = OrderedParallelMap(partCount: 25, threads: EncodingThreads(count: threadCount)) {
            { part in
                // Later parts take less time.
                var sum = part
                for step in 0..<(25 - part) * 1000 { sum = (sum &* 31 &+ step) & 0xFFFF }
                return [part, sum]
            }
        }
        defer { work.stop() }
        var parts: [Int] = []
        while let part = try work.next() { parts.append(part[0]) }
        #expect(parts == Array(0..<25))
        #expect(try work.next() == nil)
    }

    @Test("Computes all parts without any thread", arguments: [1, 2, 7])
    func noThreads(partCount: Int) throws {
        let work = OrderedParallelMap(partCount: partCount, threads: EncodingThreads(count: 3), start: { WorkerThreads(count: 0, $0) }) {
            { part in part }
        }
        defer { work.stop() }
        var parts: [Int] = []
        while let part = try work.next() { parts.append(part) }
        #expect(parts == Array(0..<partCount))
    }

    @Test("A worker's error is thrown instead of its part")
    func failure() throws {
        let work = OrderedParallelMap<Int>(partCount: 10, threads: EncodingThreads(count: 3)) {
            { part in
                guard part % 7 != 4 else { throw Failure(part: part) }
                return part
            }
        }
        defer { work.stop() }
        for part in 0..<4 { #expect(try work.next() == part) }
        #expect(throws: Failure(part: 4)) { try work.next() }
    }

    @Test("Failing to create a worker throws with the first part")
    func worker() {
        let work = OrderedParallelMap<Int>(partCount: 3, threads: EncodingThreads(count: 2)) { throw Failure(part: -1) }
        defer { work.stop() }
        #expect(throws: Failure(part: -1)) { try work.next() }
    }

    @Test("Adds threads while the budget has processors, and returns them", arguments: [0, 1, 5])
    func budget(free: Int) throws {
        let budget = ThreadBudget(free: free)
        let active = Mutex((now: 0, most: 0))
        let work = OrderedParallelMap(partCount: 60, threads: EncodingThreads(count: 4, budget: budget)) {
            { part in
                active.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
                usleep(1000)
                active.withLock { $0.now -= 1 }
                return part
            }
        }
        var parts: [Int] = []
        while let part = try work.next() { parts.append(part) }
        work.stop()
        #expect(parts == Array(0..<60))
        #expect(active.withLock { $0.most } == min(4, 1 + free))
        for _ in 0..<free { #expect(budget.take()) }
        #expect(!budget.take())
    }

    @Test("Stops before all parts are computed")
    func stop() throws {
        let work = OrderedParallelMap(partCount: 1_000_000, threads: EncodingThreads(count: 4)) { { $0 } }
        #expect(try work.next() == 0)
        work.stop()
    }
}
