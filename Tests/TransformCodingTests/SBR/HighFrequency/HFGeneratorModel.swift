// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import TransformCoding

/// HF generation as in the standard, in double precision (ISO/IEC 14496-3:2009, 4.6.18.6).
struct HFGeneratorModel {
    /// `bwArray` of the previous frame.
    private(set) var chirp = [Double](repeating: 0, count: 5)
    private var modes = [Int](repeating: 0, count: 5)

    /// Updates `bwArray`.
    mutating func updateChirp(_ newModes: [Int]) {
        let newBw: [[Double]] = [
            [0, 0.6, 0, 0], [0.6, 0.75, 0.75, 0.75], [0.9, 0.9, 0.9, 0.9], [0.98, 0.98, 0.98, 0.98],
        ]
        for band in newModes.indices {
            let target = newBw[newModes[band]][modes[band]]
            let temporary =
                target < chirp[band] ? 0.75 * target + 0.25 * chirp[band] : 0.90625 * target + 0.09375 * chirp[band]
            chirp[band] = temporary < 0.015625 ? 0 : min(temporary, 0.99609375)
            modes[band] = newModes[band]
        }
    }

    /// Returns the prediction coefficients of a subband from `X_Low`, which has `qmfSlotCount` + 8 QMF slots.
    static func coefficients(_ x: [DoubleComplex], qmfSlotCount: Int) -> (alpha0: DoubleComplex, alpha1: DoubleComplex) {
        func phi(_ i: Int, _ j: Int) -> DoubleComplex {
            (0..<qmfSlotCount + 6).reduce(.zero) { $0 + x[$1 - i + 2] * x[$1 - j + 2].conjugate }
        }
        let (phi01, phi02, phi12) = (phi(0, 1), phi(0, 2), phi(1, 2))
        let (phi11, phi22) = (phi(1, 1).real, phi(2, 2).real)
        let determinant = phi22 * phi11 - phi12.energy / (1 + 1e-6)
        var alpha1 = DoubleComplex.zero
        if determinant != 0 { alpha1 = (phi01 * phi12 - phi02 * phi11) * (1 / determinant) }
        var alpha0 = DoubleComplex.zero
        if phi11 != 0 { alpha0 = (phi01 + alpha1 * phi12.conjugate) * (-1 / phi11) }
        return alpha0.energy >= 16 || alpha1.energy >= 16 ? (.zero, .zero) : (alpha0, alpha1)
    }

    /// Returns `X_High(k, l + 2)` of a subband in a QMF slot of the frame; 0 without a patch.
    func value(_ subband: Int, _ qmfSlot: Int, low: [[DoubleComplex]], tables: FrequencyBandTables, qmfSlotCount: Int) -> DoubleComplex {
        let source = (0..<tables.patches.count).lazy.compactMap { patch -> Int? in
            let offset = subband - tables.patches.target(of: patch)
            return offset >= 0 && offset < tables.patches.width(of: patch) ? tables.patches.start(of: patch) + offset : nil
        }.first
        guard let source, let noiseBand = (0..<tables.noise.count).first(where: { subband < tables.noise[$0 + 1] }) else { return .zero }
        let (alpha0, alpha1) = Self.coefficients(low[source], qmfSlotCount: qmfSlotCount)
        let bw = chirp[noiseBand]
        let x = low[source]
        return x[qmfSlot + 2] + alpha0 * bw * x[qmfSlot + 1] + alpha1 * (bw * bw) * x[qmfSlot]
    }
}
