// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The mixing matrices of MPEG Surround 2-1-2, following the standard's text in double precision (ISO/IEC 23003-3, 7.11).
///
/// Planted faults: the decorrelated or residual part of left has the opposite sign (sign). Interpolation is one time slot ahead (index).
/// The first set of a frame starts after its first time slot (boundary).
package struct SurroundMatrixModel {
    /// A matrix: left from the downmix, left from the other signal, right from the downmix, right from the other signal.
    package typealias Matrix = [DoubleComplex]

    /// The parameters of a set, by band.
    package struct Parameters {
        /// The last time slot.
        package var slot: Int
        /// The indices of level differences (from -15), coherences and phase differences.
        package var levels: [Int]
        package var coherences: [Int]
        package var phases: [Int]
        /// Whether each band's matrices are smoothed, and the time constant in time slots.
        package var isSmoothed: [Bool]
        package var smoothingTime: Int
        /// Whether phase differences use the coarse quantizer.
        package var hasCoarsePhases: Bool

        package init(
            slot: Int, levels: [Int], coherences: [Int], phases: [Int], isSmoothed: [Bool], smoothingTime: Int, hasCoarsePhases: Bool
        ) {
            self.slot = slot
            self.levels = levels
            self.coherences = coherences
            self.phases = phases
            self.isSmoothed = isSmoothed
            self.smoothingTime = smoothingTime
            self.hasCoarsePhases = hasCoarsePhases
        }
    }

    private let tables = UnifiedTables.shared
    private let fault: PlantedFault?
    private let phaseBandCount: Int
    /// The number of residual bands; `nil` without residual coding.
    private let residualBandCount: Int?
    private var lastMatrices: [Matrix]
    private var lastPhases: [[Double]]
    private var phaseStates: [[Double]]

    package init(bandCount: Int, phaseBandCount: Int, residualBandCount: Int?, fault: PlantedFault? = nil) {
        self.phaseBandCount = phaseBandCount
        self.residualBandCount = residualBandCount
        self.fault = fault
        lastMatrices = [Matrix](repeating: Matrix(repeating: .zero, count: 4), count: bandCount)
        lastPhases = [[Double]](repeating: [0, 0], count: bandCount)
        phaseStates = lastPhases
    }

    /// Returns the matrix of each band and time slot of a frame.
    ///
    /// - Parameters:
    ///   - hasPhases: `bsPhaseMode`.
    ///   - smoothsPhases: `bsOPDSmoothingMode`.
    package mutating func matrices(_ sets: [Parameters], hasPhases: Bool, smoothsPhases: Bool) -> [[Matrix]] {
        lastMatrices.indices.map { band in
            var result: [Matrix] = []
            var start = fault == .boundary ? 0 : -1
            for set in sets {
                let length = set.slot - start
                let c = pow(10, tables.levelDifferences[set.levels[band] + 15] / 20)
                let coherence = tables.coherences[set.coherences[band]]
                let phase = hasPhases && band < phaseBandCount ? set.phases[band] : 0
                var (matrix, phases) = (Matrix(), [0.0, 0])
                if let residualBandCount {
                    matrix = residualMatrix(
                        c, coherence, Double(phase) * .pi / 8, isResidual: band < residualBandCount,
                        isSpecial: set.levels[band] == 0 && set.coherences[band] == 0 && phase == 8)
                } else {
                    matrix = Self.parametricMatrix(c, coherence)
                    // Without phases, phase differences are 0 and nothing is smoothed.
                    if hasPhases && band < phaseBandCount {
                        phases = Self.phases(c, coherence, Double(phase) * .pi / 8, isEqual: set.levels[band] == 0 && phase == 8)
                    }
                    phases = smoothed(phases, band, hasPhases && smoothsPhases, length, isCoarse: set.hasCoarsePhases)
                }
                if fault == .sign { matrix[1] = matrix[1] * -1 }
                if set.isSmoothed[band] && band >= residualBandCount ?? 0 {
                    let share = Double(length) / Double(set.smoothingTime)
                    matrix = (0..<4).map { matrix[$0] * share + lastMatrices[band][$0] * (1 - share) }
                }
                for slot in result.count...set.slot {
                    let weight = Double(slot - start + (fault == .index ? 1 : 0)) / Double(length)
                    let mixed = (0..<4).map { matrix[$0] * weight + lastMatrices[band][$0] * (1 - weight) }
                    let angles = (0..<2).map { Self.between(lastPhases[band][$0], phases[$0], weight) }
                    result.append((0..<4).map { mixed[$0] * DoubleComplex.unit(angles[$0 / 2]) })
                }
                (lastMatrices[band], lastPhases[band], start) = (matrix, phases, set.slot)
            }
            return result
        }
    }

    private static func parametricMatrix(_ c: Double, _ coherence: Double) -> Matrix {
        let (c1, c2) = (c / (1 + c * c).squareRoot(), 1 / (1 + c * c).squareRoot())
        let alpha = 0.5 * acos(coherence)
        let beta = atan(tan(alpha) * (c2 - c1) / (c2 + c1))
        return [c1 * cos(alpha + beta), c1 * sin(alpha + beta), c2 * cos(beta - alpha), c2 * sin(beta - alpha)].map {
            DoubleComplex(real: $0)
        }
    }

    private func residualMatrix(_ c: Double, _ coherence: Double, _ phase: Double, isResidual: Bool, isSpecial: Bool) -> Matrix {
        guard !isSpecial else {
            let w = 1 / 2.4
            return (isResidual ? [w, w, w, -w] : [w, 0, -w, 0]).map { DoubleComplex(real: $0) }
        }
        let t = c * c + 1 + 2 * coherence * c * cos(phase)
        let w = 0.5 * max((t / (c * c + 1)).squareRoot(), 1 / 1.2)
        let alpha = DoubleComplex(real: (1 - c * c) / t, imaginary: -2 * coherence * c * sin(phase) / t)
        let other = isResidual ? w : 2 * c * (1 - coherence * coherence).squareRoot() * w / t
        let one = DoubleComplex(real: 1)
        return [(one - alpha) * w, DoubleComplex(real: other), (one + alpha) * w, DoubleComplex(real: -other)]
    }

    /// Returns the phases of both outputs, from 0 to 2 π.
    private static func phases(_ c: Double, _ coherence: Double, _ phase: Double, isEqual: Bool) -> [Double] {
        let sum = c * c + 1 + 2 * coherence * c
        let second = pow((c * c + 1 + 2 * coherence * c * cos(phase)) / sum, 0.25)
        let theta = isEqual ? 0 : atan2(second * sin(phase), (2 - second) * c + second * cos(phase))
        return [wrapped(theta), wrapped(theta - phase)]
    }

    private static func wrapped(_ angle: Double) -> Double { angle - 2 * .pi * (angle / (2 * .pi)).rounded(.down) }

    private mutating func smoothed(_ phases: [Double], _ band: Int, _ isSmoothed: Bool, _ length: Int, isCoarse: Bool) -> [Double] {
        guard isSmoothed else {
            phaseStates[band] = phases
            return phases
        }
        let share = Double(length) / 128
        func distance(_ angle: Double) -> Double { angle - 2 * .pi * (angle / (2 * .pi)).rounded() }
        var states = (0..<2).map { phaseStates[band][$0] + share * distance(phases[$0] - phaseStates[band][$0]) }
        let deviation = distance((phases[0] - phases[1]) - (states[0] - states[1]))
        if abs(deviation) > (isCoarse ? 50 : 25) / 180 * Double.pi { states = phases }
        phaseStates[band] = states.map(Self.wrapped)
        return phaseStates[band]
    }

    /// Interpolates two angles along the shorter arc.
    private static func between(_ a: Double, _ b: Double, _ weight: Double) -> Double {
        let difference = b - a
        return a + weight * (difference > .pi ? difference - 2 * .pi : difference < -.pi ? difference + 2 * .pi : difference)
    }
}
