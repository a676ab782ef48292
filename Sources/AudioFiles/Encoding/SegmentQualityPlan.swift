// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

internal import AACCodec
internal import Dispatch
internal import Synchronization

/// The quality of each segment of a file with an average bit rate: nearly the same for all.
///
/// The first pass has seen a few places only and is a few percent off. So each segment's level also makes up for what segments before
/// it took more or less than expected, spread over all that is left. The ones just before it are left out, as threads
/// encode them at the same time: levels are the same for any number of threads.
final class SegmentQualityPlan: Sendable {
    private struct State {
        var levels: [Float] = []
        var spent: [Double?]
    }

    private let level: Float
    private let slope: Double
    /// Bits that each segment should take at ``level``; none where that is exact.
    private let expected: [Double]
    private let total: Double
    private let state: Mutex<State>
    /// Signalled when a segment is done.
    private let done: [DispatchSemaphore]

    /// The most that levels depart from that of the first pass, in octaves of noise: a seventh of the rate, or 1.5 dB.
    private static let largestStep = 0.5
    /// Segments whose worth is given to the belief that the first pass is right on average.
    private static let trust = 3.0
    /// Octaves of bits for an octave of noise that can be believed.
    private static let slopes = -0.8 ... -0.25

    /// Makes a plan.
    ///
    /// - Parameters:
    ///   - level: log2 of the quality at which the file should come to its rate.
    ///   - slope: Octaves of bits for an octave of noise.
    ///   - expected: Bits of each segment there; empty if the level is exact.
    init(level: Float, slope: Double = -0.45, expected: [Double] = []) {
        self.level = level
        self.slope = min(max(slope, Self.slopes.lowerBound), Self.slopes.upperBound)
        self.expected = expected
        total = expected.reduce(0, +)
        state = Mutex(State(spent: Array(repeating: nil, count: expected.count)))
        done = expected.map { _ in DispatchSemaphore(value: 0) }
    }

    /// Segments that are not waited for: two, and more in long files.
    static func lag(segmentCount: Int) -> Int { max(2, segmentCount / 10) }

    private var lag: Int { Self.lag(segmentCount: expected.count) }

    /// log2 of the quality of a segment; waits until those that it depends on are done.
    func level(ofSegment segment: Int) -> Float {
        guard expected.indices.contains(segment) else { return level }
        for earlier in 0..<max(0, segment - lag) {
            done[earlier].wait()
            done[earlier].signal()
        }
        return state.withLock { state in
            // Those in between are known as soon as this one is.
            while state.levels.count <= segment { state.levels.append(nextLevel(state)) }
            return state.levels[segment]
        }
    }

    /// Takes note of the bits of a segment that was encoded.
    func finish(segment: Int, bitCount: Int) {
        guard expected.indices.contains(segment) else { return }
        state.withLock { $0.spent[segment] = Double(bitCount) }
        done[segment].signal()
    }

    private func nextLevel(_ state: borrowing State) -> Float {
        let segment = state.levels.count
        let known = max(0, segment - lag)
        var spent = 0.0
        // What those known would have taken at the plan's level, and what was expected of them.
        var (taken, promised) = (Self.trust * total / Double(expected.count), Self.trust * total / Double(expected.count))
        for index in 0..<known {
            let bits = state.spent[index] ?? expected[index]
            spent += bits
            taken += bits / factor(state.levels[index])
            promised += expected[index]
        }
        let bias = taken / promised
        for index in known..<segment { spent += expected[index] * factor(state.levels[index]) * bias }
        let rest = expected[segment...].reduce(0, +) * bias
        let octaves = PortableMath.octaves(max(rest, 1), max(total - spent, rest / 2))
        return level + Float(min(max(octaves / slope, -Self.largestStep), Self.largestStep))
    }

    /// Bits at a level for one at the plan's.
    private func factor(_ other: Float) -> Double { PortableMath.powerOfTwo(slope * Double(other - level)) }
}
