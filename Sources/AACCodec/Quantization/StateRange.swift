// SPDX-License-Identifier: Apache-2.0

internal import TransformCoding

/// A range of search states, widened to multiples of four for vector access.
struct StateRange: BitwiseCopyable {
    private var start: Int16 = 0

    private var end: Int16 = 0

    init() {}

    /// Creates the smallest range that contains both ranges.
    init(_ first: Range<Int>, joinedWith second: Range<Int>) {
        let start = first.isEmpty ? second.lowerBound : second.isEmpty ? first.lowerBound : min(first.lowerBound, second.lowerBound)
        let end = first.isEmpty ? second.upperBound : second.isEmpty ? first.upperBound : max(first.upperBound, second.upperBound)
        self.start = Int16(start & ~3)
        self.end = Int16((end + 3) & ~3)
    }

    @inline(__always) var states: Range<Int> { Int(start)..<Int(end) }

    /// Removes vectors of four states at either end whose costs are all above a limit.
    ///
    /// - Parameter costs: State costs, with state 0 at index `row`.
    mutating func trim(_ costs: Span<Float>, row: Int, limit: Float) {
        while end > start && costs.vector(at: row + Int(start)).least > limit { start += 4 }
        while end > start && costs.vector(at: row + Int(end) - 4).least > limit { end -= 4 }
    }
}
