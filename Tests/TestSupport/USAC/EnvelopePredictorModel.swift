// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The prediction of the envelope of the high band (PVC) as the standard writes it, in double precision (ISO/IEC 23003-3, 7.5.6).
///
/// Its faults: levels fall with those of the low band (sign), groups of the low band are a subband too low (index), a vector at the border of two
/// classes has the lower one (boundary).
package struct EnvelopePredictorModel {
    private let tables = UnifiedTables.shared
    private let columnsPerSlot: Int
    private let fault: PlantedFault?
    /// The levels of the three low groups in the last time slots, the newest last.
    private var history: [[Double]] = []
    private var crossover = 0

    package init(columnsPerSlot: Int, fault: PlantedFault? = nil) {
        self.columnsPerSlot = columnsPerSlot
        self.fault = fault
    }

    /// Notes a frame without prediction.
    package mutating func skip() { history = [] }

    /// Returns the energies of the subbands of the high band in each time slot from the first predicted one on.
    ///
    /// - Parameters:
    ///   - mode: `bs_pvc_mode`.
    ///   - isBrief: `nsMode`.
    ///   - vectors: `pvcID` of each time slot.
    ///   - first: `t_P(0)`.
    ///   - highBand: The subbands of the high band.
    ///   - low: `X_Low(subband, column)`.
    package mutating func energies(
        mode: Int, isBrief: Bool, vectors: [Int], first: Int, highBand: Range<Int>, low: (Int, Int) -> DoubleComplex
    ) -> [[Double]] {
        let table = tables.predictionModes[mode - 1]
        if crossover != highBand.lowerBound { history = [] }
        crossover = highBand.lowerBound
        let window = tables.predictionWindows["\(table.smoothingLengths[isBrief ? 1 : 0])"] ?? []
        let groupWidth = table.groupWidth / columnsPerSlot
        return (first..<16).map { slot in
            let levels = (0..<3).map { self.level($0, slot, low) }
            // What precedes the first time slot equals it.
            if history.isEmpty { history = [[Double]](repeating: levels, count: 16) }
            history = history.suffix(16) + [levels]
            let smoothed = (0..<3).map { group in
                window.indices.reduce(0.0) { $0 + window[$1] * history[history.count - 1 - $1][group] }
            }
            let vector = vectors[slot]
            let borders = table.classBorders
            let kind = borders.count { fault == .boundary ? vector > $0 : vector >= $0 }
            return highBand.map { subband in
                let group = min((subband - highBand.lowerBound) / groupWidth, table.vectors[0].count - 1)
                let predicted = (0..<3).reduce(0.0) { $0 + table.classes[kind][$1][group] * table.scale[$1] * smoothed[$1] }
                let level = table.vectors[vector][group] * table.scale[3] + (fault == .sign ? -predicted : predicted)
                return pow(10, level / 10)
            }
        }
    }

    /// Returns the level of a low group in decibels.
    private func level(_ group: Int, _ slot: Int, _ low: (Int, Int) -> DoubleComplex) -> Double {
        let width = 8 / columnsPerSlot
        let first = crossover - (3 - group) * width - (fault == .index ? 1 : 0)
        guard first >= 0 else { return -10 }
        var sum = 0.0
        for column in columnsPerSlot * slot..<columnsPerSlot * (slot + 1) {
            for subband in first..<first + width { sum += low(subband, column + 2).energy }
        }
        return 10 * log10(max(sum / Double(width * columnsPerSlot), 0.1))
    }
}
