// SPDX-License-Identifier: Apache-2.0

/// Shaping of a high-band envelope by the low band (inter-TES), following the standard's text in double precision (ISO/IEC 23003-3, 7.5).
///
/// Planted faults: gains deviate from 1 in the opposite direction (sign). The low band is one time slot late (index). Its energies include
/// the first subband of the high band (boundary).
package struct TemporalShaperModel {
    private let fault: PlantedFault?

    package init(fault: PlantedFault? = nil) { self.fault = fault }

    /// Returns the factor of each time slot of an envelope.
    ///
    /// - Parameters:
    ///   - mode: `bs_inter_temp_shape_mode`.
    ///   - qmfSlots: The time slots of the envelope.
    ///   - highBand: The subbands of the high band.
    ///   - low: `X_Low(subband, slot)`.
    ///   - high: `Y(subband, slot)`.
    package func factors(
        mode: Int, qmfSlots: Range<Int>, highBand: Range<Int>, low: (Int, Int) -> DoubleComplex, high: (Int, Int) -> DoubleComplex
    ) -> [Double] {
        let strength = [0.0, 1, 2, 4][mode]
        let lowEnd = fault == .boundary ? highBand.lowerBound + 1 : highBand.lowerBound
        let lowPowers = qmfSlots.map { qmfSlot in
            (0..<lowEnd).reduce(0.0) { $0 + low($1, qmfSlot + (fault == .index ? 3 : 2)).energy }
        }
        let highPowers = qmfSlots.map { qmfSlot in highBand.reduce(0.0) { $0 + high($1, qmfSlot).energy } }
        let total = lowPowers.reduce(1e-6, +)
        let gains = lowPowers.map { power in
            let change = strength * ((Double(qmfSlots.count) * power / total).squareRoot() - 1)
            return max(fault == .sign ? 1 - change : 1 + change, 0.2)
        }
        let shaped = zip(gains, highPowers).reduce(1e-6) { $0 + $1.0 * $1.0 * $1.1 }
        let correction = (highPowers.reduce(0, +) / shaped).squareRoot()
        return gains.map { $0 * correction }
    }
}
