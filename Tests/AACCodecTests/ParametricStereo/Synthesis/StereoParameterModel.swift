// SPDX-License-Identifier: Apache-2.0

import AACCodec
import Foundation
import TestSupport
import TransformCoding

/// Parametric stereo parameters by the standard's formulas, in double precision (ISO/IEC 14496-3:2009, 8.6.4.4 and 8.6.4.6).
struct StereoParameterModel {
    /// `H11`, `H12`, `H21`, `H22` of each stereo band.
    typealias Matrix = [DoubleComplex]

    let reference: HighEfficiencyTables
    /// The number of stereo bands, 20 or 34.
    private(set) var bandCount = 20
    /// The decoded indices of the last envelope, with the sent resolution.
    private var indices = Indices()
    private var header = ParametricStereoHeader()
    /// `ipd` and `opd` of the last two envelopes, the latest first, in steps of π/4.
    private var phaseHistory = [[[Int]]](repeating: [[Int]](repeating: [Int](repeating: 0, count: 34), count: 2), count: 2)
    /// The matrices at the end of the last frame, by stereo band.
    private(set) var last: [Matrix]
    /// Whether the last frame changed the number of stereo bands.
    private(set) var hasChangedBands = false

    private struct Indices {
        var iid: [Int] = []
        var icc: [Int] = []
        var ipd: [Int] = []
        var opd: [Int] = []
    }

    init(_ reference: HighEfficiencyTables) {
        self.reference = reference
        last = Array(repeating: [DoubleComplex(real: 1), DoubleComplex(real: 1), .zero, .zero], count: 34)
    }

    static let coarse: [Double] = [-25, -18, -14, -10, -7, -4, -2, 0, 2, 4, 7, 10, 14, 18, 25]
    static let fine: [Double] = [
        -50, -45, -40, -35, -30, -25, -22, -19, -16, -13, -10, -8, -6, -4, -2, 0, 2, 4, 6, 8, 10, 13, 16, 19, 22, 25, 30, 35, 40, 45,
        50,
    ]
    static let coherences = [1, 0.937, 0.84118, 0.60092, 0.36764, 0, -0.589, -1]

    /// Returns h11, h12, h21 and h22 of mixing procedure `Ra`.
    static func matrixA(decibels: Double, coherence: Double) -> [Double] {
        let c = pow(10, decibels / 20)
        let c1 = sqrt(2) / sqrt(1 + c * c)
        let c2 = c * c1
        let alpha = acos(coherence) / 2
        let beta = alpha * (c1 - c2) / sqrt(2)
        return [c2 * cos(beta + alpha), c1 * cos(beta - alpha), c2 * sin(beta + alpha), c1 * sin(beta - alpha)]
    }

    /// Returns h11, h12, h21 and h22 of mixing procedure `Rb`.
    static func matrixB(decibels: Double, coherence: Double) -> [Double] {
        let c = pow(10, decibels / 20)
        let rho = max(coherence, 0.05)
        var alpha = decibels == 0 ? Double.pi / 4 : atan(2 * c * rho / (c * c - 1)) / 2
        if alpha < 0 { alpha += Double.pi / 2 }
        let mu = 1 + (4 * rho * rho - 4) / pow(c + 1 / c, 2)
        let gamma = atan(sqrt(max(0, 1 - sqrt(mu)) / (1 + sqrt(mu))))
        return [
            sqrt(2) * cos(alpha) * cos(gamma), sqrt(2) * sin(alpha) * cos(gamma), -sqrt(2) * sin(alpha) * sin(gamma),
            sqrt(2) * cos(alpha) * sin(gamma),
        ]
    }

    /// Returns the matrices of each time slot of a frame, by stereo band.
    mutating func matrices(_ data: borrowing ParametricStereoData, qmfSlotCount: Int) -> [[Matrix]] {
        var envelopes: [(indices: Indices, end: Int)] = []
        for envelope in 0..<data.envelopeCount {
            let previous = envelopes.last?.indices ?? indices
            var next = Indices()
            next.iid = Self.decode(data.levels, envelope, data.header.levelBandCount, previous.iid)
            next.icc = Self.decode(data.coherence, envelope, data.header.coherenceBandCount, previous.icc)
            if data.hasPhases {
                next.ipd = Self.decode(data.channelPhases, envelope, data.header.phaseBandCount, previous.ipd).map { $0 & 7 }
                next.opd = Self.decode(data.overallPhases, envelope, data.header.phaseBandCount, previous.opd).map { $0 & 7 }
            }
            let end =
                data.hasVariableBoundaries
                ? Int(data.boundaryPositions[envelope]) + 1 : (envelope + 1) * qmfSlotCount / data.envelopeCount
            envelopes.append((next, end))
        }
        let hasNewData = data.envelopeCount > 0
        if (envelopes.last?.end ?? 0) < qmfSlotCount { envelopes.append((envelopes.last?.indices ?? indices, qmfSlotCount)) }
        if hasNewData { header = data.header }
        indices = envelopes[envelopes.count - 1].indices
        changeBands(max(header.levelBandCount, header.coherenceBandCount) == 34 ? 34 : 20)

        var result: [[Matrix]] = []
        var start = 0
        for (indices, end) in envelopes {
            let target = matrix(indices)
            for qmfSlot in start..<end {
                let progress = Double(qmfSlot - start + 1) / Double(end - start)
                result.append(
                    (0..<bandCount).map { band in zip(last[band], target[band]).map { $0 + ($1 - $0) * progress } })
            }
            last.replaceSubrange(0..<bandCount, with: target)
            start = end
        }
        return result
    }

