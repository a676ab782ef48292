// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Forward aliasing cancellation, following the standard's text in double precision (ISO/IEC 23003-3, 7.16).
///
/// Planted faults: the mirror image of ACELP and the filter coefficients have the opposite sign (sign). The transform has the next
/// frequencies (index). The filter ends with the last coefficient (boundary).
package struct AliasingModel {
    private let fault: PlantedFault?

    package init(fault: PlantedFault? = nil) { self.fault = fault }

    /// Returns the gains of coefficients at a TCX boundary.
    ///
    /// - Parameters:
    ///   - count: The number of coefficients.
    ///   - lineCount: The number of TCX lines.
    ///   - gain: The TCX gain.
    ///   - lowGains: The gains of groups of eight low lines.
    package static func gains(count: Int, lineCount: Int, gain: Double, lowGains: [Double]) -> [Double] {
        let all = 0.5 * gain * (Double(count) / Double(lineCount)).squareRoot() * 2 / Double(count)
        return (0..<count).map { $0 < count / 4 ? all * lowGains[$0 * lineCount / (8 * count)] : all }
    }

    /// Returns the gains of coefficients at a boundary to the frequency domain.
    package static func gains(count: Int, code: Int) -> [Double] { [Double](repeating: pow(10, Double(code) / 28), count: count) }

    /// Returns the signal that cancels the aliasing: one sample per coefficient, then the same number of samples of the filter's decay.
    ///
    /// - Parameter filter: a[0] to a[16] at the boundary.
    package func correction(_ coefficients: [Int], gains: [Double], filter: [Double]) -> [Double] {
        let count = coefficients.count
        let values = (0..<count).map { i in
            (0..<count).reduce(0.0) { sum, j in
                let frequency = Double(j) + (fault == .index ? 1.5 : 0.5)
                return sum + Double(coefficients[j]) * gains[j] * cos(.pi / Double(count) * (Double(i) + 0.5) * frequency)
            }
        }
        let weighted = LineSpectralModel.weighted(filter).enumerated().map { $0 > 0 && fault == .sign ? -$1 : $1 }
        let silence = [Double](repeating: 0, count: count)
        let result = LineSpectralModel.synthesize(values + silence, weighted, past: [Double](repeating: 0, count: 16))
        return fault == .boundary ? result[..<count] + silence : result
    }

    /// Returns the signal to add after ACELP, over the overlap on one side.
    ///
    /// - Parameters:
    ///   - signal: The signal up to the boundary.
    ///   - count: The number of samples.
    ///   - filter: a[0] to a[16] at the boundary.
    package func decay(after signal: [Double], count: Int, filter: [Double]) -> [Double] {
        let past = (signal.count - 16..<signal.count).map { signal[$0] - 0.68 * signal[$0 - 1] }
        let emphasized = LineSpectralModel.synthesize([Double](repeating: 0, count: count), filter, past: past)
        var last = signal[signal.count - 1]
        let slope = (0..<2 * count).map { sin(.pi / Double(4 * count) * (Double($0) + 0.5)) }
        return (0..<count).map { i in
            last = emphasized[i] + 0.68 * last
            let mirror = signal[signal.count - 1 - i - (fault == .index ? 1 : 0)] * (fault == .sign ? -1 : 1)
            let late = fault == .boundary ? count + i - 1 : count + i
            return last * (1 - slope[late] * slope[late]) + mirror * slope[count - 1 - i] * slope[count + i]
        }
    }
}
