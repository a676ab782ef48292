// SPDX-License-Identifier: Apache-2.0

import LiveStreaming
import TestSupport
import Testing

/// Bit rate control with simulated links.
@Suite struct AdaptiveBitRateTests {
    private static let range = 32_000...128_000
    private static let high = 128_000.0

    @Test(
        "Ladder rises from the lowest to the highest rate in even steps",
        arguments: [(32_000, 128_000), (24_000, 320_000), (90_000, 100_000)])
    func ladder(low: Int, high: Int) {
        let rates = BitRateLadder(low...high).rates
        #expect(rates.first == low && rates.last == high)
        #expect(zip(rates, rates.dropFirst()).allSatisfy { $1 > $0 && Double($1) / Double($0) < 1.31 })
        for limit in stride(from: Double(low), through: Double(2 * high), by: 997) {
            let ladder = BitRateLadder(low...high)
            #expect(ladder.rates[ladder.index(notAbove: limit)] == rates.last { Double($0) <= limit })
        }
    }

    @Test("Ladder supports single-rate and extreme ranges", arguments: [64_000...64_000, 1...Int.max, 0...0, Int.min...Int.max])
    func extremeLadders(range: ClosedRange<Int>) {
        let rates = BitRateLadder(range).rates
        #expect(rates.first == range.lowerBound && rates.last == range.upperBound && rates == rates.sorted())
    }

    @Test("Rate never changes on a fast link", arguments: (1...20 as ClosedRange<UInt64>).selectedCases)
    func fastLink(seed: UInt64) {
        var stream = SimulatedStream(Self.range, seed: seed)
        stream.run(600) { _ in [1.1 * Self.high] }
        #expect(stream.changes.isEmpty && stream.longestQueue < 1.5, "seed \(seed)")
    }

    @Test(
        "On a slower link the queue stays short, most capacity is used, and changes are rare",
        arguments: [0.35, 0.4, 0.45, 0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95].selectedCases)
    func slowLink(share: Double) {
        for seed in 1...3 as ClosedRange<UInt64> {
            var stream = SimulatedStream(Self.range, seed: seed)
            stream.run(1200) { _ in [share * Self.high] }
            // Measured: at most 4.7 s; at least 87 %; 33 changes.
            #expect(stream.longestQueue < 6, "seed \(seed)")
            #expect(stream.usedFraction > 0.82, "seed \(seed): \(stream.usedFraction)")
            let late = stream.changes.filter { $0.time > 120 }
            #expect(late.count <= 40, "seed \(seed): \(late)")
            // Above the link's rate there are one or two steps, tried every two minutes.
            #expect(late.allSatisfy { Double($0.bitRate) < 1.45 * share * Self.high }, "seed \(seed): \(late)")
        }
    }

    @Test(
        "Highest rate returns within three minutes, or within 90 s after a short drop",
        arguments: selectedCases([0.3, 0.4, 0.6, 0.8], [10.0, 60, 600]))
    func returningCapacity(share: Double, fallTime: Double) throws {
        for seed in 1...5 as ClosedRange<UInt64> {
            var stream = SimulatedStream(Self.range, seed: seed)
            stream.run(60) { _ in [1.25 * Self.high] }
            #expect(stream.changes.isEmpty)
            stream.run(fallTime) { _ in [share * Self.high] }
            #expect(stream.bitRate < 128_000)
            let end = stream.time
            stream.run(300) { _ in [1.25 * Self.high] }
            // Measured: at most 138 s, or 70 s after a drop of ten seconds; a queue of 6.0 s.
            let time = try #require(stream.changes.last).time - end
            #expect(stream.bitRate == 128_000 && time < (fallTime > 10 ? 180 : 90), "seed \(seed): \(time)")
            #expect(stream.longestQueue < 8, "seed \(seed)")
        }
    }

    @Test("Queue never overflows on links with random capacity", arguments: (1...30 as ClosedRange<UInt64>).selectedCases)
    func randomCapacity(seed: UInt64) {
        var random = SeededRandom(seed: seed + 1000)
        var (capacity, next) = (100_000.0, 0.0)
        var stream = SimulatedStream(Self.range, seed: seed)
        stream.run(600) { time in
            if time >= next {
                next = time + Double.random(in: 0.5...20, using: &random)
                capacity = Double.random(in: 36_000...200_000, using: &random)
            }
            return [capacity]
        }
        // Measured over 100 seeds: a queue of at most 7.4 s; 75 % of the capacity used on average, at least 63 %.
        #expect(stream.longestQueue < 10, "seed \(seed)")
        #expect(stream.usedFraction > 0.55, "seed \(seed): \(stream.usedFraction)")
    }

    @Test("Slowest connected link counts")
    func severalLinks() {
        var stream = SimulatedStream(Self.range, linkCount: 3, seed: 1)
        stream.run(60) { _ in [200_000, 200_000, nil] }
        #expect(stream.changes.isEmpty)
        stream.run(60) { _ in [200_000, 60_000, nil] }
        #expect(stream.bitRate <= 60_000 && stream.bitRate >= 45_000)
        // A link without a connection limits nothing, however long its queue is. The sink then relies on another link.
        stream.run(200) { _ in [200_000, nil, nil] }
        #expect(stream.bitRate == 128_000)
    }

    @Test("Rate stays while no destination is connected")
    func disconnected() {
        var stream = SimulatedStream(Self.range, seed: 1)
        stream.run(60) { _ in [64_000] }
        let rate = stream.bitRate
        stream.run(600) { _ in [nil] }
        #expect(stream.bitRate == rate)
    }

    @Test("Shrinking backlog of a new connection does not lower the rate")
    func backlog() {
        var stream = SimulatedStream(Self.range, seed: 1)
        stream.run(10) { _ in [nil] }
        stream.run(60) { _ in [2 * Self.high] }
        #expect(stream.changes.isEmpty)
    }

    @Test("Stalled link lowers the rate to the minimum, then recovers")
    func standstill() {
        var stream = SimulatedStream(Self.range, seed: 1)
        stream.run(30) { _ in [200_000] }
        stream.run(6) { _ in [0] }
        #expect(stream.bitRate == 32_000)
        stream.run(120) { _ in [200_000] }
        #expect(stream.bitRate == 128_000)
    }
}
