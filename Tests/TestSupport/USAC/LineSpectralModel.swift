// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Line spectral frequencies and their filters, following the standard's text in double precision (ISO/IEC 23003-3, 7.13).
///
/// Planted faults: the polynomials have each other's factor (sign). Weights belong to the next frequency (index). Minimum distances are
/// not restored downwards from the upper end (boundary).
package struct LineSpectralModel {
    /// The frequencies before the first transmitted set.
    package static let initial = (1...16).map { Double($0) * 375 }
    private let fault: PlantedFault?

    package init(fault: PlantedFault? = nil) { self.fault = fault }

    /// Returns a set: the prediction plus its residual.
    ///
    /// - Parameters:
    ///   - form: `nk_mode`.
    ///   - residual: 16 components.
    package func set(predicted: [Double], residual: [Int], form: Int) -> [Double] {
        let ends = [0] + predicted + [6400]
        let distances = (0...16).map { ends[$0 + 1] - ends[$0] }
        let factor = [60.0, 65, 64, 63][form] / 400
        var result = (0..<16).map { i in
            let (first, second) = fault == .index ? (min(i + 1, 15), min(i + 2, 16)) : (i, i + 1)
            return predicted[i] + factor * sqrt(max(0, distances[first] * distances[second])) * Double(residual[i])
        }
        var low = 50.0
        for i in 0..<16 {
            result[i] = max(result[i], low)
            low = result[i] + 50
        }
        guard fault != .boundary else { return result }
        var high = 6350.0
        for i in (0..<16).reversed() {
            result[i] = min(result[i], high)
            high = result[i] - 50
        }
        return result
    }

    /// Returns a[0] to a[16] of an interpolation between two sets.
    package func filter(from old: [Double], to new: [Double], share: Double) -> [Double] {
        let q = (0..<16).map { (1 - share) * cos(.pi * old[$0] / 6400) + share * cos(.pi * new[$0] / 6400) }
        func product(_ a: [Double], _ b: [Double]) -> [Double] {
            var result = [Double](repeating: 0, count: a.count + b.count - 1)
            for i in a.indices { for j in b.indices { result[i + j] += a[i] * b[j] } }
            return result
        }
        func polynomial(_ first: Int) -> [Double] {
            stride(from: first, to: 16, by: 2).reduce([1]) { product($0, [1, -2 * q[$1], 1]) }
        }
        let sign = fault == .sign ? -1.0 : 1
        let (f1, f2) = (product(polynomial(0), [1, sign]), product(polynomial(1), [1, -sign]))
        return (0...16).map { (f1[$0] + f2[$0]) / 2 }
    }

    /// Returns a[0] to a[16] of A(z / 0.92).
    package static func weighted(_ filter: [Double]) -> [Double] { filter.indices.map { filter[$0] * pow(0.92, Double($0)) } }

    /// Returns the stability factor of ACELP.
    package static func stability(from old: [Double], to new: [Double]) -> Double {
        let sum = zip(old, new).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }
        return min(max(1.25 - sum / 400_000, 0), 1)
    }

    /// Filters values with 1 / A(z).
    ///
    /// - Parameter past: The previous 16 filtered values.
    package static func synthesize(_ values: [Double], _ filter: [Double], past: [Double]) -> [Double] {
        var all = past
        for value in values { all.append((1...16).reduce(value) { $0 - filter[$1] * all[all.count - $1] }) }
        return Array(all[16...])
    }
}
