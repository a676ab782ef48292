// Linnet: audio capture and AAC coding
// SPDX-License-Identifier: Apache-2.0
// Copyright the Linnet authors

/// The bits of going from one scale factor to another, in runs of neighbours.
enum ScaleFactorTransitions {
    /// The largest difference that can be sent.
    static let largestDifference = 60

    /// The bits between the cheapest and the dearest difference: a state that costs so much more than another is never the better one to
    /// come from.
    static let largestGain: Float = 18

    private static let rowLength = 192

    /// The place of a difference of 0 or 1 in its row.
    private static let center = 96

    /// Rows of bits by difference, infinite beyond the largest one: all differences, the even ones, the odd ones.
    static func table() -> [576 of Float] {
        var bits = [576 of Float](repeating: .infinity)
        for difference in -largestDifference...largestDifference {
            let length = Float(ScaleFactorCodebook.lengths[difference + ScaleFactorCodebook.indexOffset])
            for stride in 1...2 { bits[place(from: 0, to: difference, stride: stride)] = length }
        }
        return bits
    }

    /// Where the bits of a difference stand; those of larger ones, by `stride` (1 or 2) each, follow, and those of smaller ones come before,
    /// for 15 and more places either way.
    @inline(__always)
    static func place(from old: Int, to new: Int, stride: Int) -> Int {
        let difference = new &- old
        let shift = stride &- 1
        // Further off all are infinite.
        let steps = min(max(difference >> shift, -largestDifference - 16), largestDifference + 16)
        return rowLength &* (shift &+ difference & shift) &+ center &+ steps
    }
}
