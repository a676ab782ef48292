// SPDX-License-Identifier: Apache-2.0

/// Interpolates line spectral frequencies between sets to obtain the prediction filters of sub-blocks (RFC 3951, 3.2.6 and 3.2.7).
package struct LSFInterpolator: Sendable {
    private let mode: ILBCMode

    /// The last set of the previous block.
    private var previous = LSFTables.mean

    /// Creates an interpolator that starts at the mean of speech.
    package init(mode: ILBCMode) { self.mode = mode }

    /// The filters before the first block.
    var initialFilters: [[Float]] {
        [[Float]](repeating: LineSpectrum.coefficients(of: LSFTables.mean), count: mode.subblockCount)
    }

    /// Returns the eleven filter coefficients of each sub-block, and stores the last set for the next block.
    ///
    /// - Parameter sets: One set of ten frequencies for 20 ms, two for 30 ms.
    package mutating func filters(for sets: [[Float]]) -> [[Float]] {
        let last = sets[sets.count - 1]
        defer { previous = last }
        return (0..<mode.subblockCount).map { subblock in
            let frequencies: [Float]
            switch mode {
            case .milliseconds20:
                frequencies = Self.mix(previous, last, weight: 1 - Float(subblock + 1) / 4)
            case .milliseconds30 where subblock == 0:
                frequencies = Self.mix(previous, sets[0], weight: 0.5)
            case .milliseconds30:
                // The first set applies to the second sub-block, the second set to the fifth.
                frequencies = Self.mix(sets[0], last, weight: max(0, 1 - Float(subblock - 1) / 3))
            }
            return LineSpectrum.coefficients(of: frequencies)
        }
    }

    /// Returns the weighted mean of two sets, where `weight` applies to the first.
    private static func mix(_ first: [Float], _ second: [Float], weight: Float) -> [Float] {
        zip(first, second).map { weight * $0 + (1 - weight) * $1 }
    }
}