    private static func decode(
        _ differences: borrowing ParametricStereoData.Differences, _ envelope: Int, _ count: Int, _ previous: [Int]
    ) -> [Int] {
        var values: [Int] = []
        for band in 0..<count {
            let base = differences.isInTime(envelope) ? (previous.count == count ? previous[band] : 0) : values.last ?? 0
            values.append(base + Int(differences.values[34 * envelope + band]))
        }
        return values
    }

    private mutating func changeBands(_ count: Int) {
        hasChangedBands = count != bandCount
        guard hasChangedBands else { return }
        bandCount = count
        let old = last
        for band in 0..<count {
            let sources = count == 34 ? reference.from20To34[band].map { [$0, 1] } : reference.from34To20[band]
            let weight = Double(sources.reduce(0) { $0 + $1[1] })
            last[band] = (0..<4).map { entry in
                sources.reduce(.zero) { $0 + old[$1[0]][entry] * (Double($1[1]) / weight) }
            }
        }
        phaseHistory = [[[Int]]](repeating: [[Int]](repeating: [Int](repeating: 0, count: 34), count: 2), count: 2)
    }

    /// Returns the indices mapped to processing bands; 0 for bands that are not sent.
    private func mapped(_ values: [Int]) -> [Int] {
        guard !values.isEmpty else { return [Int](repeating: 0, count: bandCount) }
        var values = values
        if values.count == 5 || values.count == 10 { values = values.flatMap { [$0, $0] } }
        let is34 = values.count == 34 || values.count == 17
        values += [Int](repeating: 0, count: 34 - values.count)
        if is34 == (bandCount == 34) { return Array(values[..<bandCount]) }
        if bandCount == 34 {
            return reference.from20To34.map { sources in sources.reduce(0) { $0 + values[$1] } / sources.count }
        }
        return reference.from34To20.map { sources in
            sources.reduce(0) { $0 + $1[1] * values[$1[0]] } / sources.reduce(0) { $0 + $1[1] }
        }
    }

    private mutating func matrix(_ indices: Indices) -> [Matrix] {
        let (iid, icc) = (mapped(indices.iid), mapped(indices.icc))
        let phases = [mapped(indices.ipd), mapped(indices.opd)]
        let hasPhases = !indices.ipd.isEmpty
        let phaseBandCount = bandCount == 20 ? 11 : 17
        let result = (0..<bandCount).map { band -> Matrix in
            let decibels = header.hasFineLevels ? Self.fine[iid[band] + 15] : Self.coarse[iid[band] + 7]
            let h =
                header.usesMixingProcedureB
                ? Self.matrixB(decibels: decibels, coherence: Self.coherences[icc[band]])
                : Self.matrixA(decibels: decibels, coherence: Self.coherences[icc[band]])
            guard hasPhases, band < phaseBandCount else { return h.map { DoubleComplex(real: $0) } }
            let smoothed = (0..<2).map { kind -> Double in
                func vector(_ index: Int) -> DoubleComplex { DoubleComplex.unit(Double(index) * Double.pi / 4) }
                return
                    (vector(phases[kind][band]) + vector(phaseHistory[0][kind][band]) * 0.5
                    + vector(phaseHistory[1][kind][band]) * 0.25).angle
            }
            let (left, right) = (DoubleComplex.unit(smoothed[1]), DoubleComplex.unit(smoothed[1] - smoothed[0]))
            return [left * h[0], right * h[1], left * h[2], right * h[3]]
        }
        let zeros = [[Int]](repeating: [Int](repeating: 0, count: 34), count: 2)
        phaseHistory = [
            hasPhases ? phases.map { Array($0[..<phaseBandCount]) + [Int](repeating: 0, count: 34 - phaseBandCount) } : zeros,
            phaseHistory[0],
        ]
        return result
    }
}
