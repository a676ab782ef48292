// SPDX-License-Identifier: Apache-2.0

internal import TransformCoding

/// The bits of scale factor differences (ISO/IEC 14496-3:2009, 4.6.2.3.2), in rows for vector loads of adjacent differences.
package enum ScaleFactorTransitions {
    /// The bit difference between the shortest and the longest codeword.
    ///
    /// A state that costs this much more than another cannot be the better predecessor.
    package static let maximumGain: Float = 18

    private static let rowLength = 192

    static let tableLength = 3 * rowLength

    /// The index of a difference of 0 or 1 in its row.
    private static let center = 96

    /// Returns three rows of bits, for all, even and odd differences.
    ///
    /// Differences beyond ``ScaleFactorCodebook/maximumDifference`` are infinite.
    static func table() -> FixedArray<Float> {
        var bits = FixedArray<Float>(repeating: .infinity, count: tableLength)
        let maximumDifference = ScaleFactorCodebook.maximumDifference
        for difference in -maximumDifference...maximumDifference {
            let length = Float(ScaleFactorCodebook.lengths[difference + ScaleFactorCodebook.indexOffset])
            for stride in 1...2 { bits[index(from: 0, to: difference, stride: stride)] = length }
        }
        return bits
    }

    /// The largest difference of two states for which ``gains`` is below ``maximumGain``.
    private static let exactGainDifference = 15

    /// The number of differences in ``gains``, from -31 on.
    static let gainCount = 64

    /// The bits that a next scale factor may need more after a state than after another state, at most.
    ///
    /// The values of adjacent candidates are adjacent. They grow with the distance of the states.
    static let gains: ContiguousArray<Float> = {
        var gains = ContiguousArray<Float>(repeating: maximumGain, count: gainCount)
        let lengths = ScaleFactorCodebook.lengths
        for direction in [-1, 1] {
            var gain = 0
            for distance in 0...exactGainDifference {
                let shift = direction * distance
                for index in max(0, -shift)..<min(lengths.count, lengths.count - shift) {
                    gain = max(gain, Int(lengths[index + shift]) - Int(lengths[index]))
                }
                gains[gainIndex(from: 0, to: shift)] = Float(gain)
            }
        }
        return gains
    }()

    /// Returns the index in ``gains`` for a state and another state, followed by the next candidates of the other state's band.
    @inline(__always)
    static func gainIndex(from state: Int, to other: Int) -> Int {
        // Beyond, all values are the maximum.
        let half = gainCount / 2
        return min(max(other &- state, 1 - half), half - CostCurves.candidateCount) &+ half &- 1
    }

    /// Clamps a scale factor to values that can follow `last`, with a difference of at most ``ScaleFactorCodebook/maximumDifference`` minus `margin`.
    package static func limit(_ wanted: Int, after last: Int?, margin: Int = 0) -> Int {
        let farthest = ScaleFactorCodebook.maximumDifference - margin
        return last.map { min(max(wanted, $0 - farthest), $0 + farthest) } ?? wanted
    }

    /// Returns the table index of a difference's bits.
    ///
    /// Entries after the index are for larger differences in steps of `stride`, entries before it for smaller differences, at least 15
    /// in each direction.
    ///
    /// - Parameter stride: The difference of adjacent candidates, 1 or 2.
    static func index(from old: Int, to new: Int, stride: Int) -> Int {
        let difference = new &- old
        let shift = stride &- 1
        // Entries beyond are all infinite.
        let farthest = ScaleFactorCodebook.maximumDifference + 16
        let steps = min(max(difference &>> shift, -farthest), farthest)
        return rowLength &* (shift &+ difference & shift) &+ center &+ steps
    }
}
