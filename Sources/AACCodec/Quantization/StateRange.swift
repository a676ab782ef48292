// SPDX-License-Identifier: Apache-2.0

internal import TransformCoding

/// A range of states of a search, widened to multiples of four so that vectors can be read from it.
struct StateRange: BitwiseCopyable {
    /// The first state.
    private var start: Int16 = 0

    /// The end of the range.
    private var end: Int16 = 0

    /// Makes an empty range.
    init() {}

    /// Makes the smallest range that contains two others.
    init(_ first: Range<Int>, joinedWith second: Range<Int>) {
        let start = first.isEmpty ? second.lowerBound : second.isEmpty ? first.lowerBound : min(first.lowerBound, second.lowerBound)
        let end = first.isEmpty ? second.upperBound : second.isEmpty ? first.upperBound : max(first.upperBound, second.upperBound)
        self.start = Int16(start & ~3)
        self.end = Int16((end + 3) & ~3)
    }

    /// The states.
    @inline(__always) var states: Range<Int> { Int(start)..<Int(end) }

    /// Removes vectors of four states at either end whose costs are all above a limit.
    ///
    /// - Parameters:
    ///   - costs: The costs, with that of state 0 at index `row`.
    ///   - limit: The limit.
    mutating func trim(_ costs: Span<Float>, row: Int, limit: Float) {
        while end > start && costs.vector(at: row + Int(start)).least > limit { start += 4 }
        while end > start && costs.vector(at: row + Int(end) - 4).least > limit { end -= 4 }
    }
}
