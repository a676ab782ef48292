// SPDX-License-Identifier: Apache-2.0

/// The prediction coefficients of a filter of temporal noise shaping, for the filter and for its inverse (ISO/IEC 14496-3:2009, 4.6.9.3).
package struct TNSPredictor: ~Copyable {
    /// The highest order of a filter.
    package static var capacity: Int { 20 }

    /// The coefficients a[1] to a[20], at index 0 and so on; those above the order are zero.
    package private(set) var coefficients = FixedArray<Float>(repeating: 0, count: capacity)

    /// Makes a predictor that predicts 0.
    package init() {}

    /// The reflection coefficients of indices -4 to 3 at a resolution of three bits, then of indices -8 to 7 at four bits:
    /// sin(i · (π/2) / (2^(R-1) ∓ 1/2)) for index i and resolution R, with minus for i ≥ 0.
    private static let reflections: ContiguousArray<Float> = {
        var reflections = ContiguousArray<Float>()
        for half in [4, 8] {
            for index in -half..<half {
                let steps = index >= 0 ? Double(half) - 0.5 : Double(half) + 0.5
                reflections.append(Float(CircularFunctions.sinePi(Double(index) / (2 * steps))))
            }
        }
        return reflections
    }()

    /// Returns a reflection coefficient by its quantised value.
    ///
    /// - Parameter resolution: 3 or 4 bits.
    package static func reflection(_ index: Int, resolution: Int) -> Float { reflections[(resolution == 3 ? 4 : 16) &+ index] }

    /// Converts the reflection coefficients of a filter to its prediction coefficients by the step-up recursion.
    package mutating func set(_ filter: TNSFilter, resolution: Int) {
        coefficients.fill(0)
        var a = coefficients.mutableSpan
        for m in 0..<Int(filter.order) {
            let reflection = Self.reflection(Int(filter.coefficients[m]), resolution: resolution)
            // Pairs of coefficients depend on each other alone.
            for i in 0..<(m &+ 1) / 2 {
                let (low, high) = (a[i], a[m &- 1 &- i])
                a[i] = low + reflection * high
                a[m &- 1 &- i] = high + reflection * low
            }
            a[m] = reflection
        }
    }
}
