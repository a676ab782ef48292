// SPDX-License-Identifier: Apache-2.0

import Foundation

/// TCX, following the standard's text in double precision (ISO/IEC 23003-3, 7.15).
///
/// Planted faults: the spectral envelope is interpolated in the opposite direction (sign). Lines use the envelope of the next point
/// (index). Noise starts one line late (boundary).
package struct TCXModel {
    /// The gain of all lines.
    package private(set) var gain = 0.0
    /// The gains of groups of eight low lines.
    package private(set) var lowGains: [Double] = []
    /// The state of the noise generator.
    package private(set) var seed: UInt32
    private let frameLength: Int
    private let fault: PlantedFault?

    package init(frameLength: Int, seed: UInt32, fault: PlantedFault? = nil) {
        self.frameLength = frameLength
        self.seed = seed
        self.fault = fault
    }

    /// Returns the samples of an unwindowed block: twice the number of lines, starting half a block early.
    ///
    /// - Parameters:
    ///   - lines: The quantized lines.
    ///   - noiseFactor: `noise_factor`.
    ///   - globalGain: `global_gain`.
    ///   - old: The line spectral frequencies at the start.
    ///   - new: The line spectral frequencies at the end.
    package mutating func samples(lines: [Int], noiseFactor: Int, globalGain: Int, old: [Double], new: [Double]) -> [Double] {
        let count = lines.count
        var x = lines.map { Double($0) }
        addNoise(&x, factor: noiseFactor)
        lowerLowLines(&x)
        let energy = x.reduce(0.01) { $0 + $1 * $1 }
        gain = pow(10, Double(globalGain) / 28) * Double(count) / (2 * energy.squareRoot())
        let y = shaped(x, old: old, new: new)
        // The cosine's argument is a multiple of π / 4 lg, with a period of 8 lg.
        let cosines = (0..<8 * count).map { cos(Double.pi / Double(4 * count) * Double($0)) }
        return (0..<2 * count).map { n in
            var sum = 0.0
            for i in 0..<count { sum += y[i] * cosines[(2 * n + 1 + count) * (2 * i + 1) % (8 * count)] }
            return gain * 2 / Double(count) * sum
        }
    }

    private mutating func addNoise(_ x: inout [Double], factor: Int) {
        let level = 0.0625 * Double(8 - factor)
        for first in stride(from: x.count / 6 + (fault == .boundary ? 1 : 0), to: x.count, by: 8) {
            let group = first..<min(first + 8, x.count)
            guard group.allSatisfy({ x[$0] == 0 }) else { continue }
            for line in group {
                seed = seed &* 69069 &+ 5
                x[line] = seed >> 16 & 1 == 1 ? -level : level
            }
        }
    }

    private mutating func lowerLowLines(_ x: inout [Double]) {
        let groups = stride(from: 0, to: x.count / 4, by: 8).map { $0..<$0 + 8 }
        let energies = groups.map { $0.reduce(0.01) { $0 + x[$1] * x[$1] } }
        let largest = energies.max() ?? 1
        var factor = 0.1
        lowGains = []
        for (group, energy) in zip(groups, energies) {
            factor = max(factor, (energy / largest).squareRoot())
            for line in group { x[line] *= factor }
            lowGains.append(factor)
        }
    }

    /// Returns lines shaped by the envelopes of both ends.
    private func shaped(_ x: [Double], old: [Double], new: [Double]) -> [Double] {
        let pointCount = frameLength / 16
        let gains = [old, new].map { set in
            let filter = LineSpectralModel.weighted(LineSpectralModel().filter(from: set, to: set, share: 0))
            return (0..<pointCount).map { k in
                let angle = Double.pi * (Double(k) + 0.5) / Double(pointCount)
                let value = filter.indices.reduce(DoubleComplex.zero) { $0 + DoubleComplex.unit(-angle * Double($1)) * filter[$1] }
                return 1 / value.energy.squareRoot()
            }
        }
        var past = 0.0
        return x.indices.map { i in
            let k = min(i * pointCount / x.count + (fault == .index ? 1 : 0), pointCount - 1)
            let (g1, g2) = (gains[0][k], gains[1][k])
            past = 2 * g1 * g2 / (g1 + g2) * x[i] + (g2 - g1) / (g1 + g2) * past * (fault == .sign ? -1 : 1)
            return past
        }
    }
}
