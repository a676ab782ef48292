// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Spectral flattening of the subbands that patches copy (`bs_sbr_preprocessing`), following the standard's text in double precision
/// (ISO/IEC 23003-3, 7.5).
///
/// Planted faults: the slope is doubled instead of removed (sign). Time slots are one late (index). The polynomial omits the highest
/// subband (boundary).
package struct SpectralFlattenerModel {
    private let fault: PlantedFault?

    package init(fault: PlantedFault? = nil) { self.fault = fault }

    /// Returns the gains of the subbands below the first one that patches do not copy.
    ///
    /// - Parameters:
    ///   - count: `k0`.
    ///   - qmfSlots: The time slots of the frame's envelopes.
    ///   - low: `X_Low(subband, slot)`.
    package func gains(count: Int, qmfSlots: Range<Int>, low: (Int, Int) -> DoubleComplex) -> [Double] {
        let levels = (0..<count).map { k in
            let sum = qmfSlots.reduce(0.0) { $0 + low(k, $1 + (fault == .index ? 3 : 2)).energy }
            return 10 * log10(sum / Double(qmfSlots.count) + 1)
        }
        let mean = levels.reduce(0, +) / Double(count)
        let polynomial = count <= 4 ? levels : Self.cubic(fault == .boundary ? Array(levels.dropLast()) : levels, count: count)
        return polynomial.map { pow(10, (mean - $0) / 20 * (fault == .sign ? -1 : 1)) }
    }

    /// Returns the values of the least-squares cubic fit to the levels, from the normal equations.
    private static func cubic(_ levels: [Double], count: Int) -> [Double] {
        func powers(_ k: Int) -> [Double] {
            let x = 2 * Double(k) / Double(count) - 1
            return [1, x, x * x, x * x * x]
        }
        var rows = [[Double]](repeating: [Double](repeating: 0, count: 5), count: 4)
        for (k, level) in levels.enumerated() {
            let p = powers(k)
            for i in 0..<4 {
                for j in 0..<4 { rows[i][j] += p[i] * p[j] }
                rows[i][4] += p[i] * level
            }
        }
        for i in 0..<4 {
            let pivot = (i..<4).max { abs(rows[$0][i]) < abs(rows[$1][i]) } ?? i
            rows.swapAt(i, pivot)
            for other in 0..<4 where other != i {
                let factor = rows[other][i] / rows[i][i]
                for j in 0..<5 { rows[other][j] -= factor * rows[i][j] }
            }
        }
        return (0..<count).map { k in zip(powers(k), rows.indices).reduce(0) { $0 + $1.0 * rows[$1.1][4] / rows[$1.1][$1.1] } }
    }
}
