// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// A run of states of a search over bands, in fours.
struct StateRun: BitwiseCopyable {
    private var start: Int16 = 0
    private var end: Int16 = 0

    init() {}

    /// The least run with all of two others.
    init(_ first: Range<Int>, joinedWith second: Range<Int>) {
        let start = first.isEmpty ? second.lowerBound : second.isEmpty ? first.lowerBound : min(first.lowerBound, second.lowerBound)
        let end = first.isEmpty ? second.upperBound : second.isEmpty ? first.upperBound : max(first.upperBound, second.upperBound)
        self.start = Int16(start & ~3)
        self.end = Int16((end + 3) & ~3)
    }

    @inline(__always) var states: Range<Int> { Int(start)..<Int(end) }

    /// Leaves out the fours at either end that cost more than `limit`.
    mutating func trim(_ costs: Span<Float>, row: Int, limit: Float) {
        while end > start && costs.vector(at: row + Int(start)).least > limit { start += 4 }
        while end > start && costs.vector(at: row + Int(end) - 4).least > limit { end -= 4 }
    }
}
