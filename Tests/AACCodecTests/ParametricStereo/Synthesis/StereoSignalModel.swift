// SPDX-License-Identifier: Apache-2.0

import AACCodec
import Foundation
import TestSupport

/// Parametric stereo signals by the standard's formulas, in double precision (ISO/IEC 14496-3:2009, 8.6.4.3 and 8.6.4.5).
struct StereoSignalModel {
    let reference: HighEfficiencyTables
    /// The number of stereo bands, 20 or 34.
    let bandCount: Int
    /// `s(k, n)` of all time slots so far, by hybrid band.
    private(set) var signal: [[DoubleComplex]]
    /// `z(n)` of each link and hybrid band.
    private var links: [[[DoubleComplex]]]
    private var peaks: [Double]
    private var differences: [Double]
    private var energies: [Double]

    init(_ reference: HighEfficiencyTables, bandCount: Int) {
        self.reference = reference
        self.bandCount = bandCount
        let hybridCount = bandCount == 20 ? 71 : 91
        signal = Array(repeating: [], count: hybridCount)
        links = Array(repeating: Array(repeating: [], count: 3), count: hybridCount)
        peaks = [Double](repeating: 0, count: bandCount)
        differences = peaks
        energies = peaks
    }

    /// The number of hybrid bands of split subbands.
    var lowBandCount: Int { bandCount == 20 ? 10 : 32 }
    /// The number of split QMF subbands.
    var splitSubbandCount: Int { bandCount == 20 ? 3 : 5 }
    /// `b(k)`.
    var stereoBands: [Int] { bandCount == 20 ? reference.stereoBands20 : reference.stereoBands34 }
    func subband(ofHybridBand k: Int) -> Int {
        if k >= lowBandCount { return k - lowBandCount + splitSubbandCount }
        return bandCount == 20 ? (k < 6 ? 0 : k < 8 ? 1 : 2) : (k < 12 ? 0 : k < 20 ? 1 : 2 + (k - 20) / 4)
    }

    /// Returns the hybrid bands of the split subbands in a time slot, by filters with 13 taps around it.
    ///
    /// - Parameter input: The value of a split subband `distance` time slots after the current one, -6 to 6.
    func split(_ input: (_ subband: Int, _ distance: Int) -> DoubleComplex) -> [DoubleComplex] {
        func complex(_ subband: Int, _ prototype: Int, _ count: Int) -> [DoubleComplex] {
            (0..<count).map { q in
                (0..<13).reduce(.zero) { sum, n in
                    let angle: Double = -2 * .pi / Double(count) * (Double(q) + 0.5) * Double(n - 6)
                    return sum + input(subband, n - 6) * DoubleComplex.unit(angle) * reference.hybridPrototypes[prototype][n]
                }
            }
        }
        func real(_ subband: Int) -> [DoubleComplex] {
            (0..<2).map { q in
                (0..<13).reduce(.zero) { sum, n in
                    let weight: Double = reference.hybridPrototypes[1][n] * cos(.pi * Double(q) * Double(n - 6))
                    return sum + input(subband, n - 6) * weight
                }
            }
        }
        if bandCount == 20 {
            let (a, b, c) = (complex(0, 0, 8), real(1), real(2))
            return [a[6], a[7], a[0], a[1], a[2] + a[5], a[3] + a[4], b[1], b[0], c[0], c[1]]
        }
        return complex(0, 2, 12) + complex(1, 3, 8) + complex(2, 4, 4) + complex(3, 4, 4) + complex(4, 4, 4)
    }

    /// Appends a time slot of all hybrid bands.
    ///
    /// Returns the decorrelated bands before transient reduction, and its gains by stereo band.
    mutating func decorrelate(_ qmfSlot: [DoubleComplex]) -> (signal: [DoubleComplex], gains: [Double]) {
        let (allPassEnd, longDelayEnd) = bandCount == 20 ? (30, 42) : (50, 62)
        var result: [DoubleComplex] = []
        for k in qmfSlot.indices {
            signal[k].append(qmfSlot[k])
            if k < allPassEnd {
                result.append(allPass(k))
            } else {
                result.append(delayed(signal[k], k < longDelayEnd ? 14 : 1))
            }
        }
        return (result, reduceTransients(qmfSlot))
    }

    private func delayed(_ values: [DoubleComplex], _ count: Int) -> DoubleComplex {
        values.count > count ? values[values.count - 1 - count] : .zero
    }

    /// `f_center(k)` in QMF subbands.
    private func centre(_ k: Int) -> Double {
        let eighths: [Double] = [-3, -1, 1, 3, 5, 7, 10, 14, 18, 22]
        let parts: [Double] = [
            2, 6, 10, 14, 18, 22, 26, 30, 34, -10, -6, -2, 51, 57, 15, 21, 27, 33, 39, 45, 54, 66, 78, 42, 102, 66, 78, 90, 102, 114,
            126, 90,
        ]
        guard k < lowBandCount else { return Double(k) + 0.5 - (bandCount == 20 ? 7 : 27) }
        return bandCount == 20 ? eighths[k] / 8 : parts[k] / 24
    }

    private mutating func allPass(_ k: Int) -> DoubleComplex {
        let slope = max(0, 1 - 0.05 * Double(max(0, k - lowBandCount)))
        var value = delayed(signal[k], 2) * DoubleComplex.unit(-Double.pi * 0.39 * centre(k))
        for link in 0..<3 {
            let gain = [0.65143905753106, 0.56471812200776, 0.48954165955695][link] * slope
            let states = links[k][link]
            let delay = 3 + link
            let old = states.count >= delay ? states[states.count - delay] : .zero
            let output = old * DoubleComplex.unit(-Double.pi * [0.43, 0.75, 0.347][link] * centre(k)) - value * gain
            links[k][link].append(value + output * gain)
            value = output
        }
        return value
    }

    private mutating func reduceTransients(_ qmfSlot: [DoubleComplex]) -> [Double] {
        var powers = [Double](repeating: 0, count: bandCount)
        for k in qmfSlot.indices { powers[stereoBands[k]] += qmfSlot[k].energy }
        return (0..<bandCount).map { reduceTransients(powers[$0], band: $0) }
    }

    /// Returns the gain of a stereo band for its power in the next time slot.
    mutating func reduceTransients(_ power: Double, band: Int) -> Double {
        peaks[band] = max(0.76592833836465 * peaks[band], power)
        differences[band] += 0.25 * (peaks[band] - power - differences[band])
        energies[band] += 0.25 * (power - energies[band])
        return 1.5 * differences[band] > energies[band] ? energies[band] / (1.5 * differences[band]) : 1
    }
}
