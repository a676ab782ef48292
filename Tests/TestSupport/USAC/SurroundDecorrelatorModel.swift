// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The decorrelator of MPEG Surround 2-1-2, following the standard's text in double precision (ISO/IEC 23003-1, 6.6.2).
///
/// Planted faults: the latest input has the opposite sign (sign). Delays are one time slot longer (index). The first band of a region
/// belongs to the previous region (boundary).
package struct SurroundDecorrelatorModel {
    private let tables = UnifiedTables.shared
    private let fault: PlantedFault?
    /// The first band of each of the four regions, and the number of bands.
    private let borders: [Int]
    /// The inputs and outputs of the filters so far, by band.
    private var inputs = [[DoubleComplex]](repeating: [], count: 71)
    private var outputs = [[DoubleComplex]](repeating: [], count: 71)
    /// The smoothed energies of the ducker's bands.
    private var energies = [(input: Double, output: Double)](repeating: (0, 0), count: 28)
    /// The number of bands and time slots whose level the ducker changed.
    package private(set) var duckedCount = 0

    /// Creates a decorrelator with zeroed history.
    ///
    /// - Parameter configuration: `bsDecorrConfig`.
    package init(configuration: Int, fault: PlantedFault? = nil) {
        self.fault = fault
        borders = tables.decorrelatorRegions[configuration] + [71]
    }

    /// Returns the decorrelated bands of a time slot.
    package mutating func decorrelate(_ qmfSlot: [DoubleComplex]) -> [DoubleComplex] {
        var sums = [(input: Double, output: Double)](repeating: (0, 0), count: 28)
        var result: [DoubleComplex] = []
        for band in 0..<71 {
            inputs[band].append(qmfSlot[band])
            let value = filter(band)
            outputs[band].append(value)
            result.append(value)
            sums[tables.surroundBands28[band]].input += qmfSlot[band].energy
            sums[tables.surroundBands28[band]].output += value.energy
        }
        let gains = sums.indices.map { band in
            energies[band].input = 0.8 * energies[band].input + 0.2 * sums[band].input
            energies[band].output = 0.8 * energies[band].output + 0.2 * sums[band].output
            return Self.gain(energies[band])
        }
        duckedCount += gains.count { $0 != 1 }
        return result.enumerated().map { $1 * gains[tables.surroundBands28[$0]] }
    }

    /// Returns the output of a band's filter for its newest input.
    private func filter(_ band: Int) -> DoubleComplex {
        let shifted = fault == .boundary ? max(band - 1, 0) : band
        let region = (0..<4).last { borders[$0] <= shifted && borders[$0] < borders[$0 + 1] } ?? 0
        let a = tables.decorrelatorDenominators[region]
        let order = a.count - 1
        let delay = tables.decorrelatorDelays[region] + (fault == .index ? 1 : 0)
        func past(_ values: [DoubleComplex], _ distance: Int) -> DoubleComplex {
            distance < values.count ? values[values.count - 1 - distance] : .zero
        }
        var sum = DoubleComplex.zero
        for j in 0...order {
            sum = sum + past(inputs[band], delay + j) * (a[order - j] * (fault == .sign && j == 0 ? -1 : 1))
            if j > 0 { sum = sum - past(outputs[band], j - 1) * a[j] }
        }
        return sum
    }

    /// Returns the gain of the ducker.
    private static func gain(_ energies: (input: Double, output: Double)) -> Double {
        if energies.output > 1.5 * energies.input { return (1.5 * energies.input / energies.output).squareRoot() }
        if energies.input > 1.5 * energies.output { return min(2, (energies.input / (1.5 * energies.output)).squareRoot()) }
        return 1
    }
}
