// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Prediction of the high-band envelope (PVC), following the standard's text in double precision (ISO/IEC 23003-3, 7.5.6).
///
/// Planted faults: levels have the opposite sign of the low band's (sign). Low-band groups are one subband too low (index). A vector at the
/// boundary of two classes uses the lower class (boundary).
package struct EnvelopePredictorModel {
    private let tables = UnifiedTables.shared
    private let qmfSlotsPerTimeSlot: Int
    private let fault: PlantedFault?
    /// The levels of the three low groups in previous time slots, newest last.
    private var history: [[Double]] = []
    private var crossover = 0

    package init(qmfSlotsPerTimeSlot: Int, fault: PlantedFault? = nil) {
        self.qmfSlotsPerTimeSlot = qmfSlotsPerTimeSlot
        self.fault = fault
    }

    /// Records a frame without prediction.
    package mutating func skip() { history = [] }

    /// Returns the energies of the high-band subbands in each time slot, starting with the first predicted one.
    ///
    /// - Parameters:
    ///   - mode: `bs_pvc_mode`.
    ///   - isBrief: `nsMode`.
    ///   - vectors: `pvcID` of each time slot.
    ///   - first: `t_P(0)`.
    ///   - highBand: The subbands of the high band.
    ///   - low: `X_Low(subband, slot)`.
    package mutating func energies(
        mode: Int, isBrief: Bool, vectors: [Int], first: Int, highBand: Range<Int>, low: (Int, Int) -> DoubleComplex
    ) -> [[Double]] {
        let table = tables.predictionModes[mode - 1]
        if crossover != highBand.lowerBound { history = [] }
        crossover = highBand.lowerBound
        let window = tables.predictionWindows["\(table.smoothingLengths[isBrief ? 1 : 0])"] ?? []
        let groupWidth = table.groupWidth / qmfSlotsPerTimeSlot
        return (first..<16).map { slot in
            let levels = (0..<3).map { self.level($0, slot, low) }
            // The history before the first time slot repeats its levels.
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

    /// Returns the level of a low group, in decibels.
    private func level(_ group: Int, _ slot: Int, _ low: (Int, Int) -> DoubleComplex) -> Double {
        let width = 8 / qmfSlotsPerTimeSlot
        let first = crossover - (3 - group) * width - (fault == .index ? 1 : 0)
        guard first >= 0 else { return -10 }
        var sum = 0.0
        for qmfSlot in qmfSlotsPerTimeSlot * slot..<qmfSlotsPerTimeSlot * (slot + 1) {
            for subband in first..<first + width { sum += low(subband, qmfSlot + 2).energy }
        }
        return 10 * log10(max(sum / Double(width * qmfSlotsPerTimeSlot), 0.1))
    }
}
