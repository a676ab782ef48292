// SPDX-License-Identifier: Apache-2.0

internal import AACCodec
internal import Dispatch
internal import Synchronization
import TransformCoding

/// The noise scale of each segment of a file with an average bit rate, nearly the same for all.
///
/// The first pass encodes only samples of the file and is a few percent off. Each segment's level (log2 of its noise scale) therefore
/// compensates for the deviation of earlier segments from the expected bits, spread over all remaining segments. The immediately preceding
/// segments are ignored because threads encode them at the same time. Levels thus do not depend on the number of threads.
package final class SegmentNoiseScalePlan: Sendable {
    /// The chosen levels, and the bits of the completed segments.
    private struct State {
        var levels: [Float] = []
        var spent: [Double?]
    }

    /// log2 of the noise scale expected to yield the target bit rate.
    package let level: Float
    /// The change in bits with the noise scale, in octaves per octave.
    package let slope: Double
    /// The expected bits of each segment at ``level``.
    ///
    /// Empty if the level is exact.
    package let expected: [Double]
    /// The levels of the segments without expected bits.
    ///
    /// Later segments have the last one.
    private let exactLevels: [Float]
    private let total: Double
    private let state: Mutex<State>
    /// Signaled when a segment is complete.
    private let done: [DispatchSemaphore]

    /// The maximum deviation from the first pass's level, in octaves of noise: a seventh of the rate, or 1.5 dB.
    private static let maximumStep = 0.5
    /// The weight, in segments, of the prior that the first pass's mean estimate is unbiased.
    private static let priorWeight = 3.0
    /// The plausible slopes, in octaves of bits per octave of noise.
    private static let slopes = -0.8 ... -0.25

    /// Creates a plan.
    ///
    /// - Parameters:
    ///   - level: log2 of the noise scale expected to yield the target bit rate.
    ///   - slope: The change in bits with the noise scale, in octaves per octave.
    ///   - expected: The bits of each segment at that level. Empty if the level is exact.
    package convenience init(level: Float, slope: Double = -0.45, expected: [Double] = []) {
        self.init(exactLevels: [level], slope: slope, expected: expected)
    }

    /// Creates a plan of exact levels, at least one.
    package init(exactLevels: [Float], slope: Double = -0.45, expected: [Double] = []) {
        level = exactLevels[0]
        self.exactLevels = exactLevels
        self.slope = min(max(slope, Self.slopes.lowerBound), Self.slopes.upperBound)
        self.expected = expected
        total = expected.reduce(0, +)
        state = Mutex(State(spent: Array(repeating: nil, count: expected.count)))
        done = expected.map { _ in DispatchSemaphore(value: 0) }
    }

    /// The number of preceding segments to ignore: two, and more in long files.
    static func lag(segmentCount: Int) -> Int { max(2, segmentCount / 10) }

    private var lag: Int { Self.lag(segmentCount: expected.count) }

    /// Returns log2 of a segment's noise scale after waiting for the segments that it depends on.
    package func level(ofSegment segment: Int) -> Float {
        guard expected.indices.contains(segment) else { return exactLevels[min(segment, exactLevels.count - 1)] }
        for earlier in 0..<max(0, segment - lag) {
            done[earlier].wait()
            done[earlier].signal()
        }
        return state.withLock { state in
            // The levels in between depend on fewer segments.
            while state.levels.count <= segment { state.levels.append(nextLevel(state)) }
            return state.levels[segment]
        }
    }

    package func finish(segment: Int, bitCount: Int) {
        guard expected.indices.contains(segment) else { return }
        state.withLock { $0.spent[segment] = Double(bitCount) }
        done[segment].signal()
    }

    /// Computes the level of the segment after those in `state.levels`.
    private func nextLevel(_ state: borrowing State) -> Float {
        let segment = state.levels.count
        let known = max(0, segment - lag)
        var spent = 0.0
        // The completed segments' bits at the plan's level, and their expected bits.
        var (taken, promised) = (Self.priorWeight * total / Double(expected.count), Self.priorWeight * total / Double(expected.count))
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
        return level + Float(min(max(octaves / slope, -Self.maximumStep), Self.maximumStep))
    }

    /// Returns the bits at a level relative to the plan's level.
    private func factor(_ other: Float) -> Double { PortableMath.powerOfTwo(slope * Double(other - level)) }
}
