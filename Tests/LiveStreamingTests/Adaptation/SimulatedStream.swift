// SPDX-License-Identifier: Apache-2.0

import LiveStreaming
import TestSupport

/// A live stream over links of given capacity, with queues modelled per access unit.
struct SimulatedStream {
    /// A queued access unit.
    private struct Unit {
        var bits: Double
        var rest: Double
    }

    private struct Link {
        var accessUnits: [Unit] = []
        var sentBits = 0.0
        var queuedBits = 0.0
    }

    /// The duration of an access unit: 1024 frames at 48 kHz.
    private static let unitTime = 1024.0 / 48_000

    private let range: ClosedRange<Int>
    private var control: AdaptiveBitRate
    private var links: [Link]
    private var random: SeededRandom
    /// The relative deviation of the signal's rate from the target rate, which changes slowly.
    private var deviation = 0.0
    private var rateSum = 0.0
    private var capacitySum = 0.0

    /// The current time, in seconds.
    private(set) var time = 0.0
    /// The longest queue so far, in seconds.
    private(set) var longestQueue = 0.0
    /// The rate changes.
    private(set) var changes: [(time: Double, bitRate: Int)] = []

    /// Creates a stream at the highest rate.
    init(_ range: ClosedRange<Int>, linkCount: Int = 1, seed: UInt64) {
        self.range = range
        control = AdaptiveBitRate(range, bitRate: range.upperBound, linkCount: linkCount)
        links = [Link](repeating: Link(), count: linkCount)
        random = SeededRandom(seed: seed)
    }

    var bitRate: Int { control.bitRate }

    /// The ratio of used rates to the slowest link's capacity, which is limited to the highest rate.
    var usedFraction: Double { rateSum / capacitySum }

    /// Streams for a time.
    ///
    /// - Parameters:
    ///   - seconds: The duration.
    ///   - capacities: Returns the capacity of each link at a time, in bits per second; `nil` while it is not connected.
    mutating func run(_ seconds: Double, capacities: (Double) -> [Double?]) {
        let end = time + seconds
        var nextSample = time + 0.5
        while time < end {
            time += Self.unitTime
            let current = capacities(time)
            appendUnit()
            for index in links.indices { send(over: index, capacity: current[index] ?? 0) }
            rateSum += Double(bitRate)
            capacitySum += min(current.compactMap { $0 }.min() ?? Double(range.upperBound), Double(range.upperBound))
            guard time >= nextSample else { continue }
            nextSample += 0.5
            sample(current.map { $0 != nil })
        }
    }

    /// Appends an access unit to all queues.
    ///
    /// Its size varies like an encoder's output.
    private mutating func appendUnit() {
        deviation += 0.05 * (random.double(in: -0.6...0.6) - deviation)
        let bits = Double(bitRate) * Self.unitTime * (1 + deviation + random.double(in: -0.2...0.2))
        for index in links.indices {
            links[index].accessUnits.append(Unit(bits: bits, rest: bits))
            links[index].queuedBits += bits
        }
    }

    /// Sends the amount that a link carries during one access unit.
    private mutating func send(over index: Int, capacity: Double) {
        var budget = capacity * Self.unitTime
        while budget > 0, let accessUnit = links[index].accessUnits.first {
            let bits = min(budget, accessUnit.rest)
            budget -= bits
            links[index].accessUnits[0].rest -= bits
            guard links[index].accessUnits[0].rest <= 0 else { break }
            links[index].accessUnits.removeFirst()
            links[index].sentBits += accessUnit.bits
            links[index].queuedBits -= accessUnit.bits
        }
        longestQueue = max(longestQueue, Double(links[index].accessUnits.count) * Self.unitTime)
    }

    /// Passes the state of the links to the controller.
    private mutating func sample(_ areConnected: [Bool]) {
        let before = bitRate
        let samples = links.indices.map { index -> StreamingStatistics? in
            guard areConnected[index] else { return nil }
            var statistics = StreamingStatistics()
            statistics.sentByteCount = Int(links[index].sentBits / 8)
            statistics.queuedByteCount = Int(max(0, links[index].queuedBits) / 8)
            statistics.queuedDuration = .seconds(Double(links[index].accessUnits.count) * Self.unitTime)
            return statistics
        }
        let rate = control.update(samples, at: time)
        if rate != before { changes.append((time, rate)) }
    }
}
