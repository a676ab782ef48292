// SPDX-License-Identifier: Apache-2.0

internal import TransformCoding

/// The bits of scale factor differences (ISO/IEC 14496-3:2009, 4.6.2.3.2), in rows that vectors of neighbouring differences are read from.
package enum ScaleFactorTransitions {
    /// The largest difference that can be sent.
    package static let largestDifference = 60

    /// The bits between the shortest and the longest codeword: a state whose cost is higher than another's by so much can't be the better
    /// predecessor.
    package static let largestGain: Float = 18

    /// The length of a row.
    private static let rowLength = 192

    /// The length of the table.
    static let tableLength = 3 * rowLength

    /// The index of a difference of 0 or 1 in its row.
    private static let center = 96

    /// Makes three rows of bits by difference, infinite beyond ``largestDifference``: all differences, the even ones, and the odd ones.
    static func table() -> FixedArray<Float> {
        var bits = FixedArray<Float>(repeating: .infinity, count: tableLength)
        for difference in -largestDifference...largestDifference {
            let length = Float(ScaleFactorCodebook.lengths[difference + ScaleFactorCodebook.indexOffset])
            for stride in 1...2 { bits[index(from: 0, to: difference, stride: stride)] = length }
        }
        return bits
    }

    /// Returns the value nearest to the wanted one that can be sent after another, at a difference that is less than the largest by a margin.
    package static func limit(_ wanted: Int, after last: Int?, margin: Int = 0) -> Int {
        let farthest = largestDifference - margin
        return last.map { min(max(wanted, $0 - farthest), $0 + farthest) } ?? wanted
    }

    /// Returns the index of a difference's bits in the table.
    ///
    /// The bits of the differences that are larger by multiples of `stride` follow, those of smaller ones precede, for at least 15 entries
    /// in each direction.
    ///
    /// - Parameter stride: The difference of neighbouring candidates, 1 or 2.
    static func index(from old: Int, to new: Int, stride: Int) -> Int {
        let difference = new &- old
        let shift = stride &- 1
        // All entries further away are infinite.
        let steps = min(max(difference &>> shift, -largestDifference - 16), largestDifference + 16)
        return rowLength &* (shift &+ difference & shift) &+ center &+ steps
    }
}
