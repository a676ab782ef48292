// SPDX-License-Identifier: Apache-2.0

import LiveStreaming
import TestSupport
import Testing

@Suite struct BackoffTests {
    @Test("Delays double up to the limit with jitter, and restart after a success")
    func times() {
        var random = SeededRandom(seed: 1)
        var backoff = Backoff(shortest: .seconds(1), longest: .seconds(30))
        for _ in 0..<2 {
            for seconds in [1, 2, 4, 8, 16, 30, 30, 30] {
                let time = backoff.next(using: &random)
                #expect(time >= .seconds(seconds) / 2 && time <= .seconds(seconds))
            }
            backoff.reset()
        }
    }

    @Test("Survives a thousand failures")
    func manyFailures() {
        var random = SeededRandom(seed: 2)
        var backoff = Backoff()
        #expect((0..<1000).allSatisfy { _ in backoff.next(using: &random) <= .seconds(30) })
    }

    @Test("Clients that fail together retry at different times")
    func jitter() {
        var random = SeededRandom(seed: 3)
        let times = Set(
            (0..<100).map { _ in
                var backoff = Backoff()
                return backoff.next(using: &random)
            })
        #expect(times.count > 90)
    }
}
