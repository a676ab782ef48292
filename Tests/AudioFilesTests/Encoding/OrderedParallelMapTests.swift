// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

import TestSupport
import Testing

@testable import AudioFiles

@Suite struct OrderedParallelMapTests {
    private struct Failure: Error, Equatable {
        let part: Int
    }

    @Test("Parts come in order, whatever the number of threads", arguments: [1, 2, 3, 8, 40])
    func order(threadCount: Int) throws {
        let work = OrderedParallelMap(partCount: 25, threadCount: threadCount) {
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

    @Test("An error is thrown in place of its part")
    func failure() throws {
        let work = OrderedParallelMap<Int>(partCount: 10, threadCount: 3) {
            { part in
                guard part % 7 != 4 else { throw Failure(part: part) }
                return part
            }
        }
        defer { work.stop() }
        for part in 0..<4 { #expect(try work.next() == part) }
        #expect(throws: Failure(part: 4)) { try work.next() }
    }

    @Test("A worker that can't be created is an error of the first part")
    func worker() {
        let work = OrderedParallelMap<Int>(partCount: 3, threadCount: 2) { throw Failure(part: -1) }
        defer { work.stop() }
        #expect(throws: Failure(part: -1)) { try work.next() }
    }

    @Test("Work can be left before its end")
    func stop() throws {
        let work = OrderedParallelMap(partCount: 1_000_000, threadCount: 4) { { $0 } }
        #expect(try work.next() == 0)
        work.stop()
    }
}
